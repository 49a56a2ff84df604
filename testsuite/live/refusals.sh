# SPDX-License-Identifier: GPL-2.0
# The loader refuses each of these with an id and a next step, and leaves nothing loaded.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
# Copies that all users may read, wherever the checkout is.
install -m 755 "$PROBERUN" /run/proberun
install -m 644 "$MODULE" /run/module.ko
refused E_NOT_ROOT 'not root' setpriv --reuid=65534 --regid=65534 --clear-groups /run/proberun \
	/run/module.ko
refused E_IO 'no file' "$PROBERUN" /tmp/no-such-module.ko
head -c 5000 /dev/urandom >/tmp/garbage.ko
refused E_BAD_MODULE 'garbage' "$PROBERUN" /tmp/garbage.ko
head -c 3000 "$MODULE" >/tmp/half.ko
refused E_BAD_MODULE 'half a module' "$PROBERUN" /tmp/half.ko
refused E_OPTION 'unknown option' "$PROBERUN" --no-such-option "$MODULE"
refused E_OPTION 'unknown global' "$PROBERUN" "$MODULE" mosts=3
refused E_OPTION 'not a number' "$PROBERUN" "$MODULE" most=many
refused E_TARGET 'no such process' "$PROBERUN" -x 999999 "$MODULE"
# A module for another kernel: the build-id in its self-description is not this kernel's.
id=$(od -An -tx1 -v /sys/kernel/notes | tr -d ' \n' | grep -o '040000001400000003000000474e5500.\{40\}' | head -n 1 | cut -c33-72)
command -p grep -aq "$id" "$MODULE" || fail "the module does not name its kernel's build-id"
sed "s/$id/0000000000000000000000000000000000000000/" "$MODULE" >/tmp/other.ko
refused E_WRONG_KERNEL 'another kernel' "$PROBERUN" /tmp/other.ko
"$PROBERUN" "$MODULE" most=5 | grep -qx 5 || fail 'a good one fails'
