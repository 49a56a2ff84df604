# SPDX-License-Identifier: GPL-2.0
#@ needs: target root unshare
#@ seconds: 300
# The runtime is built where there is no room or no way to keep it, and what can't be built or
# loaded is refused with the next step.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/target.sh"
script='probe begin { exit() }'
tree=$(target_tree)

# A full cache: the module is made, and nothing is left of what had no room.
mkdir full
PROBEC_CACHE=$PWD/full unshare -m sh -c 'mount -t tmpfs -o size=300k,mode=700 tmpfs full || exit
	"$0" -p4 -r "$1" -m full_cache -e "$2" || exit
	find full -name "*.[0-9]*"' "$PROBEC" "$tree" "$script" >out 2>said ||
	fail 'a full cache' said
[ "$(cat out)" = "$PWD/full_cache.ko" ] || [ "$(cat out)" = full_cache.ko ] ||
	fail 'not the module alone' out
grep -q 'No space left on device; the runtime is not cached \[E_IO\]' said ||
	fail 'a full cache: it says' said

# A directory that kbuild can't have.
mkdir 'with blank'
own_cache
refused E_IO 'a blank' env TMPDIR="$PWD/with blank" "$PROBEC" -p4 -r "$tree" -e "$script"
grep -q 'set TMPDIR to a directory without blanks' said || fail 'a blank: no next step' said

# A tree without the list of checksums.
cp -as "$(realpath "$tree")" sums && rm sums/Module.symvers || fail 'no copy of the tree'
if grep -qx CONFIG_MODVERSIONS=y sums/include/config/auto.conf; then
	refused E_NO_HEADERS 'no checksums' "$PROBEC" -p4 -r ./sums -e "$script"
	grep -q 'make modules_prepare. does not' said || fail 'no checksums: no next step' said
fi

# A file that is named as the cache.
: >file
PROBEC_CACHE=$PWD/file "$PROBEC" -p2 -r "$TARGET" -e "$script" >out 2>said || fail 'a file' said
grep -q "cache directory '.*/file' is not a directory: nothing is cached" said ||
	fail 'a file: it says' said
