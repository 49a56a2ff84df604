# What --describe says of this kernel is what the kernel says of itself.
set -u
"$PROBERUN" --describe >/tmp/t || exit 1
head -n 1 /tmp/t | grep -qx 'probec-target 1' || exit 1
grep -aqx "release $(uname -r)" /tmp/t || { echo "no release"; exit 1; }
grep -aq "^section btf $(stat -c %s /sys/kernel/btf/vmlinux)$" /tmp/t || { echo "no BTF"; exit 1; }
grep -aqE '^[tT] vfs_read$' /tmp/t || { echo "no symbols"; exit 1; }
[ "$(tail -n 1 /tmp/t)" = end ] || { echo "no end"; exit 1; }
