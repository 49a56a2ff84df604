# SPDX-License-Identifier: GPL-2.0
# A value that a script assigns is the one that the kernel uses: compares what a program sees with
# and without the script.
# Each: the kernel's functions and types differ.
set -u
cc -std=gnu11 -O1 -o /tmp/wv write-values.c || exit 1
cd /tmp || exit 1
pressure=$(cat /proc/sys/vm/vfs_cache_pressure)
expect() { # WHAT, wanted output on stdin
	diff -u - "$1" && return
	echo "$1 is not as it should be"
	exit 1
}
./wv >/tmp/plain
"$PROBERUN" -o /tmp/said -c \
	'cat /proc/sys/vm/vfs_cache_pressure >/tmp/pressure; exec /tmp/wv >/tmp/seen' "$MODULE" ||
	exit 1
expect plain <<'END'
wv-none: 16 0123456789abcdef 
wv-shorter: 16 0123456789abcdef 
wv-compound: 16 0123456789abcdef 
wv-pointer: 16 0123456789abcdef 
wv-register: 16 0123456789abcdef 
wv-functions: 16 0123456789abcdef............ 
wv-fails: 16 0123456789abcdef 
wv-mapped: a
wv-owner: 16 0123456789abcdef 
owner 0
policy 0
policy 0
name wv1
END
expect seen <<'END'
wv-none: 16 0123456789abcdef 
wv-shorter: 4 0123............ 
wv-compound: 12 0123456789ab.... 
wv-pointer: 16 ....0123456789ab 
wv-register: 8 01234567........ 
wv-functions: 10 0123456789xyBA......in user 
wv-fails: -1 0123456789abcdef Input/output error
wv-mapped: b
wv-owner: 16 0123456789abcdef 
owner 99
policy 0x40000000
policy 0
name wx0
END
expect said <<'END'
23 23 21
bad address: 0x
bad address: 0x1000
bad address: 0x8000000000000000
12 12 12 12
12
9 8
bad address: 0x8
bad address: 0x0
bad value: levels of the kernel's log are 0 to 7
-5 -5
99
0 1
1
1 0
1
END
dmesg | grep -q 'write-values was here$' || exit 1
[ "$(cat /tmp/pressure)" = $((pressure + 21)) ] &&
	[ "$(cat /proc/sys/vm/vfs_cache_pressure)" = "$pressure" ]
