# SPDX-License-Identifier: GPL-2.0
# Names of packages by distribution, from packages.tab. Shared by ./setup.sh, ./configure and the
# programs of lab/. Sourced; compiler/base/packages.c does the same for probec's hints.
# shellcheck shell=sh

package_table=${lab_dir:-lab}/packages.tab

# Print the package manager of a distribution, by the first line of the table; fail if it has none.
manager_of() { # ID
	case $(awk -v id="$1" '
		/^#/ { next }
		{
			for (i = 1; i <= NF; i++)
				if (index("," $i ",", "," id ","))
					print i
			exit
		}' "$package_table") in
	1) echo apt-get ;;
	2) echo dnf ;;
	3) echo pacman ;;
	4) echo zypper ;;
	5) echo nix ;;
	*) return 1 ;;
	esac
}

# Print the package manager here: apt-get, dnf, pacman, zypper, nix, or "none". The distribution's
# own name decides, then those that it is derived from; of an unknown one, the commands that are
# here.
package_manager() {
	# shellcheck disable=SC1091
	for package_system in $(. /etc/os-release 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}"); do
		! manager_of "$package_system" || return 0
	done
	for package_tool in apt-get dnf pacman zypper; do
		! command -v "$package_tool" >/dev/null 2>&1 || { echo "$package_tool"; return; }
	done
	! command -v nix-shell >/dev/null 2>&1 || { echo nix; return; }
	echo none
}

# Print the local names of packages by their Debian names, of which linux-headers-RELEASE and
# linux-image-RELEASE may contain any release. Unknown names are passed on unchanged.
package_names() { # NAME...
	case $(package_manager) in
	dnf) package_column=2 ;;
	pacman) package_column=3 ;;
	zypper) package_column=4 ;;
	nix) package_column=5 ;;
	*) package_column=1 ;;
	esac
	for package_name in "$@"; do
		if [ "$package_column" = 1 ]; then
			debian_name "$package_name"
		else
			foreign_names "$package_name"
		fi
	done | awk '!seen[$0]++' | tr '\n' ' ' | sed 's/ $//'
}

foreign_names() { # NAME
	awk -v name="$1" -v column="$package_column" '
		BEGIN {
			row = name
			if (match(row, /^linux-(headers|image)-[0-9]/)) {
				release = substr(row, RLENGTH)
				row = substr(row, 1, RLENGTH - 1) "RELEASE"
				if (sub(/-dbg$/, "", release))
					row = row "-dbg"
				if (match(release, /-[a-z]+$/))
					flavour = substr(release, RSTART)
			}
			if (row ~ /^(gcc|clang|lld)-[0-9]+$/)
				sub(/-.*/, "", row)
		}
		/^#/ { next }
		$1 == row {
			found = $column
			sub(/RELEASE/, release, found)
			sub(/-FLAVOUR/, flavour, found)
			gsub(",", "\n", found)
			if (found != "-")
				print found
			exit
		}
		END { if (found == "") print name }' "$package_table"
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

# Return whether a package is installed; of a shell of nix, nobody knows what is in it.
package_installed() { # NAME as it is called here
	case $(package_manager) in
	apt-get) [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ] ;;
	pacman) pacman -Q "$1" >/dev/null 2>&1 ;;
	nix | none) false ;;
	*) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
	esac
}

# Print the command that installs packages, without their names.
install_command() {
	case $(package_manager) in
	pacman) echo "sudo pacman -S" ;;
	nix) echo "nix-shell -p" ;;
	none) echo "install by this machine's own means:" ;;
	*) echo "sudo $(package_manager) install" ;;
	esac
}

# Print a command that installs these packages, for a hint.
package_hint() { # NAME...
	echo "$(install_command) $(package_names "$@")"
}
