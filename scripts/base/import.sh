# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# From a source tree to a tag of build/linux.git and a folder under build/worktrees/. Sourced by
# scripts/fetch-base.
#
# Nothing becomes visible before it is whole: objects are packed in build/fetch.partial and moved, the folder
# is unpacked under another name and renamed, and the tag, written last, says that all of it is there.

# $build, $repo, $here, die() and say() are scripts/fetch-base's.
# shellcheck disable=SC2154

git_repo() {
	git --git-dir="$repo" "$@"
}

# One fetch-base at a time works on a build folder. The lock is held by every process started from here too:
# when this one is killed, the next run waits for what is left of it.
take_lock() {
	exec 9>"$build/.fetch-base.lock" || die "cannot write to $build"
	if ! flock -n 9; then
		echo "fetch-base: another one is at work on $build: waiting for it" >&2
		flock 9
	fi
	rm -rf "$build/fetch.partial" "$build"/worktrees/*.partial
	mkdir "$build/fetch.partial"
	if [ ! -d "$repo" ]; then
		git init -q --bare "$build/fetch.partial/linux.git"
		# Attributes of the trees must not touch their bytes, and an automatic gc would stall whoever
		# happens to trigger it.
		echo '* -text -filter -ident -export-subst -export-ignore' \
			>"$build/fetch.partial/linux.git/info/attributes"
		git --git-dir="$build/fetch.partial/linux.git" config gc.auto 0
		mv "$build/fetch.partial/linux.git" "$repo"
	fi
}

# What a run that was killed after its last step has left. While the lock is held it is not left, but in use.
clear_leftovers() {
	[ -e "$build/fetch.partial" ] || return 0
	exec 9>"$build/.fetch-base.lock" || die "cannot write to $build"
	if flock -n 9; then
		rm -rf "$build/fetch.partial" "$build"/worktrees/*.partial
	fi
	exec 9>&-
}

base_is_complete() {
	[ -d "$build/worktrees/$1" ] && [ -d "$repo" ] &&
		git_repo rev-parse -q --verify "refs/tags/$1^{commit}" >/dev/null
}

# What the tag's commit says it is: the subject of its message.
base_name() {
	git_repo log -1 --format=%s "refs/tags/$1"
}

# $1 bytes, rounded up, for people.
human_size() {
	if [ "$1" -lt 1000000 ]; then
		echo "$((($1 + 999) / 1000)) kB"
	elif [ "$1" -lt 1000000000 ]; then
		echo "$((($1 + 999999) / 1000000)) MB"
	else
		echo "$((($1 + 99999999) / 1000000000)).$((($1 + 99999999) / 100000000 % 10)) GB"
	fi
}

bytes_free() {
	df --output=avail -B1 "$build" | tail -n 1 | tr -d ' '
}

# Before anything of size is written: $1 is the number of bytes that $2 will need.
need_space() {
	local free
	free=$(bytes_free)
	[ "$free" -ge "$1" ] || die "$2 needs $(human_size "$1") in $build and $(human_size "$free") are" \
		"free: make room, or set BUILD to a folder on another disk"
	say "$2 needs $(human_size "$1"), $(human_size "$free") are free"
}

# A step failed and left its words in $build/fetch.partial/log: one line of them, or the likeliest reason.
die_of() {
	local said
	# The first words are the cause, since the others of a pipeline only stumble over it.
	[ "$(bytes_free)" -ge 1000000 ] || die "$1: the disk that holds $build is full"
	said=$(awk '/^[^ ]/ && !/^(W:|Traceback)/ && !found++ { sub(/^E: /, ""); print }' "$build/fetch.partial/log")
	die "$1: ${said:-stopped without a message}"
}

# import_tarball FILE.tar.xz TAG NAME IDENT: NAME becomes the subject of the commit, IDENT its author.
# One decompression feeds both the unpacking and the import; the commit is in $build/fetch.partial/git.
import_tarball() {
	local tarball=$1 tag=$2 name=$3 ident=$4 part=$build/fetch.partial untar total
	local tree=$build/worktrees/$tag.partial
	git init -q --bare "$part/git"
	echo "$repo/objects" >"$part/git/objects/info/alternates"
	mkdir "$tree"
	mkfifo "$part/copy"
	total=$(xz --robot -l "$tarball" | awk '$1 == "totals" { print $5 }') || total=0
	# tar stops at the archive's end mark; what pads the file behind it must find a reader too.
	{
		tar -x -C "$tree" --strip-components=1 --no-same-owner -f - && cat >/dev/null
	} <"$part/copy" 2>"$part/untar.log" &
	untar=$!
	{
		xz -dc -T0 "$tarball" | tee "$part/copy" |
			"$here/base/tar-to-fast-import" --ref "refs/tags/$tag" --name "$name" --ident "$ident" \
				--total "$total" --progress-fd 3 |
			git --git-dir="$part/git" -c core.compression=1 -c fastimport.unpackLimit=0 \
				fast-import --quiet --done --depth=0
	} 3>&2 2>"$part/log" || die_of "importing $name failed"
	wait "$untar" || {
		cat "$part/untar.log" >"$part/log"
		die_of "unpacking $name failed"
	}
}

# Makes the import visible. A pack is complete only with its index, so the index moves last.
publish_import() {
	local tag=$1 commit pack
	commit=$(git --git-dir="$build/fetch.partial/git" rev-parse "refs/tags/$tag")
	for pack in "$build"/fetch.partial/git/objects/pack/*.pack; do
		[ -e "$pack" ] || continue
		mv "$pack" "$repo/objects/pack/"
		mv "${pack%.pack}.idx" "$repo/objects/pack/"
	done
	publish_tree "$tag"
	git_repo update-ref "refs/tags/$tag" "$commit"
}

publish_tree() {
	rm -rf "$build/worktrees/$1"
	mv "$build/worktrees/$1.partial" "$build/worktrees/$1"
}

# The tag is there and its folder is not: someone made room.
restore_tree() {
	local size
	size=$(git_repo ls-tree -r -l "refs/tags/$1" | awk '{ s += $4 } END { printf "%d\n", s * 1.15 }')
	need_space "$size" "unpacking $1"
	export_tree "$1" "refs/tags/$1"
	publish_tree "$1"
}

# Unpacks commit $2 as build/worktrees/$1.partial, from objects that build/linux.git has.
export_tree() {
	local tree=$build/worktrees/$1.partial
	say "unpacking $1"
	mkdir -p "$tree"
	if ! {
		GIT_INDEX_FILE=$build/fetch.partial/index git_repo read-tree "$2" &&
			GIT_INDEX_FILE=$build/fetch.partial/index git_repo -c core.bare=false --work-tree="$tree" \
				-c checkout.workers=0 checkout-index -q -a -f --prefix="$tree/"
	} 2>"$build/fetch.partial/log"; then
		die_of "unpacking $1 failed"
	fi
}
