# SPDX-License-Identifier: GPL-2.0
# Shared by ./quickstart and ./check: what is installed, and how it is said. Sourced, not run.
# shellcheck shell=sh

build_packages="gcc make pkg-config flex bison libc6-dev libdw-dev libelf-dev libbpf-dev zlib1g-dev"
test_packages="libcmocka-dev dwarves openssl iproute2 procps perl"
slow_packages="llvm linux-perf" # what only slow tests need
lab_packages="qemu-system-x86 qemu-system-common busybox-static cpio kmod xz-utils gzip"

step() { printf '\n==> %s\n' "$*"; }

fail() { # TEXT NEXT-STEP
	printf '%s: error: %s\n' "${0##*/}" "$1" >&2
	[ -z "${2:-}" ] || printf '      = %s\n' "$2" >&2
	exit 1
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		fail "this step needs root: $*" "run ${0##*/} as root, or install sudo"
	fi
}

# Install what is missing of the packages named; says what it does before it does it.
install_packages() {
	missing=
	for package in "$@"; do
		[ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" = "install ok installed" ] ||
			missing="$missing $package"
	done
	if [ -z "$missing" ]; then
		echo "    nothing is missing"
		return
	fi
	command -v apt-get >/dev/null 2>&1 ||
		fail "this machine has no apt-get" "install by its own means:$missing"
	echo "    from Debian's packages:$missing"
	log=$(mktemp)
	# shellcheck disable=SC2086
	{ as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 &
	waited=0
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		waited=$((waited + 1))
		[ $((waited % 10)) != 0 ] || echo "    ... $(tail -n 1 "$log" | cut -c1-90)"
	done
	wait "$pid" || { tail -n 20 "$log" >&2; fail "the packages could not be installed" "see the lines above"; }
	rm -f "$log"
	echo "    installed in $waited s"
}

# The package with the build tree of the newest cloud kernel 6.1 or 6.12.
cloud_headers() {
	case $1 in
	6.1) echo linux-headers-cloud-amd64 ;;
	*) echo "linux-headers-$1-cloud-amd64" ;;
	esac
}

build() {
	[ -f Makefile ] && [ Makefile -nt configure ] && [ Makefile -nt Makefile.in ] ||
		./configure >build.log 2>&1 || { cat build.log >&2; fail "configure failed"; }
	make -j"$(nproc)" "$@" >build.log 2>&1 || { tail -n 40 build.log >&2; fail "make failed" "build.log has it all"; }
	rm -f build.log
}

# SystemTap's example scripts, for the test that counts which of them pass: 2.5 MB of Debian's, unpacked in the cache and
# never installed. That test is skipped without them.
fetch_examples() {
	to=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}/systemtap-doc
	if [ -d "$to" ] || [ -d /usr/share/systemtap/examples ]; then
		echo "    nothing is missing"
		return
	fi
	fetched=$(mktemp -d)
	if (cd "$fetched" && apt-get download systemtap-doc) >"$fetched/log" 2>&1 &&
		mkdir -p "${to%/*}" && dpkg -x "$fetched"/systemtap-doc_*.deb "$fetched/x" && mv "$fetched/x" "$to"; then
		echo "    systemtap-doc is in $to"
	else
		echo "    not to be had: $(tail -n 1 "$fetched/log")"
	fi
	rm -rf "$fetched"
}
