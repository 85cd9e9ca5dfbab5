// SPDX-License-Identifier: GPL-2.0-only
//
// Owns the precompiled header that the other targets reuse; see CMakeLists.txt.
