# SPDX-License-Identifier: GPL-2.0
# Functions that ./quickstart and ./check share: packages, messages. Sourced.
# shellcheck shell=sh

. lab/packages.sh

build_packages="gcc make pkg-config flex bison libc6-dev libdw-dev libelf-dev libbpf-dev libcurl4-openssl-dev libjson-c-dev libiberty-dev liblzma-dev libmicrohttpd-dev libncurses-dev libsodium-dev libzydis-dev zlib1g-dev"
test_packages="libcmocka-dev dwarves dwz openssl iproute2 procps e2fsprogs perl g++ debuginfod strace zstd python3 python3-prometheus-client python3-yaml babeltrace2 gdb curl tmux zsh fish neovim"
slow_packages="llvm linux-perf sparse debootstrap default-jdk-headless postgresql golang-go chromium musl-tools prometheus" # for slow tests only
# For tests with many hosts and with PHP, and with containers; Debian's names.
host_packages="clustershell pdsh ansible-core slurm-wlm openssh-server sudo php-cli"
container_packages="podman containerd runc"
# For lab/kernel debug, on Debian 12, which has that source; what others need, lab/kernel names.
source_packages="linux-source-6.1 bc lz4 libssl-dev"
# The lab's kernels are not installed: lab/image unpacks them below the cache.
case $(uname -m) in
aarch64) emulator_package=qemu-system-arm own_processor=arm64 ;;
*) emulator_package=qemu-system-x86 own_processor=amd64 ;;
esac
lab_packages="$emulator_package virtiofsd busybox-static cpio kmod xz-utils gzip"

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

# Run a command of apt's, with a progress line every ten seconds.
with_progress() { # COMMAND...
	log=$(mktemp)
	as_root "$@" >"$log" 2>&1 &
	pid=$!
	waited=0
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		waited=$((waited + 1))
		[ $((waited % 10)) != 0 ] || echo "    ... $(tail -n 1 "$log" | cut -c1-90)"
	done
	wait "$pid" || { tail -n 20 "$log" >&2; fail "'$*' failed" "the lines above say why"; }
	rm -f "$log"
}

# Query once which packages apt can install: a fresh machine's image has no lists, or outdated ones.
updated=
update_packages() {
	[ -z "$updated" ] && [ "$(package_manager)" = apt-get ] || return 0
	echo "    apt-get update"
	with_progress apt-get update
	updated=yes
}

# Return whether apt can install a package; old lists are updated before the answer is no. Other
# package managers say it when they are asked to install it.
package_known() { # PACKAGE
	[ "$(package_manager)" = apt-get ] || return 0
	apt-cache show "$1" >/dev/null 2>&1 || { update_packages &&
		apt-cache show "$1" >/dev/null 2>&1; }
}

# Install the missing ones of these packages; prints what it is going to do.
install_packages() {
	missing=
	for package in $(package_names "$@"); do
		package_installed "$package" || missing="$missing $package"
	done
	if [ -z "$missing" ]; then
		echo "    nothing is missing"
		return
	fi
	case $(package_manager) in
	apt-get) ;;
	nix | none)
		# Nobody can say what is here; configure and the lab find out.
		echo "    needed, and not looked for: $(install_command)$missing"
		return
		;;
	*) fail "these packages are missing:$missing" \
		"$(install_command)$missing, then run ${0##*/} again" ;;
	esac
	update_packages
	echo "    apt-get install$missing"
	# shellcheck disable=SC2086
	with_progress env DEBIAN_FRONTEND=noninteractive apt-get install \
		-y --no-install-recommends $missing
	echo "    installed in $waited s"
}

# Install what only slow tests need; without these packages they are skipped.
install_slow_packages() {
	if [ "$(package_manager)" = apt-get ]; then
		slow_packages="$slow_packages $host_packages $container_packages"
	fi
	if [ "$(package_manager)" = apt-get ] && package_known linux-source-6.1; then
		slow_packages="$slow_packages $source_packages"
	fi
	# shellcheck disable=SC2086
	install_packages $slow_packages
}

# Set $kernels to the series that the lab can use here, the distribution's own first.
find_kernels() {
	kernels=$(lab/run --kernels)
	[ -n "$kernels" ] || { update_packages; kernels=$(lab/run --kernels); }
	[ -n "$kernels" ] || fail "no kernel for the virtual machine can be had here" \
		"it needs a cloud kernel of Debian's that apt knows: apt-cache policy linux-image-cloud-$own_processor"
}

build() {
	[ -f Makefile ] && [ Makefile -nt configure ] && [ Makefile -nt Makefile.in ] ||
		./configure >build.log 2>&1 || { cat build.log >&2; fail "configure failed"; }
	make -j"$(nproc)" "$@" >build.log 2>&1 ||
		{ tail -n 40 build.log >&2; fail "make failed" "build.log has it all"; }
	rm -f build.log
}

# SystemTap's example scripts, for the test that counts which of them pass: 2.5 MB of Debian's,
# unpacked in the cache and never installed. That test is skipped without them.
fetch_examples() {
	to=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}/systemtap-doc
	if [ -d "$to" ] || [ -d /usr/share/systemtap/examples ]; then
		echo "    nothing is missing"
		return
	fi
	fetched=$(mktemp -d)
	if (cd "$fetched" && apt-get download systemtap-doc) >"$fetched/log" 2>&1 &&
		mkdir -p "${to%/*}" && dpkg -x "$fetched"/systemtap-doc_*.deb "$fetched/x" &&
			mv "$fetched/x" "$to"; then
		echo "    systemtap-doc is in $to"
	else
		echo "    not to be had: $(tail -n 1 "$fetched/log")"
	fi
	rm -rf "$fetched"
}
