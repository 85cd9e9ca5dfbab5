# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Sourced by the shell tests in the directory that they work in: git there is
# that of somebody who sends patches, with no configuration of the machine's.

export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
git config --global user.name 'Test Sender'
git config --global user.email sender@example.org

fail() {
	echo "FAILED: $*" >&2
	exit 1
}
