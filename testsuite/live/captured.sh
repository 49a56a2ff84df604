# SPDX-License-Identifier: GPL-2.0
# The content of --describe agrees with the kernel's own files.
set -u
"$PROBERUN" --describe >/tmp/t || exit 1
head -n 1 /tmp/t | grep -qx 'probec-target 2' || exit 1
command -p grep -aqx "release $(uname -r)" /tmp/t || { echo "no release"; exit 1; }
command -p grep -aq "^section btf $(stat -c %s /sys/kernel/btf/vmlinux)$" /tmp/t ||
	{ echo "no BTF"; exit 1; }
section() { # NAME
	sed -n "/^section $1 /,/^$/p" /tmp/t | sed '1d;$d'
}
section symbols | grep -qx vfs_read || { echo "no symbols"; exit 1; }
for name in symbols data blacklist ftrace; do
	section "$name" | LC_ALL=C sort -c || { echo "$name: not in order"; exit 1; }
done
# The kernel calls variables text where their section is executable; its bounds of data tell.
read -r symbols data < <(awk 'NF == 3 && $3 == "_sdata" { inside = 1 }
	NF == 3 { if ($2 ~ /[tTwW]/ && !inside) symbols++; else data++ }
	NF == 3 && $3 == "_edata" { inside = 0 }
	END { print symbols, data }' /proc/kallsyms)
[ "$(section symbols | wc -l)" = "$symbols" ] || { echo "not all symbols"; exit 1; }
section data | grep -qx max_pfn || { echo "no data"; exit 1; }
[ "$(section data | wc -l)" = "$data" ] || { echo "not all data"; exit 1; }
[ "$(tail -n 1 /tmp/t)" = end ] || { echo "no end"; exit 1; }
