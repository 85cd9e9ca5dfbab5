# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Finds, verifies and downloads a kernel source package. Sourced by scripts/fetch-base.
#
# apt does it, with a root of its own under build/apt: the machine's configuration is read for the mirror, the
# proxy and the keys, and never written to. No file of apt.conf.d is used, since the hooks there may act on the
# machine.

# $build, $here, die() and say() are scripts/fetch-base's.
# shellcheck disable=SC2154

# The suites that carry kernel source packages: the one that has the newest, then, for a version that is not
# there, the others.
first_suites=(trixie-backports)
other_suites=(trixie trixie-updates bookworm bookworm-updates bookworm-backports)
security_suites=(trixie-security bookworm-security)

# What the posted patches were made against; the packages of these versions must hold exactly these blobs.
posted_blobs='
drivers/dma-buf/dma-buf-mapping.c 833be519e1e6
drivers/dma-buf/heaps/system_heap.c c8959eadc71d
Documentation/userspace-api/dma-buf-heaps.rst f56b743cdb36
'
posted_versions=' 7.2 7.3 '

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The Debian mirrors that the machine's apt uses, as lines "URI suite". Asking apt itself covers every format
# and place that sources can have; with an empty state it needs no earlier update and no lock.
machine_sources() {
	apt-get update --print-uris -o Dir::State::lists="$build/apt/none" 2>/dev/null |
		sed -n "s|^'\([^']*\)/dists/\([^']*\)/InRelease'.*|\1 \2|p"
}

# The first mirror with a suite of Debian's whose name matches the pattern $1.
machine_mirror() {
	machine_sources | awk -v suite="$1" '$2 ~ suite && !found++ { print $1 }'
}

# write_sources SUITE...: where the private root reads from.
write_sources() {
	local suite mirror security options
	if [ -n "${FETCH_BASE_SOURCES-}" ]; then
		[ -r "$FETCH_BASE_SOURCES" ] || die "cannot read FETCH_BASE_SOURCES=$FETCH_BASE_SOURCES"
		cp "$FETCH_BASE_SOURCES" "$build/apt/sources.list"
		archive="the archive of $FETCH_BASE_SOURCES"
		return
	fi
	local codenames='(bullseye|bookworm|trixie|forky|oldstable|stable|testing)'
	mirror=$(machine_mirror "^($codenames(-updates|-backports)?|sid|unstable)\$")
	[ -n "$mirror" ] || die "apt's configuration names no Debian mirror: add one to /etc/apt, or name a" \
		"tree of your own with LINUX=DIR"
	security=$(machine_mirror "^$codenames(-security|/updates)\$")
	archive=$mirror
	# Package lists only, and of this architecture only: no translations, no foreign lists.
	options="target=Packages arch=$(dpkg --print-architecture)"
	[ ! -e $keyring ] || options="$options signed-by=$keyring"
	for suite in "$@"; do
		case $suite in
		*-security) [ -z "$security" ] || echo "deb [$options] $security $suite main" ;;
		*) echo "deb [$options] $mirror $suite main" ;;
		esac
	done >"$build/apt/sources.list"
}

write_apt_root() {
	local root=$build/apt
	mkdir -p "$root/none" "$root/lists/partial" "$root/archives/partial"
	: >"$root/status"
	{
		echo "Dir::Etc::main \"/dev/null\";"
		echo "Dir::Etc::parts \"$root/none\";"
		echo "Dir::Etc::sourcelist \"$root/sources.list\";"
		echo "Dir::Etc::sourceparts \"$root/none\";"
		echo "Dir::Etc::preferences \"/dev/null\";"
		echo "Dir::Etc::preferencesparts \"$root/none\";"
		echo "Dir::State \"$root\";"
		echo "Dir::State::lists \"$root/lists\";"
		echo "Dir::State::status \"$root/status\";"
		echo "Dir::Cache \"$root\";"
		echo "Dir::Cache::archives \"$root/archives\";"
		echo "Dir::Log \"$root\";"
		# apt's own user cannot write below a home folder.
		echo "APT::Sandbox::User \"$(id -un)\";"
		echo "Acquire::Retries \"2\";"
		# How to reach the network is the machine's to say.
		apt-config dump | grep -E '^(Acquire::(https?|socks5h?|tor|ForceIPv[46])|Dir::Etc::trusted(parts)?)\b' ||
			true
	} >"$root/apt.conf"
}

private_apt() {
	local command=$1
	shift
	APT_CONFIG=$build/apt/apt.conf "$command" "$@"
}

