#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rebase-kernel.sh KSERIES
#
# The real queues from Linux 7.2 to 7.3 and back: the trees are those of git
# rebase, and the way back restores every byte.
set -eu

kseries=$1
here=$(dirname "$(readlink -f "$0")")
top=$(cd "$here/../../.." && pwd)
"$top/scripts/fetch-base" 7.2 7.3 >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# shellcheck source-path=SCRIPTDIR source=sender.bash
. "$here/sender.bash"

mkdir build
cp -a "$top/series" .
git init -q --bare build/linux.git
echo "$top/build/linux.git/objects" >build/linux.git/objects/info/alternates
in_bare() { git --git-dir="$dir/build/linux.git" "$@"; }
for version in 7.2 7.3; do
	in_bare update-ref refs/tags/base-$version "$(git --git-dir="$top/build/linux.git" rev-parse base-$version)"
done
"$kseries" apply --all >/dev/null
cp -a series before
in_bare for-each-ref 'refs/heads/series/*' refs/patches >refs.before
queues=$(in_bare for-each-ref --format='%(refname:lstrip=3)' 'refs/heads/series/*')
for queue in $queues; do in_bare update-ref "refs/was/$queue" "series/$queue"; done

"$kseries" rebase --all --onto base-7.3 >out || fail "rebase to 7.3: $(cat out)"

# git's own, in a worktree that holds only what the patches touch.
in_bare worktree add -q --no-checkout --detach wt base-7.2
cd wt
git sparse-checkout set --no-cone /nothing
git reset -q --hard
compared=0
for queue in $queues; do
	git -c merge.directoryRenames=false rebase -q --onto base-7.3 base-7.2 "refs/was/$queue" >../rebase.log 2>&1 ||
		fail "git rebase of $queue: $(cat ../rebase.log)"
	[ "$(git rev-parse 'HEAD^{tree}')" = "$(git rev-parse "series/$queue^{tree}")" ] ||
		fail "$queue: the tree is not that of git rebase"
	compared=$((compared + 1))
done
cd ..
[ $compared -gt 1 ] || fail 'no queues'

"$kseries" rebase --all --onto base-7.2 >out || fail "rebase to 7.2: $(cat out)"
diff -r before series || fail 'the way back does not restore every byte'
in_bare for-each-ref 'refs/heads/series/*' refs/patches | cmp - refs.before ||
	fail 'the way back does not restore every commit'
echo "passed, $compared queues"
