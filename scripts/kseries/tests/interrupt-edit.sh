#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# interrupt-edit.sh KSERIES SHIM [SEED]
#
# refresh, new, drop, reorder and split killed, and out of disk space, at many
# points, with worktrees on the branches: after the next command references,
# queue files and the files and index of each worktree are as they were before
# or as they are to be.
set -eu

kseries=$1
shim=$2
RANDOM=${3:-1}
echo "seed ${3:-1}"
here=$(dirname "$(readlink -f "$0")")
# shellcheck disable=SC2034 # for fault-points.bash
declare -A points=([kill]=50 [full]=15)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# shellcheck source-path=SCRIPTDIR source=fault-points.bash
. "$here/fault-points.bash"

# Worktrees know each other by absolute names, so every state is made and tried
# in the directory "run".
mkdir -p run/build run/series/low run/series/high
git init -q --bare run/build/linux.git
git init -q work
(
	cd work
	mkdir going staying
	for f in a b going/only staying/c; do seq 30 >$f; done
	ln -s a link
	git add .
	git commit -q -m base
	git tag base
	sed -i 's/^5$/five/' a
	git commit -q -a -m 'a: five'
	# Files and directories that come and go, a link that turns, a mode.
	sed -i 's/^25$/twenty-five/' a
	git rm -q going/only
	mkdir -p new/deep
	seq 20 >new/deep/file
	printf '#!/bin/sh\n' >run-me
	chmod +x run-me staying/c
	ln -sf b link
	git add .
	git commit -q -m 'many things'
	sed -i 's/^15$/fifteen/' b
	git commit -q -a -m 'b: fifteen'
	git format-patch -q -N --no-signature -o ../run/series/low base
	git tag low
	sed -i 's/^15$/XV/' staying/c
	git commit -q -a -m 'c: XV'
	git format-patch -q -N --no-signature -o ../run/series/high low
	git push -q ../run/build/linux.git base
)
for q in low high; do (cd run/series/$q && for f in *.patch; do echo "${f#*-}" && mv "$f" "${f#*-}"; done >series); done
echo base >run/series/low/base
echo low >run/series/high/base
(
	cd run
	"$kseries" apply --all >/dev/null
	git --git-dir=build/linux.git pack-refs --all
	git --git-dir=build/linux.git worktree add -q wt-low series/low 2>/dev/null
	git --git-dir=build/linux.git worktree add -q wt-high series/high 2>/dev/null
	# Work that no command here may touch.
	echo mine >wt-low/untracked
	sed -i 's/^28$/mine/' wt-high/b
)
cp -a run first
(
	cd run/wt-low
	sed -i 's/^10$/ten/' a
	seq 3 >added
	git add added
)
cp -a run edited
rm -rf run

for fault in kill full; do
	check $fault edited refresh low
	check $fault edited refresh low a-five.patch
	check $fault first new low begun.patch --after a-five.patch
	check $fault first drop low many-things.patch
	check $fault first drop low a-five.patch
	check $fault first reorder low b-fifteen.patch --before a-five.patch
	check $fault first split low many-things.patch a:1 link --into first-half.patch
done
git --git-dir=run/build/linux.git fsck --strict >/dev/null 2>&1 || fail 'fsck'
echo "$passed points passed"
