# SPDX-License-Identifier: GPL-2.0
# Each: NMIs and the kernel's messages differ between kernels
# NMIs that print, on processors that print and that are in handlers: no hit is lost without a word,
# output is whole, and nothing waits for itself. The kernel's own messages are the judge.
. "$TOP/testsuite/expect.sh"
[ -w /proc/sysrq-trigger ] || { echo 'no sysrq'; exit 77; }
cd "$(mktemp -d -p /run)" || exit 1
remember
# A console that shows these messages would look like one that reports a fault of the kernel.
levels=$(cat /proc/sys/kernel/printk)
trap 'echo "$levels" >/proc/sys/kernel/printk' EXIT
dmesg --console-level 1
cat >storm <<'SH'
: >lines
dmesg --clear
{ while :; do :; done; } &
busy=$!
{ while :; do echo "a message, to be seen by nobody" >/dev/kmsg; done; } &
printer=$!
for _ in {1..12}; do
	echo l >/proc/sysrq-trigger
	dmesg --read-clear | grep 'NMI backtrace for cpu' >>lines
done
kill $busy $printer
SH
"$PROBERUN" -t -c 'exec bash storm' "$MODULE" >out 2>said || fail "status $?" said
# The line of a probe in the table of -t, whose fourth column is the number of skipped hits.
row() {
	awk -v probe="kernel.function(\"$1\")" '$NF == probe && $4 ~ /^[0-9]+$/ {
		print $1, $4
		exit
	}' said
}
read -r hits skipped < <(row vprintk_store)
read -r nmis locked stacks < <(sed -n 's/^nmis //p' out)
missing=$(($(wc -l <lines) - nmis))
[ $missing -ge 0 ] && [ $missing -le "$skipped" ] && [ "$hits" -gt "$nmis" ] && [ "$stacks" = 1 ] ||
	fail "$(wc -l <lines) NMIs of processors, $nmis hits, $skipped skipped" said
grep -v skipped lines | grep -q . && [ "$nmis" -gt 12 ] || fail 'few NMIs' lines
[ "$locked" = "$nmis" ] || grep -q 'E_' said || fail "$locked of $nmis in a locked global" said
[ "$(grep -c '^nmi [0-9] .* *|$' out)" = "$nmis" ] || grep -q 'lost\|dropped' said ||
	fail 'lines of handlers in NMIs' out said
ended_clean 'NMIs that print'
