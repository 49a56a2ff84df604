/* SPDX-License-Identifier: GPL-2.0 */
/* Hints that name packages as the distribution here calls them, by the table lab/packages.tab. */
#ifndef BASE_PACKAGES_H
#define BASE_PACKAGES_H

struct arena;

enum package_system {
	PACKAGES_UNKNOWN,
	PACKAGES_APT,
	PACKAGES_DNF,
	PACKAGES_PACMAN,
	PACKAGES_ZYPPER,
	PACKAGES_NIX,
};

/** packages_system - how a distribution with this text of os-release(5) installs packages: its own
 *  name decides, then those that it is derived from. */
enum package_system packages_system(const char *os_release);

/** packages_hint_on - the command that installs packages in that system, for a hint
 *  @names: Debian's names, separated by spaces. linux-headers-RELEASE and linux-image-RELEASE may
 *          contain any release. Names that are not in the table are passed on unchanged.
 *
 *  returns text owned by @a; "" if the system has no such package */
const char *packages_hint_on(struct arena *a, enum package_system system, const char *names);

/** packages_hint - the same for the system that is running; of an unknown distribution, a package
 *  manager in PATH decides. */
const char *packages_hint(struct arena *a, const char *names);

#endif
