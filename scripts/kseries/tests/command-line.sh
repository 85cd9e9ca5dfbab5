#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The program as its user meets it: exit codes, one line for an error, nothing
# but the mails on stdout, and the workspace found from below.
set -eu

kseries=$1
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# shellcheck source-path=SCRIPTDIR source=sender.bash
. "$here/sender.bash"

passed=0
# expect CODE STDERR-LINES COMMAND...
expect() {
	local code=$1 lines=$2 got=0
	shift 2
	"$@" >out 2>err || got=$?
	if [ "$got" != "$code" ] || [ "$(wc -l <err)" != "$lines" ]; then
		echo "FAILED: $*: exit $got, expected $code; stderr:" >&2
		cat err >&2
		exit 1
	fi
	passed=$((passed + 1))
}
# shows FILE TEXT
shows() {
	grep -qF -- "$2" "$1" || {
		echo "FAILED: no '$2' in $1:" >&2
		cat "$1" >&2
		exit 1
	}
	passed=$((passed + 1))
}

expect 2 1 "$kseries" status
shows err "no directory 'series' here or above"

mkdir -p build series/q below/deep
git init -q --bare build/linux.git
git init -q work
(
	cd work
	seq 9 >f
	git add f
	git commit -q -m base
	git tag base
	git push -q ../build/linux.git base
	sed -i s/5/five/ f
	git commit -q -a -m 'f: five'
	git format-patch -q -o ../series/q HEAD~1
)
ls series/q >list
mv list series/q/series
echo base >series/q/base

(cd below/deep && "$kseries" status) >out
shows out 'not applied'
expect 0 0 "$kseries" apply q
shows out 'q: 1 patch applied'
expect 0 0 "$kseries" apply --all
shows out 'q: 1 patch already applied'
expect 0 0 "$kseries" status --format json q
shows out '"branch": "in sync"'
expect 0 0 "$kseries" export q
expect 0 0 "$kseries" mbox q
shows out 'Subject: [PATCH] f: five'
cp out mbox
(cd work && git reset -q --hard base && git am -q ../mbox)
[ "$(git -C work rev-parse 'HEAD^{tree}')" = \
	"$(git --git-dir=build/linux.git rev-parse 'series/q^{tree}')" ]

expect 0 0 "$kseries" status --series-dir "$dir/series" --git-dir "$dir/build/linux.git"
expect 2 1 "$kseries" apply
shows err 'apply takes queues or --all'
expect 2 1 "$kseries" apply nothing
shows err "no queue 'nothing' in series"
expect 2 1 "$kseries" apply q --git-dir nowhere
expect 2 1 "$kseries" status --series-dir nowhere
expect 2 1 "$kseries"
shows err 'no command'
"$kseries" status --no-such-option 2>err && exit 1
[ $? = 2 ] || exit 1

expect 0 0 "$kseries" --version
shows out 'kseries (libgit2 '
got=0
"$kseries" mbox q >/dev/full 2>err || got=$?
if [ "$got" != 2 ]; then
	echo "FAILED: mbox to a full disk: exit $got" >&2
	exit 1
fi
shows err 'kseries: cannot write the output: No space left on device'

# A reader that goes away early is not a crash.
"$kseries" --help | head -1 >/dev/null

