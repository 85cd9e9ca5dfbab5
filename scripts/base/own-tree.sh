# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# LINUX=DIR: a tree of the user's own as the tag base-local of build/linux.git and as a clean export in
# build/worktrees/base-local. Sourced by scripts/fetch-base.
#
# DIR is only read. Of a git clone nothing is copied: linux.git borrows its objects, and the tag is the user's own
# commit, history and all. Of a plain folder the source files are imported, without what kbuild generated there, by
# the tree's own .gitignore; a second import reads only files that have changed.

# $build, $repo, die() and say() are scripts/fetch-base's.
# shellcheck disable=SC2154

own_tag=base-local

# git on the user's tree: no lock, no refreshed index, no hook, and no objection to another owner.
own_git() {
	GIT_OPTIONAL_LOCKS=0 git -c "safe.directory=*" -C "$own_dir" "$@"
}

# A plain folder inside some other repository is not a clone of Linux.
is_clone() {
	local top
	if [ "$(own_git rev-parse --is-bare-repository 2>/dev/null)" = true ]; then
		[ "$(own_git rev-parse --absolute-git-dir)" = "$own_dir" ]
		return
	fi
	top=$(own_git rev-parse --show-toplevel 2>/dev/null) && [ "$top" = "$own_dir" ]
}

# Exits unless DIR can be used; needs no lock and leaves nothing behind.
own_tree_check() {
	local file rev=${LINUX_REV:-HEAD}
	[ -d "$1" ] || die "LINUX=$1 is not a folder"
	own_dir=$(cd "$1" && pwd -P)
	own_commit=
	if is_clone; then
		own_commit=$(own_git rev-parse -q --verify "$rev^{commit}") ||
			die "LINUX=$1 has no revision $rev: set LINUX_REV to one that it has"
	elif [ -n "${LINUX_REV-}" ]; then
		die "LINUX_REV=$LINUX_REV, but LINUX=$1 is not a git clone"
	fi
	for file in MAINTAINERS Kbuild Kconfig scripts/Kconfig.include include/linux/dma-mapping.h; do
		if [ -n "$own_commit" ]; then
			own_git cat-file -e "$own_commit:$file" 2>/dev/null
		else
			[ -e "$own_dir/$file" ]
		fi || die "LINUX=$1 is not a Linux source tree: it has no $file"
	done
}

own_tree() {
	if [ -n "$own_commit" ]; then
		own_clone
	else
		own_folder
	fi
	echo "$own_tag: $own_name, in $build/worktrees/$own_tag"
}

own_tag_commit() {
	git_repo rev-parse -q --verify "refs/tags/$own_tag^{commit}" || true
}

own_clone() {
	local objects shallow size
	own_name="commit $(own_git rev-parse --short=12 "$own_commit") of $own_dir"
	if [ "$(own_tag_commit)" = "$own_commit" ] && [ -d "$build/worktrees/$own_tag" ]; then
		return
	fi
	size=$(own_git ls-tree -r -l "$own_commit" | awk '{ s += $4 } END { printf "%d\n", s * 1.15 }')
	need_space "$size" "LINUX=$own_dir"
	objects=$(own_git rev-parse --path-format=absolute --git-path objects)
	grep -Fqsx -- "$objects" "$repo/objects/info/alternates" ||
		echo "$objects" >>"$repo/objects/info/alternates"
	shallow=$(own_git rev-parse --path-format=absolute --git-path shallow)
	if [ -s "$shallow" ]; then
		touch "$repo/shallow"
		sort -u "$repo/shallow" "$shallow" >"$build/fetch.partial/shallow"
		mv "$build/fetch.partial/shallow" "$repo/shallow"
	fi
	export_tree "$own_tag" "$own_commit"
	publish_own_tree "$own_commit"
}

# The patterns of the tree's .gitignore, as arguments for git ls-files. Two of them need care: Debian's trees
# ignore everything at the top, and kernels from 6.10 on ignore every dot file, tracked ones too.
ignore_arguments() {
	local pattern
	ignores=(-x '!/*' -x '!.*')
	while read -r pattern; do
		case $pattern in '' | '#'* | '/*' | '!/debian/' | '.*') continue ;; esac
		ignores+=(-x "$pattern")
	done <"$own_dir/.gitignore"
	for pattern in .config .config.old '.*.cmd' '.*.d' '.tmp_*' '.vmlinux*' '.checked-*' .version; do
		ignores+=(-x "$pattern")
	done
}

# git with the folder as its worktree and an index under build/. With this threshold all new blobs go straight
# into one pack; 96,000 loose objects would take minutes.
folder_git() {
	GIT_INDEX_FILE=$build/local.index git --git-dir="$repo" --work-tree="$own_dir" -C "$own_dir" -c core.bare=false \
		-c core.bigFileThreshold=1 -c core.compression=1 -c core.fsmonitor=false -c core.untrackedCache=false "$@"
}

own_folder() {
	local tree commit ignores=() size version
	own_name="the files of $own_dir"
	rm -f "$build/local.index.lock" "$repo"/objects/pack/tmp_pack_*
	if [ ! -e "$build/local.index" ]; then
		size=$(du -s -B1 --exclude=.git "$own_dir" | awk '{ printf "%d\n", $1 * 1.25 }')
		need_space "$size" "LINUX=$own_dir"
	fi
	[ ! -e "$own_dir/.gitignore" ] || ignore_arguments
	say "reading $own_dir"
	{
		folder_git ls-files -z
		folder_git ls-files -z -o --exclude-per-directory=.gitignore "${ignores[@]}"
	} >"$build/fetch.partial/files"
	folder_git update-index --add --remove -z --stdin <"$build/fetch.partial/files" \
		2>"$build/fetch.partial/log" || die_of "reading $own_dir failed"
	tree=$(folder_git write-tree)
	commit=$(own_tag_commit)
	if [ -n "$commit" ] && [ "$(git_repo rev-parse "$commit^{tree}")" = "$tree" ] &&
		[ -d "$build/worktrees/$own_tag" ]; then
		return
	fi
	version=$(sed -n 's/^\(VERSION\|PATCHLEVEL\|SUBLEVEL\) *= *//p' "$own_dir/Makefile" | head -n 3 | paste -sd.)
	commit=$(
		export GIT_AUTHOR_NAME=fetch-base GIT_AUTHOR_EMAIL='' GIT_AUTHOR_DATE='@0 +0000'
		export GIT_COMMITTER_NAME=fetch-base GIT_COMMITTER_EMAIL='' GIT_COMMITTER_DATE='@0 +0000'
		git_repo commit-tree -m "Linux $version from a plain folder" "$tree"
	)
	export_tree "$own_tag" "$commit"
	publish_own_tree "$commit"
}

# A run that is killed between these steps leaves no tag, and the next one starts over.
publish_own_tree() {
	git_repo update-ref -d "refs/tags/$own_tag"
	publish_tree "$own_tag"
	git_repo update-ref "refs/tags/$own_tag" "$1"
	rm -rf "$build/fetch.partial"
}
