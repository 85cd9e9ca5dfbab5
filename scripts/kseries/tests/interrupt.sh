#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# interrupt.sh KSERIES SHIM
#
# kseries killed, and out of disk space, at every point of a change: after the
# next command each reference, queue file and worktree is as it was before or
# as it is to be. With many points a scenario, a sample spread over all of them.
set -eu

kseries=$1
shim=$2
# Points a scenario, at most.
declare -A points=([kill]=30 [full]=12)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export HOME=$dir GIT_CONFIG_NOSYSTEM=1
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
git config --global user.name 'Test Sender'
git config --global user.email sender@example.org

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# Two bases. On the new one a patch has to be rewritten, one is there already,
# one is untouched, and one conflicts.
mkdir -p first/build first/series/low first/series/high
git init -q --bare first/build/linux.git
git init -q work
(
	cd work
	for f in rewritten upstream untouched conflict; do seq 30 >$f; done
	git add .
	git commit -q -m base
	git tag old
	for f in rewritten upstream untouched; do
		sed -i 's/^15$/fifteen/' $f
		git commit -q -a -m "$f: fifteen"
	done
	git tag low
	git format-patch -q -N --no-signature -o ../first/series/low old
	sed -i 's/^10$/ten/' rewritten
	git commit -q -a -m "rewritten: ten"
	git format-patch -q -N --no-signature -o ../first/series/high low
	git checkout -q old
	sed -i 's/^17$/seventeen/' rewritten
	sed -i 's/^15$/fifteen/' upstream
	sed -i 's/^15$/XV/' conflict
	git commit -q -a -m new
	git tag new
	git push -q ../first/build/linux.git old new
)
for q in low high; do (cd first/series/$q && for f in *.patch; do echo "$f"; done >series); done
echo old >first/series/low/base
echo low >first/series/high/base
(cd first && "$kseries" apply --all >/dev/null)
git --git-dir=first/build/linux.git pack-refs --all

# The same with a conflict in it, and that opened and edited.
cp -a first conflict
(
	cd work
	git checkout -q low
	sed -i 's/^15$/fifteen/' conflict
	git commit -q -a -m "conflict: fifteen"
	git format-patch -q -N --no-signature --start-number 4 -o ../conflict/series/low low
)
(
	cd conflict/series/low
	for f in *.patch; do echo "$f"; done >series
	cd ../..
	"$kseries" apply --all >/dev/null
	git --git-dir=build/linux.git pack-refs --all
)
cp -a conflict opened
(
	cd opened
	"$kseries" rebase --all --onto new --drop-upstream --resolve >/dev/null && fail 'no conflict was opened'
	sed -i '/^<<<<<<</d;/^=======/,/^>>>>>>>/d' build/worktrees/resolve-all/conflict
)
# A branch that was changed by hand.
cp -a first edited
(
	cd edited
	git --git-dir=build/linux.git worktree add -q wt series/low 2>/dev/null
	cd wt
	git reset -q --hard HEAD~2
	sed -i 's/^20$/twenty/' untouched
	git commit -q -a -m 'untouched: twenty'
	git checkout -q --detach
)

# Everything that must never be between two states.
state() {
	git --git-dir=build/linux.git for-each-ref
	find series build/worktrees -type f -exec sha256sum {} + 2>/dev/null | sort -k2
}

left_over() {
	find . -name '*.kseries-new' -o -path '*/kseries/prepared' -o -path '*/kseries/committed' \
		-o -path '*/refs/*.lock' -o -name packed-refs.lock
}

passed=0
# check FAULT STARTING-POINT COMMAND...
check() {
	local fault=$1 from=$2 total step n olds=0 news=0
	shift 2
	rm -rf run && cp -a "$from" run
	(cd run && state) >old
	(cd run && LD_PRELOAD=$shim FAULT=count:../total "$kseries" "$@") >/dev/null 2>&1 || true
	(cd run && state) >new
	! cmp -s old new || fail "$*: changes nothing"
	total=$(cat total)
	step=$(((total + points[$fault] - 1) / points[$fault]))
	for ((n = 1 + RANDOM % step; n <= total; n += step)); do
		rm -rf run && cp -a "$from" run
		got=0
		# The shell has something to say about a process that was killed.
		{ (cd run && LD_PRELOAD=$shim FAULT=$fault:$n exec "$kseries" "$@") >out 2>err || got=$?; } 2>/dev/null
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
	echo "$fault: $*: $total calls, old state $olds times, new state $news times"
}

RANDOM=1
for fault in kill full; do
	check $fault first rebase --all --onto new --drop-upstream
	check $fault conflict rebase --all --onto new --drop-upstream --resolve
	check $fault opened rebase --continue
	check $fault opened rebase --abort
	check $fault edited export low
done
git --git-dir=run/build/linux.git fsck --strict >/dev/null 2>&1 || fail 'fsck'
echo "$passed points passed"
