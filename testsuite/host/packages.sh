# SPDX-License-Identifier: GPL-2.0
#@ needs: target root
# Hints about packages on other distributions: their os-release is mounted over this machine's, for
# probec and for the scripts that build it.
#
# Run a command in a tree of its own, where /etc/os-release is as given.
on() { # TEXT-OF-OS-RELEASE COMMAND...
	printf '%b' "$1" >os-release
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount --bind os-release /etc/os-release && shift && "$@"' sh "$@"
}
debian='ID=debian\nVERSION_CODENAME=bookworm\n'
fedora='ID=fedora\nVERSION_ID=41\n'
leap='ID="opensuse-leap"\nID_LIKE="suse opensuse"\n'
endeavour='ID=endeavouros\nID_LIKE=arch\n'
nixos='ID=nixos\n'
on "$debian" true 2>said || { echo "no mount namespace here: $(tail -n 1 said)"; exit 77; }

# probec, for a kernel whose build tree is missing.
tree() { # OS-RELEASE HINT
	! on "$1" "$PROBEC" -p4 -r 99.9.0-3-test -e 'probe begin { }' 2>said ||
		fail 'a kernel of 99.9' said
	grep -q "= $2, or" said || fail "not '$2'" said
}
tree "$debian" 'sudo apt-get install linux-headers-99.9.0-3-test'
tree "$fedora" 'sudo dnf install kernel-devel-99.9.0-3-test'
tree "$leap" 'sudo zypper install kernel-test-devel'
tree "$endeavour" 'sudo pacman -S linux-test-headers'
tree "$nixos" 'nix-shell -p linuxPackages.kernel.dev'

# configure, with a PATH of a few programs only.
mkdir bin tree
for program in sh dirname mktemp rm printf awk sed tr grep cat realpath; do
	ln -s "$(command -v $program)" bin/
done
cp -r "$TOP/configure" "$TOP/lab" tree/
configure() { # OS-RELEASE HINT
	! on "$1" env PATH="$PWD/bin" tree/configure >out 2>said || fail 'nothing is missing' out
	[ "$(tail -n 1 said)" = "  $2" ] || fail "not '$2'" said
}
configure "$debian" 'sudo apt-get install gcc make flex bison'
configure "$leap" 'sudo zypper install gcc make flex bison'
configure "$nixos" 'nix-shell -p gcc gnumake flex bison'
configure 'ID=own\n' "install by this machine's own means: gcc make flex bison"

# The packages that setup.sh wants: nothing is installed where rpm and pacman are absent.
wants() { # OS-RELEASE TEXT
	# shellcheck disable=SC2016
	on "$1" env TOP="$TOP" sh -c 'cd "$TOP"; . ./setup.sh
		install_packages pkg-config libelf-dev procps linux-headers-6.6.60-1-lts' \
		>out 2>&1 || true
	grep -qF "$2" out || fail "not '$2'" out
}
command -v rpm >/dev/null || {
	wants "$fedora" 'dnf install pkgconf-pkg-config elfutils-libelf-devel procps-ng kernel-'
	wants "$leap" 'zypper install pkgconf-pkg-config libelf-devel procps kernel-lts-devel, then'
}
wants "$endeavour" 'sudo pacman -S pkgconf libelf procps-ng linux-lts-headers, then'
wants "$nixos" 'nix-shell -p pkg-config elfutils procps linuxPackages.kernel.dev'

# Every package that the two commands install has a row, and every row five names.
# shellcheck disable=SC2016
for name in $(cd "$TOP" && sh -c '. ./setup.sh
	echo $build_packages $test_packages $slow_packages $lab_packages'); do
	grep -q "^$name " "$TOP/lab/packages.tab" || fail "no row of $name"
done
awk '!/^#/ && NF != 5' "$TOP/lab/packages.tab" >rows
[ ! -s rows ] || fail 'rows that have not five names' rows
