# SPDX-License-Identifier: GPL-2.0
# Names of packages by distribution. Shared by ./setup.sh, ./configure and the programs of lab/.
# Sourced.
# shellcheck shell=sh

# One package per line: the name in Debian, which the scripts use; then in dnf, pacman, zypper. "-":
# none.
package_table='
gcc               gcc                    gcc                gcc
libc6-dev         glibc-devel            glibc              glibc-devel
make              make                   make               make
pkg-config        pkgconf-pkg-config     pkgconf            pkgconf-pkg-config
flex              flex                   flex               flex
bison             bison                  bison              bison
libdw-dev         elfutils-devel         libelf             libdw-devel
libelf-dev        elfutils-libelf-devel  libelf             libelf-devel
libbpf-dev        libbpf-devel           libbpf             libbpf-devel
libjson-c-dev     json-c-devel           json-c             libjson-c-devel
libiberty-dev     binutils-devel         binutils           binutils-devel
liblzma-dev       xz-devel               xz                 xz-devel
libmicrohttpd-dev libmicrohttpd-devel    libmicrohttpd      libmicrohttpd-devel
libzydis-dev      zydis-devel            zydis              zydis-devel
zlib1g-dev        zlib-devel             zlib               zlib-devel
libcmocka-dev     libcmocka-devel        cmocka             libcmocka-devel
sanitizers        libasan,libubsan       gcc-libs           libasan8,libubsan1
qemu-system-x86   qemu-system-x86-core   qemu-system-x86    qemu-x86
virtiofsd         virtiofsd              virtiofsd          virtiofsd
busybox-static    busybox                busybox            busybox-static
cpio              cpio                   cpio               cpio
kmod              kmod                   kmod               kmod
xz-utils          xz                     xz                 xz
gzip              gzip                   gzip               gzip
dwarves           dwarves                pahole             dwarves
openssl           openssl                openssl            openssl
iproute2          iproute                iproute2           iproute2
procps            procps-ng              procps-ng          procps
perl              perl-interpreter       perl               perl
g++               gcc-c++                gcc                gcc-c++
debuginfod        elfutils-debuginfod    debuginfod         debuginfod
strace            strace                 strace             strace
zstd              zstd                   zstd               zstd
python3           python3                python             python3
gdb               gdb                    gdb                gdb
llvm              llvm                   llvm               llvm
linux-perf        perf                   perf               perf
golang-go         golang                 go                 go
chromium          chromium               chromium           chromium
default-jdk-headless java-devel          jdk-openjdk        java-devel
postgresql        postgresql-server      postgresql         postgresql-server
musl-tools        musl-gcc               musl               musl-devel
curl              curl                   curl               curl
prometheus        golang-github-prometheus prometheus       golang-github-prometheus-prometheus
'

# Print the package manager here: apt-get, dnf, pacman or zypper, or "none".
package_manager() {
	for package_tool in apt-get dnf pacman zypper; do
		! command -v "$package_tool" >/dev/null 2>&1 || { echo "$package_tool"; return; }
	done
	echo none
}

# Print the local names of packages by their Debian names. Unknown names are passed on unchanged.
package_names() { # NAME...
	case $(package_manager) in
	dnf) package_column=2 ;;
	pacman) package_column=3 ;;
	zypper) package_column=4 ;;
	*) package_column=1 ;;
	esac
	for package_name in "$@"; do
		if [ "$package_column" = 1 ]; then
			debian_name "$package_name"
		else
			echo "$package_table" | awk -v name="$package_name" -v column="$package_column" '
				$1 == name { gsub(",", "\n", $column); print $column; found = 1 }
				END { if (!found) print name }' | grep -vx -e - || true
		fi
	done | awk '!seen[$0]++' | tr '\n' ' ' | sed 's/ $//'
}

# Two packages whose names differ between Debian's releases: up to 12 virtiofsd is a part of QEMU,
# and the sanitizers come with a version of gcc.
debian_name() { # NAME
	case $1 in
	virtiofsd)
		# shellcheck disable=SC1091
		case $(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}") in
		bullseye | bookworm | focal | jammy) echo qemu-system-common ;;
		*) echo virtiofsd ;;
		esac
		;;
	sanitizers) echo "libgcc-$(gcc -dumpversion 2>/dev/null || echo 12)-dev" ;;
	*) echo "$1" ;;
	esac
}

package_installed() { # NAME as it is called here
	case $(package_manager) in
	apt-get) [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ] ;;
	pacman) pacman -Q "$1" >/dev/null 2>&1 ;;
	none) false ;;
	*) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
	esac
}

install_command() {
	case $(package_manager) in
	pacman) echo "pacman -S" ;;
	*) echo "$(package_manager) install" ;;
	esac
}

# Print a command that installs these packages, for a hint.
package_hint() { # NAME...
	if [ "$(package_manager)" = none ]; then
		echo "install by this machine's own means: $(package_names "$@")"
	else
		echo "sudo $(install_command) $(package_names "$@")"
	fi
}