# The tools that lint runs get paths that hold in any directory.
mkdir -p scripts build/bin build/worktrees/base
touch build/worktrees/base/MAINTAINERS
cat >scripts/checkpatch <<'END'
#!/bin/sh
cd / && [ -d "$5" ] && [ -f "$6" ] || exit 2
END
cat >scripts/build-patches <<'END'
#!/bin/sh
cd / && [ -f "$4/$5/series" ] || exit 2
END
printf '#!/bin/sh\n' >build/bin/dmacheck
chmod +x scripts/* build/bin/dmacheck
(cd below && expect 0 0 "$kseries" lint q --skip sign-off)
expect 0 0 "$kseries" lint q --skip sign-off
shows out 'q: 12 rules, no findings'
expect 0 0 "$kseries" lint q --no-build --skip cover,link,sign-off
shows out 'q: 9 rules, no findings'
expect 2 1 "$kseries" lint q --skip nothing

sed -i 's/^-5/-6/' series/q/*.patch
expect 1 0 "$kseries" status
shows out "hunk 1 of 1 does not apply to 'f'"
expect 2 1 "$kseries" apply q
shows err "kseries: series/q/0001-f-five.patch:"

# Patches at work.
mkdir series/w
: >series/w/series
echo base >series/w/base
expect 0 0 "$kseries" new w a.patch -m 'f: one'
shows series/w/a.patch 'Subject: f: one'
expect 2 1 "$kseries" mbox w
shows err 'changes nothing yet'
expect 0 0 "$kseries" apply w
expect 2 1 "$kseries" refresh w
shows err 'no worktree has series/w checked out'
git --git-dir=build/linux.git worktree add -q tree series/w
echo one >>tree/f
expect 0 0 "$kseries" refresh w
[ -z "$(git -C tree status --porcelain)" ]
expect 0 0 "$kseries" refresh w a.patch
shows out 'w: nothing to take from '
expect 0 0 "$kseries" new w b.patch --after a.patch
(cd tree && echo b >b && echo c >c && git add b c)
expect 0 0 "$kseries" refresh w b.patch
expect 0 0 "$kseries" split w b.patch --list
[ "$(cat out)" = 'b:1  @@ -0,0 +1 @@
c:1  @@ -0,0 +1 @@' ]
expect 2 1 "$kseries" split w b.patch c:2 --into c.patch
shows err "no hunk 2 in 'c'"
expect 2 1 "$kseries" split w b.patch c
expect 0 0 "$kseries" split w b.patch c:1 --into c.patch
expect 0 0 "$kseries" reorder w c.patch --before a.patch
shows series/w/series c.patch
mkdir -p series/w/sent
cp -r series/w series/sent-copy
mv series/sent-copy series/w/sent/v1
expect 0 0 "$kseries" drop w b.patch
[ ! -e tree/b ] && [ ! -e series/w/b.patch ]
expect 0 0 "$kseries" diff w v1..
shows out 'b.patch < -'
expect 0 0 "$kseries" range-diff w@v1 w --format json
shows out '"status": "<"'
expect 2 1 "$kseries" range-diff w nothing
expect 2 1 "$kseries" reorder w a.patch
git --git-dir=build/linux.git worktree remove tree
rm -r series/w

# Tags from saved mails.
{
	printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\nMessage-ID: <1@example.org>\n'
	sed 1d mbox
	printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: A. Reviewer <reviewer@example.org>\n'
	printf 'Date: Mon, 14 Sep 2026 14:22:58 -0700\nSubject: Re: [PATCH] f: five\nMessage-ID: <2@example.org>\n'
	printf 'In-Reply-To: <1@example.org>\n\nReviewed-by: A. Reviewer <reviewer@example.org>\n'
} >thread
expect 0 0 "$kseries" trailers q --from thread
shows out 'q: 1 new, 1 of them stale, 0 known'
shows series/q/trailers 'Reviewed-by: A. Reviewer <reviewer@example.org>  2@example.org'
expect 2 1 "$kseries" trailers q
expect 2 1 "$kseries" trailers q --from nowhere
shows err 'no such file or folder of mails'
# b4 cannot reach out, whatever it is up to.
mkdir b4
cat >b4/__init__.py <<'END'
import socket
socket.create_connection(("127.0.0.1", 9))
END
expect 2 1 env PYTHONPATH="$dir" "$kseries" trailers q --from thread
shows err 'nothing here may need the network'
rm series/q/trailers

git config --global --unset user.email
expect 2 1 "$kseries" mbox q
shows err 'no sender'
sed -i 's/^-6/-5/' series/q/*.patch
expect 0 0 "$kseries" apply q

echo "$passed checks passed"
