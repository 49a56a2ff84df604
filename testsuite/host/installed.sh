# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A kernel that is installed but not running: its image has the same information as the running
# kernel.
# shellcheck shell=bash disable=SC2154,SC2016
from=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
own_cache
release=${TARGET##*/}
[ "$(uname -r)" != "$release" ] || { echo 'that kernel is running'; exit 77; }
[ ! -d "$from/lab/$release/root" ] || ln -s "$from/lab/$release/root" "cache/lab/$release/root"
# Debian's 7.x has the image beside its modules.
image=/boot/vmlinuz-$release
for beside in boot/vmlinuz-$release "lib/modules/$release/vmlinuz"; do
	[ -e "$image" ] || image=$PWD/cache/lab/$release/root/$beside
done

# Compare all lists of names, and the results of scripts.
for point in 'kernel.function("*")' 'kernel.function("*").return' 'kernel.trace("*")' \
	'kprobe.function("*")'; do
	"$PROBEC" -l "$point" -r "$TARGET" >captured 2>captured.said
	"$PROBEC" -l "$point" -r "$release" >installed 2>installed.said
	[ "$(wc -l <captured)" -gt 200 ] || fail "-l $point" captured captured.said
	cmp captured installed || fail "-l $point: the image has others" installed.said
done
compare() { # SCRIPT
	"$PROBEC" -p4 -m own -r "$TARGET" -e "$1" >/dev/null 2>said && mv own.ko captured.ko ||
		fail "captured: $1" said
	"$PROBEC" -p4 -m own -r "$release" -e "$1" >/dev/null 2>said && mv own.ko installed.ko ||
		fail "installed: $1" said
	cmp captured.ko installed.ko || fail "another module: $1"
}
compare 'probe kernel.function("vfs_*").return? { n[ppfunc(), $return] <<< 1 }'
compare \
	'probe kernel.function("do_sys_openat2") { println(kernel_string($filename), $how->flags, @cast(0, "task_struct")->pid) }'
compare \
	'probe kernel.trace("sched_switch") { println($prev->comm$, $next->pid) } probe timer.profile { println(execname()) }'
for name in 'kernel.function("notify_die")' 'kernel.function("vfs_raed")' \
	'kernel.trace("sched:nosuch")'; do
	"$PROBEC" -p2 -r "$TARGET" -e "probe $name { }" >captured 2>&1
	"$PROBEC" -p2 -r "$release" -e "probe $name { }" >installed 2>&1
	cmp captured installed || fail "another message on $name" captured installed
done
# A module as a file.
"$PROBEC" -p2 -r "$release" -e 'probe module("dm-mod").function("dm_get_md") { println($dev) }' \
	>said 2>&1 || fail 'a module' said
grep -q 'site dm_mod dm_get_md' said || fail 'a module: no site' said

# If the image changes, it is read again.
kept=cache/installed/$release
[ -f "$kept" ] || fail 'nothing is kept'
sed -i "s/^image .*/image $(sed 's,/,\\/,g' <<<"$image") 1 2.3/" "$kept"
"$PROBEC" -p2 -r "$release" -e 'probe begin { }' >/dev/null 2>said || fail 'an older image' said
! grep -q '^image .* 1 2.3$' "$kept" || fail 'an older image is still used'

# Missing and damaged files are named.
read='probe kernel.function("vfs_read") { println($count) }'
broken() { # WORDS
	rm -f "$kept"
	refused E_NO_BTF "$1" "$PROBEC" -p2 -r "$release" -e "$read"
	grep -q "$1" said || fail "no word of: $1" said
}
[ "$image" != "/boot/vmlinuz-$release" ] || exit 0
rm "cache/lab/$release/root"
broken "neither /boot/vmlinuz-$release nor "
target_image=$from/lab/$release/root/${image#*"/$release/root/"}
image=${image#"$PWD/"}
mkdir -p "${image%/*}"
size=$(stat -c %s "$target_image")
# The compressed kernel ends at 98 % of the image, or after that.
for cut in 1 5 30 60 97; do
	head -c $((size * cut / 100)) "$target_image" >"$image"
	broken "${image#cache/}: it is "
done
: >"$image"
broken "${image#cache/}: it is not an image of a kernel"
rm -r "cache/lab/$release/build"
cp "$target_image" "$image"
refused E_NO_HEADERS 'no build tree' "$PROBEC" -p4 -r "$release" -e "$read"
