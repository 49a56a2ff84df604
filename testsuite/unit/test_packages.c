/* SPDX-License-Identifier: GPL-2.0 */
/* Hints about packages: the system from its os-release, the names from the table. The names are
 * those by which each distribution's own index lists the file that is wanted. */
#include "base/arena.h"
#include "base/packages.h"
#include "unit.h"

TEST(system)
{
	static const struct {
		enum package_system system;
		const char *text;
	} rows[] = {
		{ PACKAGES_APT, "PRETTY_NAME=\"Debian GNU/Linux\"\nID=debian\n" },
		{ PACKAGES_APT, "ID_LIKE=\"ubuntu debian\"\nID=linuxmint" },
		{ PACKAGES_DNF, "NAME=\"Fedora Linux\"\nID=fedora\nVARIANT_ID=cloud\n" },
		{ PACKAGES_DNF, "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n" },
		{ PACKAGES_PACMAN, "ID=arch\n" },
		{ PACKAGES_PACMAN, "ID=manjaro\nID_LIKE='arch'\n" },
		{ PACKAGES_ZYPPER, "ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n" },
		{ PACKAGES_ZYPPER, "ID=sled\nID_LIKE=suse\n" },
		{ PACKAGES_NIX, "BUG_REPORT_URL=debian\nID=nixos\nID_LIKE=\"\"\n" },
		{ PACKAGES_UNKNOWN, "VERSION_ID=debian\nPRETTY_NAME=\"\nfedora\"\n" },
		{ PACKAGES_UNKNOWN, "ID=debi" },
		{ PACKAGES_UNKNOWN, "ID=\"\"\nID_LIKE=\n" },
		{ PACKAGES_UNKNOWN, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(packages_system(rows[i].text), rows[i].system);
}

TEST(hint)
{
	static const struct {
		enum package_system system;
		const char *names, *hint;
	} rows[] = {
		{ PACKAGES_APT, "gcc-12 libdw-dev", "sudo apt-get install gcc-12 libdw-dev" },
		{ PACKAGES_APT, "linux-image-6.1.0-9-amd64-dbg",
		  "sudo apt-get install linux-image-6.1.0-9-amd64-dbg" },
		{ PACKAGES_DNF, "gcc-14 libc6-dev libelf-dev",
		  "sudo dnf install gcc glibc-devel elfutils-libelf-devel" },
		{ PACKAGES_DNF, "clang-16 lld-16", "sudo dnf install clang lld" },
		{ PACKAGES_DNF, "linux-headers-6.11.4-301.fc41.x86_64",
		  "sudo dnf install kernel-devel-6.11.4-301.fc41.x86_64" },
		{ PACKAGES_DNF, "linux-image-6.11.4-301.fc41.x86_64-dbg",
		  "sudo dnf install kernel-debuginfo-6.11.4-301.fc41.x86_64" },
		{ PACKAGES_DNF, "sanitizers", "sudo dnf install libasan libubsan" },
		{ PACKAGES_PACMAN, "linux-headers-6.12.1-arch1-1", "sudo pacman -S linux-headers" },
		{ PACKAGES_PACMAN, "linux-headers-6.6.60-1-lts",
		  "sudo pacman -S linux-lts-headers" },
		{ PACKAGES_PACMAN, "linux-image-6.6.60-1-lts-dbg", "" },
		{ PACKAGES_PACMAN, "libdw-dev libelf-dev", "sudo pacman -S libelf" },
		{ PACKAGES_ZYPPER, "linux-headers-6.4.0-150600.21-default",
		  "sudo zypper install kernel-default-devel" },
		{ PACKAGES_NIX, "gcc make linux-headers-6.6.63",
		  "nix-shell -p gcc gnumake linuxPackages.kernel.dev" },
		{ PACKAGES_UNKNOWN, "make", "install by this machine's own means: make" },
		{ PACKAGES_ZYPPER, "unheard-of", "sudo zypper install unheard-of" },
	};
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(packages_hint_on(a, rows[i].system, rows[i].names),
				    rows[i].hint);
	arena_destroy(a);
}
