# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# SIGKILL of the loader, of its guardian process, or of both, while places in a program are armed
# and removed: at system calls from load to unload, as live/kill-at does for the kernel's, and at
# moments within the arming of many functions and within their removal. The program and its library
# are as in their files afterwards, nothing is left, and the program has made no mistake
# (testsuite/programs/steady.c). user-killed-everywhere.sh does the same at every system call, and
# at more moments.
build_program steady -g
build_program same_code
libc=$(ldd steady | awk '$1 == "libc.so.6" { print $3 }')
script_options=(-D MAXLOAD=0)
build short "
global hits, sum
probe begin { println(\"begin\") }
probe process(\"$PWD/steady\").function(\"plain\").call { hits++ }
probe process(\"$PWD/steady\").function(\"plain\").return { sum += returnval() }
probe process(\"$PWD/steady\").function(\"tail\").return { sum += returnval() + @entry(register(\"rdi\")) }
probe process(\"$PWD/steady\").function(\"nested\").return { hits += @entry(register(\"rdi\")) }
probe process(\"$PWD/steady\").mark(\"round\") { hits++ }
probe process(\"$libc\").function(\"clock_nanosleep\").call { hits++ }
probe timer.ms(30) { exit() }
probe end { println(\"end\") }"
build many "
global hits
probe begin { println(\"armed\") }
probe process(\"$libc\").function(\"*str*\").call, process(\"$PWD/steady\").function(\"*\").call { hits <<< 1 }
probe process(\"$libc\").function(\"str*\").return { hits <<< 1 }
probe process(\"$PWD/steady\").mark(\"round\") { hits <<< 1 }"

cat >guest <<'SH'
work=$1
cd "$TOP/testsuite/live" || exit 1
. "$TOP/testsuite/expect.sh"
. ./kill-sweep
eval "nothing_left_of_session() $(declare -f nothing_left | sed 1d)"
nothing_left() { # WHAT
	nothing_left_of_session "$1"
	"$work/same_code" "$program" >/tmp/differs 2>&1 ||
		fail "$1: the program's code" /tmp/differs
}
"$work/steady" >/tmp/counted &
program=$!
MODULE=$work/short.ko
read -ra how <<<"$2"
sweep "${how[@]}"

# Within the arming, which takes the longest, and within the removal.
loaded() { grep -q '^probec_' /proc/modules; }
armed() { grep -q ': armed ' /tmp/said; }
start() {
	"$PROBERUN" -v "$work/many.ko" >/tmp/said 2>&1 &
	session=$!
	disown $session
	wait_for 'a module' loaded
}
for i in $3; do
	start
	sleep 0.$i
	kill -9 $session
	nothing_left "killed while it arms, $i"
done
for i in $4; do
	start
	wait_for 'the end of arming' armed
	kill -INT $session
	sleep 0.0$i
	kill -9 $session 2>/dev/null
	nothing_left "killed while it removes, $i"
done
kill $program
wait $program
[ "$(cat /tmp/counted)" = 'rounds 0 0' ] || fail 'the program counted' /tmp/counted
SH
"$TOP/lab/run" --smp 2 --timeout ${SWEEP_SECONDS:-850} "$KERNEL" -- env TOP="$TOP" \
	PROBERUN="$PROBERUN" \
	bash ./guest "$PWD" "${SWEEP:-61}" "${ARMING:-0 2 6}" "${REMOVAL:-0 4}" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
