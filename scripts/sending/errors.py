# SPDX-License-Identifier: GPL-2.0-only
"""What ends a run: one line that says what was wrong, where, and what to do."""


class SendError(Exception):
    """Printed by scripts/send, whose exit status is then 2."""
