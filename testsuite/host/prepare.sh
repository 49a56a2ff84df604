# SPDX-License-Identifier: GPL-2.0
#@ needs: target root
#@ seconds: 900
# Once: what it prepares is compiled for one kernel.
# probec prepare builds a kernel's runtime before the first script, for the user or, by root, for
# all users, names what is missing, and is what the packages' hooks of kernels run.
# shellcheck shell=bash disable=SC2154
own_cache
release=${TARGET##*/}
compile=("$PROBEC" -p4 -r "$TARGET" -e 'probe begin { exit() }')

# For this user: built once, and found by the first script.
prepared() { # WHAT PATTERN COMMAND...
	"${@:3}" >out 2>said || fail "$1: status" out said
	grep -qx "$2" out || fail "$1: not $2" out said
}
prepared 'the first time' "$release: ready, built in [0-9.]* s" "$PROBEC" prepare -r "$TARGET"
grep -q "^building the runtime for $release" said || fail 'the first time: it was not built' said
prepared 'again' "$release: ready" "$PROBEC" prepare -r "$TARGET"
! grep -q building said || fail 'again: it was built' said
"${compile[@]}" >/dev/null 2>said || fail 'the first script' said
! grep -q building said || fail 'the first script built a runtime' said

# A kernel that is not known is named, and the other one is prepared nevertheless.
refused E_NO_HEADERS 'a kernel that is not here' "$PROBEC" prepare -r 9.9.9-none -r "$TARGET"
grep -qx "$release: ready" said || fail 'the other kernel' said
refused E_OPTION 'a word too many' "$PROBEC" prepare "$release"
refused E_OPTION 'a wrong option' "$PROBEC" prepare --nonsense

# All tools that are missing are named, and the command that installs them.
mkdir bin
ln -s "$(command -v strip)" bin/strip
refused E_NO_COMPILER 'no tools' env PATH="$PWD/bin" "$PROBEC" prepare -r "$TARGET"
grep -q "'gcc-[0-9]*', 'make', 'ld' are not installed" said || fail 'the names of the tools' said
grep -q 'install gcc-[0-9]* make binutils$' said || fail 'the command that installs them' said

# The hook of packages: for a kernel with a build tree, and never a failure.
printf '#!/bin/sh\necho "$*" >>%s/calls\nexit 1\n' "$PWD" >bin/probec
chmod +x bin/probec
mkdir -p modules/6.1.0-1/build modules/6.1.0-2
touch modules/6.1.0-1/build/Makefile
hook() {
	PROBEC_MODULES=$PWD/modules PATH=$PWD/bin:$PATH "$TOP/packaging/kernel-hook" "$@" \
		>said 2>&1 || fail "the hook: $*" said
}
hook 6.1.0-1 /boot/vmlinuz-6.1.0-1
grep -q 'will build what it needs' said || fail 'the hook: no word of the failure' said
hook add 6.1.0-1 /boot
hook 6.1.0-2
hook remove 6.1.0-1
[ "$(cat calls)" = "$(printf 'prepare -r 6.1.0-1\nprepare -r 6.1.0-1')" ] || fail 'the hook' calls

# For all users, by root: a place of its own for /var/lib stands for this machine's.
mkdir -p home/.cache
mv cache home/.cache/probec
unset PROBEC_CACHE XDG_CACHE_HOME
export HOME=$PWD/home PROBEC TARGET
unshare -m true 2>/dev/null || { echo 'no mount namespaces'; exit 77; }
# shellcheck disable=SC2016
unshare -m bash -c 'mount -t tmpfs none /var/lib && . "$0" && for_all "$@"' \
	"$TOP/testsuite/prepared.sh" "$release" "${compile[@]}" >out 2>&1 ||
	fail 'for all users' out
