#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# disk-full.sh KSERIES
#
# A file system that is full, or fills in the middle of a rebase or an export:
# the old state stays, one line says why, and with room again all goes well.
# Exit status 77: no file system of a given size can be mounted here.
set -eu

kseries=$1
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
mounted=no
leave() {
	cd /
	[ $mounted = no ] || umount "$dir/disk"
	rm -rf "$dir"
}
trap leave EXIT
cd "$dir"
mkdir disk
mount -t tmpfs -o size=2m,nr_inodes=2000 none disk 2>/dev/null || {
	echo 'only root may mount a small file system (interrupt.sh has the same fault from a library)'
	exit 77
}
mounted=yes
# shellcheck source-path=SCRIPTDIR source=sender.bash
. "$here/sender.bash"

git init -q work
mkdir -p first/build first/series/q
git init -q --bare first/build/linux.git
rm -rf first/build/linux.git/hooks
(
	cd work
	seq 40 >f
	git add f
	git commit -q -m base
	git tag a
	for i in 5 15 25; do
		sed -i "s/^$i\$/number $i/" f
		git commit -q -a -m "f: $i"
	done
	git format-patch -q -N -o ../first/series/q a
	git checkout -q a
	sed -i 's/^8$/eight/;s/^27$/more/' f
	git commit -q -a -m b
	git tag b
	git push -q ../first/build/linux.git a b
)
(cd first/series/q && for f in *.patch; do echo "$f"; done >series)
echo a >first/series/q/base
(cd first && "$kseries" apply q >/dev/null)
cp -a first edited
git --git-dir=edited/build/linux.git worktree add -q "$dir/wt" series/q 2>/dev/null
(cd wt && sed -i 's/^30$/thirty/' f && git commit -q -a --amend --no-edit && git checkout -q --detach)

state() {
	git --git-dir=build/linux.git for-each-ref
	find series -type f -exec sha256sum {} + | sort -k2
}

failures=0
# try STARTING-POINT COMMAND...
try() {
	local from=$1 room got
	shift
	for room in 0 4 8 12 16 20 28 40 60 80 120; do
		rm -rf disk/* && cp -a "$from"/. disk
		cd disk
		state >../old
		# Fill it, then make that much room.
		head -c $((room * 1024)) /dev/zero >room
		cat /dev/zero >filler 2>/dev/null || true
		rm room
		got=0
		"$kseries" "$@" >../out 2>../err || got=$?
		if [ $got = 2 ]; then
			[ "$(wc -l <../err)" = 1 ] || fail "$* with ${room}K says: $(cat ../err)"
			state | cmp -s - ../old || fail "$* with ${room}K: the state is not the old one"
			failures=$((failures + 1))
		elif [ $got != 0 ]; then
			fail "$* with ${room}K: exit $got"
		fi
		rm filler
		[ $got = 0 ] || "$kseries" "$@" >/dev/null 2>../err || fail "$* with room again: $(cat ../err)"
		"$kseries" status | grep -q 'yes *in sync' || fail "$* with ${room}K: not in sync afterwards"
		cd ..
	done
}

try first rebase q --onto b
try edited export q
[ $failures -gt 3 ] || fail "the disk was full only $failures times"
echo "passed, the disk was full $failures times"
