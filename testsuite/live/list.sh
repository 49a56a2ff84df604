# SPDX-License-Identifier: GPL-2.0
# -l on the running kernel, compared with its own list of traceable functions; -L with types from
# its BTF.
# Each: the kernel's functions and types differ.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
export PROBEC_DEBUGINFO=
"$PROBEC" -l 'kernel.function("vfs_*")' >listed || fail -l listed
LC_ALL=C sort -uc listed || fail 'not sorted' listed
names() { sed 's/^kernel.function("\(.*\)")$/\1/' listed | sort; }
sed -n 's/^\(vfs_[^ ]*\)$/\1/p' /sys/kernel/tracing/available_filter_functions | sort -u >traceable
[ -s traceable ] || fail 'nothing can be traced'
# Where the kernel has a function, its parts are no points of their own: a call would count twice. A
# pattern that names parts has them.
awk -F. 'FNR == NR { if ($0 !~ /\.part\./) whole[$1]; next }
	!/\.part\./ || !($1 in whole) { print >"points" }' traceable traceable
names | diff - points >difference || fail 'not what the kernel can trace' difference
if grep '\.part\.' traceable >part-names; then
	"$PROBEC" -l 'kernel.function("vfs_*.part.*")' >listed || fail '-l of parts' listed
	names | diff - part-names >difference ||
		fail 'not the parts that the kernel can trace' difference
fi
"$PROBEC" -L 'kernel.function("vfs_read")' >values || fail -L values
grep -qF '$file:struct file* $buf:char* $count:size_t $pos:loff_t*' values || fail -L values
if "$PROBEC" -l 'kernel.function("vfs_nosuch*")' >none 2>&1; then fail 'nothing matches, status 0' \
	none; fi
grep -q E_NO_MATCH none || fail 'nothing matches' none
