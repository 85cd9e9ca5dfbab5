# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # set by the caller
#
# Sourced by the interrupt tests: runs a command with a fault at many of its
# points and compares what the next command finds with the state before and the
# state after. The caller sets here, the folder of this file, kseries, shim and
# points, an array from the fault ("kill", "full") to how many points of a
# scenario it is tried at, all of them when there are fewer.

# shellcheck source-path=SCRIPTDIR source=sender.bash
. "$here/sender.bash"

# Everything that must never be between two states. Worktrees in which somebody
# works are called wt-SOMETHING.
state() {
	git --git-dir=build/linux.git for-each-ref
	find series build/worktrees -type f -exec sha256sum {} + 2>/dev/null | sort -k2
	local wt
	for wt in wt-*; do
		[ -d "$wt" ] || continue
		find "$wt" -name .git -prune -o -printf '%p %y %m %l\n' | sort
		find "$wt" -type f ! -name .git -exec sha256sum {} + | sort -k2
		git -C "$wt" ls-files -s
		git -C "$wt" --no-optional-locks status --porcelain
	done
}

left_over() {
	find . -name '*.kseries-new' -o -path '*/kseries/prepared' -o -path '*/kseries/committed' \
		-o -path '*/kseries/scratch' -o -path '*/refs/*.lock' -o -name packed-refs.lock -o -name index.lock
}

passed=0
# check FAULT STARTING-POINT COMMAND...
check() {
	local fault=$1 from=$2 total i n tried olds=0 news=0
	shift 2
	rm -rf run && cp -a "$from" run
	(cd run && state) >old
	(cd run && LD_PRELOAD=$shim FAULT=count:../total "$kseries" "$@") >/dev/null 2>&1 || true
	(cd run && state) >new
	! cmp -s old new || fail "$*: changes nothing"
	total=$(cat total)
	tried=${points[$fault]}
	[ "$tried" -le "$total" ] || tried=$total
	for ((i = 0; i < tried; i++)); do
		n=$((1 + (i * total + RANDOM % total) / tried))
		rm -rf run && cp -a "$from" run
		got=0
		# The shell has something to say about a process that was killed.
		{ (cd run && LD_PRELOAD=$shim FAULT=$fault:$n exec "$kseries" "$@") >out 2>err || got=$?; } 2>/dev/null
		[ "$fault" != kill ] || [ $got = 137 ] || fail "$* with $fault:$n was not killed: exit $got"
		if [ "$fault" = full ] && [ $got = 2 ]; then
			[ "$(wc -l <err)" = 1 ] || fail "$* with $fault:$n says: $(cat err)"
			# Unless it says that undoing has to wait for room, the old state is there at once.
			grep -q 'next kseries command' err || (cd run && state) | cmp -s - old ||
				fail "$* with $fault:$n: failed, but the state is not the old one: $(cat err)"
		fi
		(cd run && "$kseries" status) >/dev/null 2>err || [ $? = 1 ] || fail "status after $* with $fault:$n: $(cat err)"
		(cd run && state) >now
		if cmp -s now old; then
			olds=$((olds + 1))
		elif cmp -s now new; then
			news=$((news + 1))
		else
			diff old now >&2 || true
			fail "$* with $fault:$n of $total: neither the old state nor the new"
		fi
		[ -z "$(cd run && left_over)" ] || fail "$* with $fault:$n left $(cd run && left_over)"
		passed=$((passed + 1))
	done
	echo "$fault: $*: $tried of $total calls, old state $olds times, new state $news times"
}
