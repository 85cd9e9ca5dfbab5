# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the shell tests are written with. Sourced by them. Each test file is one CTest test: it goes on after a
# failed case, names each, and its exit status is 1 if there was any.

export LC_ALL=C
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034 # for the tests
scripts=$top/scripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cases=0
failures=0

# run COMMAND...: leaves $status, and what it said in $work/out and $work/err.
run() {
	status=0
	"$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

passed() {
	cases=$((cases + 1))
	echo "ok: $1"
}

failed() {
	cases=$((cases + 1))
	failures=$((failures + 1))
	echo "FAILED: $1"
	[ ! -s "$work/out" ] || sed 's/^/  out: /' "$work/out"
	[ ! -s "$work/err" ] || sed 's/^/  err: /' "$work/err"
}

# check NAME COMMAND...: the case passes if the command succeeds.
check() {
	local name=$1
	shift
	if "$@"; then passed "$name"; else failed "$name"; fi
}

# ends_with STATUS [PATTERN]: how the last run ended; with a pattern, what it said on stderr was one line that
# matches it.
ends_with() {
	[ "$status" -eq "$1" ] || return 1
	[ $# -eq 1 ] || { [ "$(wc -l <"$work/err")" -eq 1 ] && grep -Eq -- "$2" "$work/err"; }
}

silent() {
	[ ! -s "$work/out" ] && [ ! -s "$work/err" ]
}

# Everything there is to see of a folder without reading it: a file that was written to shows. So does one that was
# linked to; where others may do that at the same time, --no-ctime leaves that out.
fingerprint() {
	if [ "$1" = --no-ctime ]; then
		find "$2" -printf '%p %y %m %s %T@ %l\n' | sort
		return
	fi
	find "$1" -printf '%p %y %m %s %T@ %C@ %l\n' | sort
}

finish() {
	echo "$((cases - failures)) of $cases cases passed"
	[ "$failures" -eq 0 ] && [ "$cases" -gt 0 ]
}
