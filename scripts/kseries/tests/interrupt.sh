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
here=$(dirname "$(readlink -f "$0")")
# Points a scenario, at most.
declare -A points=([kill]=50 [full]=12)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# shellcheck source-path=SCRIPTDIR source=fault-points.bash
. "$here/fault-points.bash"

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
