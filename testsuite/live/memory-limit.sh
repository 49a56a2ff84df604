# SPDX-License-Identifier: GPL-2.0
# proberun has half of the machine's memory for its data at most, whatever files of others make it
# read; the programs that it starts have the limit that it was started with.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
# shellcheck disable=SC2016 # for the shell of -c
its='sed -n "s/^Max data size *\([a-z0-9]*\).*/its \1/p" /proc/$PPID/limits
echo "command $(ulimit -d)"'
kib=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
"$PROBERUN" "$MODULE" -c "$its; sleep 1" >o 2>e || fail "status $?" o e
for line in "its $((kib * 1024 / 2))" "command $(ulimit -d)" "system $(ulimit -d)"; do
	grep -qx "$line" o || fail "no '$line'" o e
done
# One that is lower already is kept.
(ulimit -d 100000 && "$PROBERUN" "$MODULE" -c "$its; sleep 1") >o 2>e || fail "status $?" o e
for line in 'its 102400000' 'command 100000' 'system 100000'; do
	grep -qx "$line" o || fail "a lower one: no '$line'" o e
done
