# SPDX-License-Identifier: GPL-2.0
#@ kernels: 5.10 6.1 6.12 debug-5.10
#@ slow
#@ seconds: 1500
# The hit storm: every function that can be armed is counted for five minutes ($STORM seconds) on
# two processors, under forks, files and sockets, beside a module that counts all calls itself
# (storm/tally.c). The machine stays usable.
#
# The two counts are compared exactly. For a function that both count, ftrace calls both handlers
# for each call or neither, on the same processor. So the counts differ only by the calls that
# probec counts as skipped, whose sum it reports: calls that its own handler makes of functions that
# read the clock. The two cannot begin at the same moment, so each function's hits lie between the
# tally of a span inside of the session (L) and that of a span around it (U). If nothing called a
# function at the edges, U = L: this holds for all functions that only the load calls, whose hits
# and tally are equal. Names of several functions are left out.
# shellcheck source=testsuite/module.sh
. "$TOP/testsuite/module.sh"
load=${STORM:-300}
mkdir tally
cp "$TOP"/testsuite/storm/* tally
module_make tally
gcc -Wall -O1 -static -o sockets tally/sockets.c 2>log || fail "sockets does not build" log
cat >storm.kp <<'KP'
global hits[60000]
probe kernel.function("*") { hits[ppfunc()] <<< 1 }
probe timer.s(1) { println("tick") }
probe end { foreach (f in hits) printf("%s %d\n", f, @count(hits[f])) }
KP
compile() { # NAME OPTION...: NAME.ko
	local name=$1
	shift
	"$PROBEC" -p4 -w -r "$TARGET" "$@" storm.kp >module 2>said ||
		fail "it does not compile" said
	cp "$(cat module)" "$name.ko"
}
compile storm -D MAXLOAD=0
compile limited -D MAXLOAD=5

cat >guest <<'SH'
cd "$1" || exit
tally=/sys/kernel/debug/tally
rm -f over
start_load() { # FILE for the output of sockets
	./sockets >"$1" & sockets=$!
	while [ ! -f over ]; do /bin/true; done & forks=$!
	while [ ! -f over ]; do cp sockets copy; cat copy >/dev/null; mv copy moved; rm moved; \
		done & files=$!
}
end_load() {
	touch over
	kill "$sockets"
	wait "$sockets" "$forks" "$files"
	rm over
}
wait_for_tick() {
	until grep -qs '^tick' out; do kill -0 "$run" || { cat err; exit 1; }; sleep 0.2; done
}
insmod tally/tally.ko || exit
cat $tally >u0
"$PROBERUN" -v -o out storm.ko 2>err & run=$!
wait_for_tick
grep -v '(1)' /sys/kernel/tracing/enabled_functions >armed
cat $tally >l0
start_load opened
end=$((SECONDS + $2))
while [ "$SECONDS" -lt "$end" ]; do
	sleep 5
	timeout 120 sh -c 'echo alive' >>alive || echo "no answer" >>alive
done
end_load
cat $tally >l1
kill -INT "$run"
wait "$run" || { echo "status $?"; cat err; exit 1; }
cat $tally >u1
rmmod tally

# With its limit the session ends by itself, in order.
"$PROBERUN" -v -T 120 -o out2 limited.ko 2>err2 & run=$!
start_load opened2
wait "$run"
echo $? >status2
end_load
lsmod | grep '^probec_' >left
cp /proc/kallsyms symbols
tar -cf - u0 u1 l0 l1 armed out err opened alive symbols err2 status2 left
SH
# The kernel arms all functions in one go, in which it has no pause; in an emulator, that may take
# longer than the 21 seconds after which it reports a stall.
"$TOP/lab/run" --timeout 1400 --append rcupdate.rcu_cpu_stall_timeout=100 "$KERNEL" -- \
	env PROBERUN="$PROBERUN" bash ./guest "$PWD" "$load" >results 2>said ||
	fail "status $?" said
tar -xf results || fail "no results" results
[ "$(grep -cx alive alive)" = "$(wc -l <alive)" ] && [ -s alive ] ||
	fail "the machine was not usable" alive

# All reasons together.
skipped=$(sed -n 's/.*warning: skipped hits: //p' err | grep -o '[0-9]*' | awk '{ sum += $1 } END { print sum + 0 }')
cat >compare.awk <<'AWK'
FILENAME == "symbols" { if (NF == 3 && $2 ~ /[tTwW]/) { n[$3]++; at[$3] = $1 } next }
n[$1] != 1 { next }
FILENAME == "armed" { both[at[$1]] = $1; next }
NF != 2 { next }
FILENAME == "out" { hits[at[$1]] += $2; next }
{ calls[FILENAME, at[$1]] += $2 }
END {
	for (a in both) {
		h = hits[a] + 0
		low = calls["l1", a] - calls["l0", a]
		high = calls["u1", a] - calls["u0", a]
		if (h > high)
			printf "%s: %d hits, but %d calls\n", both[a], h, high
		if (h < low)
			lacking += low - h
		if (h && low == high)
			equal++
		all++
		sum += h
	}
	if (lacking > skipped)
		printf "%d hits are missing, only %d were skipped\n", lacking, skipped
	if (all < least || equal < 300 || sum < 1000000)
		printf "too little was compared: "
	printf "%d functions, %d hits, %d functions exact\n", all, sum, equal
}
AWK
# The checked kernels have less code than those of distributions.
least=30000
[[ $KERNEL != debug* ]] || least=15000
awk -v skipped="${skipped:-0}" -v least=$least -f compare.awk \
	symbols armed out u0 u1 l0 l1 >compared
[ "$(wc -l <compared)" = 1 ] && ! grep -q 'too little' compared ||
	fail "probec and the tally differ:" compared
# Counts that are known in user space.
grep -qx "__sys_socket $(cat opened)" out ||
	fail "socket() was called $(cat opened) times, not $(grep '^__sys_socket ' out)"

[ "$(cat status2)" = 1 ] && grep -q 'E_OVERLOAD' err2 && [ ! -s left ] ||
	fail "the limit did not end it (status $(cat status2)):" err2