# Reads the package lists of the suites given. Without a valid signature apt takes none.
update_lists() {
	local said
	write_sources "$@"
	say "reading the package lists of $archive ($*)"
	if ! private_apt apt-get -q update -o APT::Update::Error-Mode=any >"$build/fetch.partial/log" 2>&1; then
		said=$(grep -E '^[EW]: ' "$build/fetch.partial/log" | sort | sed -n '1s/^[EW]: //p')
		case $said in
		*[Ss]ign* | *NO_PUBKEY* | *GPG*)
			die "the signature of $archive is not valid, nothing was taken from it: $said" ;;
		esac
		die "cannot read the package lists of $archive: ${said:-no reason given}; check the network and" \
			"the proxy, or name a tree of your own with LINUX=DIR"
	fi
}

# newest_package PACKAGE [VERSION]: the newest version that the lists have, or that version if they have it.
newest_package() {
	private_apt apt-cache madison "$1" 2>/dev/null |
		awk -F ' *\\| *' -v want="${2-}" '{ sub(/ +$/, "", $2) } (want == "" || $2 == want) && !found++ { print $2 }'
}

die_of_gone() {
	local there
	there=$(private_apt apt-cache pkgnames linux-source- | sed -n 's/^linux-source-\([0-9.]*\)$/\1/p' |
		sort -V | paste -sd' ')
	if [ -n "$2" ]; then
		there=$(private_apt apt-cache madison "$1" 2>/dev/null | awk -F ' *\\| *' '{ print $2 }' |
			paste -sd' ')
		die "$archive has no $1 $2; versions of it there: ${there:-none}"
	fi
	die "$archive has no package $1; versions there: ${there:-none}"
}

# download PACKAGE VERSION: leaves the verified package in $deb. What an interrupted run has downloaded is
# continued.
download() {
	local quiet=-qq
	[ "$progress" = no ] || quiet=-q
	(cd "$build/apt/archives" && private_apt apt-get $quiet download "$1=$2" >&2 2>"$build/fetch.partial/log") ||
		die_of "downloading $1 $2 failed"
	deb=$(find "$build/apt/archives" -maxdepth 1 -name "$1_*.deb" -print -quit)
	[ -n "$deb" ] || die "downloading $1 $2 failed: apt left no file in $build/apt/archives"
}

check_posted_blobs() {
	local version=$1 tag=$2 name=$3 path want have
	case $posted_versions in *" $version "*) ;; *) return 0 ;; esac
	while read -r path want; do
		[ -n "$path" ] || continue
		have=$(git --git-dir="$build/fetch.partial/git" rev-parse -q --verify "refs/tags/$tag:$path" || true)
		case $have in "$want"*) continue ;; esac
		die "$name is not the tree the series were posted against: $path is blob ${have:-(absent)}, not" \
			"$want"
	done <<<"$posted_blobs"
}

# archive_base VERSION[=PACKAGE-VERSION] TAG
archive_base() {
	local version=${1%%=*} exact='' tag=$2 package found size deb archive
	case $1 in *=*) exact=${1#*=} ;; esac
	package=linux-source-$version
	for tool in apt-get apt-cache dpkg-deb xz python3; do
		command -v $tool >/dev/null || die "no $tool on this system: run scripts/setup, or name a tree of" \
			"your own with LINUX=DIR"
	done

	write_apt_root
	update_lists "${first_suites[@]}"
	found=$(newest_package "$package" "$exact")
	if [ -z "$found" ] && [ -z "${FETCH_BASE_SOURCES-}" ]; then
		update_lists "${first_suites[@]}" "${other_suites[@]}" "${security_suites[@]}"
		found=$(newest_package "$package" "$exact")
	fi
	[ -n "$found" ] || die_of_gone "$package" "$exact"

	# Measured on 7.2: a package of 165 MB is a tree of 1.8 GB and a pack of 0.36 GB.
	size=$(private_apt apt-cache show "$package=$found" | awk '$1 == "Size:" && !found++ { print $2 }')
	need_space $((size * 15)) "$package $found"
	say "downloading $package $found ($(human_size "$size"))"
	download "$package" "$found"

	say "importing $package $found"
	mkdir "$build/fetch.partial/deb"
	dpkg-deb --fsys-tarfile "$deb" 2>"$build/fetch.partial/log" |
		tar -x -C "$build/fetch.partial/deb" "./usr/src/$package.tar.xz" 2>>"$build/fetch.partial/log" ||
		die_of "unpacking $deb failed"
	import_tarball "$build/fetch.partial/deb/usr/src/$package.tar.xz" "$tag" "$package $found" \
		"$(dpkg-deb -f "$deb" Maintainer)"
	check_posted_blobs "$version" "$tag" "$package $found"
	publish_import "$tag"
	rm -f "$deb"
}
