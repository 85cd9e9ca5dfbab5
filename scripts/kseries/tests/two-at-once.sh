#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# two-at-once.sh KSERIES
#
# Several processes on one queue: each waits for its turn or says in one line
# that it does not, and what is left is what one of them made.
set -eu

kseries=$1
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# shellcheck source-path=SCRIPTDIR source=sender.bash
. "$here/sender.bash"

mkdir -p build series/q
git init -q --bare build/linux.git
git init -q work
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
	git format-patch -q -N -o ../series/q a
	git checkout -q a
	sed -i 's/^8$/eight/;s/^27$/more/' f
	git commit -q -a -m b
	git tag b
	git push -q ../build/linux.git a b
)
(cd series/q && for f in *.patch; do echo "$f"; done >series)
echo a >series/q/base
"$kseries" apply q >/dev/null

pids=()
for i in 1 2 3 4 5 6 7 8; do
	base=a
	[ $((i % 2)) = 0 ] || base=b
	case $i in
	7) "$kseries" apply q >/dev/null 2>err.$i & ;;
	8) "$kseries" status >/dev/null 2>err.$i & ;;
	*) "$kseries" rebase q --onto $base >/dev/null 2>err.$i & ;;
	esac
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || [ $? = 2 ] || fail "a process ended in another way than 0 or 2"
done
for i in 1 2 3 4 5 6 7 8; do
	[ "$(wc -l <err.$i)" -le 1 ] || fail "process $i says: $(cat err.$i)"
done
"$kseries" status >out
grep -q 'yes *in sync' out || fail "the queue is between two states: $(cat out)"
[ "$(git --git-dir=build/linux.git rev-parse series/q~3)" = \
	"$(git --git-dir=build/linux.git rev-parse "$(cat series/q/base)^{commit}")" ] ||
	fail 'the branch does not stand on the base that the queue names'

# One that does not get its turn gives up after a while.
exec 9<>build/linux.git/kseries/lock
flock 9
got=0
"$kseries" apply q >/dev/null 2>err 9>&- || got=$?
exec 9>&-
[ $got = 2 ] || fail "exit $got while another process has the lock"
[ "$(wc -l <err)" = 1 ] || fail "says: $(cat err)"
grep -q '^kseries: another kseries' err || fail "says: $(cat err)"
echo passed
