# SPDX-License-Identifier: GPL-2.0
#@ seconds: 600
# Each: the kernels return from uretprobes differently
# Returns of functions in programs, by breakpoints at the instructions that return and by
# uretprobes, compared with what the programs count for themselves (testsuite/programs/returns.c,
# coroutines.c, wander.c, forks.c, stacks.go): values, entry values, threads, calls that are left,
# nested deeply, on several stacks, in several threads, on stacks that move, under seccomp, in
# forked processes; calls that are under way when the session is killed.
for program in returns coroutines wander forks; do
	build_program $program -g -lpthread
done
build_program same_code
go=
if command -v go >/dev/null; then
	cp "$TOP/testsuite/programs/stacks.go" . &&
		GOCACHE="$PWD/go" go build -o stacks stacks.go 2>log || fail 'stacks' log
	go=yes
fi
unset PROBEC_DEBUGINFO
# On the checked kernel, breakpoints take more than half of a processor.
script_options=(-D MAXLOAD=0)
at="process(\"$PWD/returns\").function"

build plain "
global calls, sum, kept, deep, missed, jumps
probe $at(\"choose\").return { calls++; sum += \$return }
probe $at(\"choose\").return { if (@entry(\$n) < 0 && \$return != -@entry(\$n)) kept++ }
probe $at(\"jump\").return { jumps[@entry(\$n), \$return]++ }
probe $at(\"deep\").return { if (\$return == @entry(\$n) * (@entry(\$n) + 1) / 2) deep++ }
probe end { println(calls, \" \", sum, \" \", kept, \" \", deep, \" \", misses())
	foreach ([n+, v] in jumps) println(n, \" \", v, \" \", jumps[n, v]) }"
build nested "
global n, entries
probe $at(\"deep_jump\").call { entries++ }
probe $at(\"deep_jump\").return { n++ }
probe end { println(n, \" \", misses(), \" \", entries) }"
build left "
global n, wrong
probe $at(\"leave\").return { n++; if (\$return != @entry(\$n) * (@entry(\$n) + 1) / 2 || elapsed_ns() < 0) wrong++ }
probe end { println(n, \" \", wrong + 0, \" \", misses()) }"
build bare "
global n, sum, plain, read
probe $at(\"bare\").return { n++; sum += @entry(\$arg1) }
probe $at(\"bare\").return { plain++ }
probe $at(\"bare\").return { read += @entry(user_long(&@var(\"rounds@returns.c\"))) > 0 }
probe end { println(n, \" \", sum, \" \", plain, \" \", read) }"
build coroutines "
global calls, sum, wrong
probe process(\"$PWD/coroutines\").function(\"step\").return {
	calls++; sum += \$return
	if (\$return != @entry(\$n) * 10 + @entry(\$who)) wrong++
}
probe end { println(calls, \" \", sum, \" \", wrong + 0, \" \", misses()) }"
wander="
global steps, sum, nests, of_nests, wrong, moved
probe process(\"$PWD/wander\").function(\"step\").return.maxactive(ROWS) {
	steps++; sum += \$return
	if (\$return != @entry(\$n) * 10 + @entry(\$who)) wrong++
	if (@entry(tid()) != tid()) moved++
}
probe process(\"$PWD/wander\").function(\"nest\").return.maxactive(ROWS) {
	nests++; of_nests += \$return
	if (elapsed_ns() <= 0) wrong++
}"
build wander "${wander//ROWS/1000}
probe end { println(steps, \" \", sum, \" \", nests, \" \", of_nests)
	println(moved, \" \", wrong + 0, \" \", misses()) }"
build crowded "${wander//ROWS/1}
probe end { println(steps + nests + misses())
	println(wrong + 0, \" \", misses() > 0, \" \", moved == steps, \" \", sum + of_nests > 0) }"
# A return probe without entry values sees the calls that a forked process has inherited; one with
# entry values counts them as missed, and each refused call once.
inherits="
global work, outer, jump, nest, wrong
probe process(\"$PWD/forks\").function(\"work\").return {
	work++; if (\$return != @entry(\$n) * 10) wrong++
}
probe process(\"$PWD/forks\").function(\"outer\").return { outer++; if (elapsed_ns() <= 0) wrong++ }
probe process(\"$PWD/forks\").function(\"jump\").return {
	jump++; if (\$return != @entry(\$n) * (@entry(\$n) & 1 ? 3 : 2)) wrong++
}
probe process(\"$PWD/forks\").function(\"nest\").return.maxactive(ROWS) {
	nest++; if (\$return != @entry(\$n)) wrong++
}"
build forks "${inherits//ROWS/1000}
probe end { println(work, \" \", outer, \" \", jump, \" \", nest)
	println(wrong + 0, \" \", misses()) }"
build crowded-forks "${inherits//ROWS/1}
probe end { println(wrong + 0, \" \", work + outer + jump + nest + misses(), \" \", nest) }"
build plain-forks "
global work, outer, jump
probe process(\"$PWD/forks\").function(\"work\").return { work++ }
probe process(\"$PWD/forks\").function(\"outer\").return { outer++ }
probe process(\"$PWD/forks\").function(\"jump\").return { jump++ }
probe end { println(work, \" \", outer, \" \", jump, \" \", misses()) }"
build picked-forks "
global n
probe process(\"$PWD/forks\").function(\"work\").return if (@entry(\$n) > 0) { n++ }
probe process(\"$PWD/forks\").function(\"jump\").return { if (@entry(\$n) < 3) next; n++ }
probe end { println(n, \" \", misses()) }"
build seccomp "
global calls, jumps
probe $at(\"choose\").return { calls++ }
probe $at(\"jump\").return { jumps++ }
probe end { println(calls, \" \", jumps) }"
build sleepers "
global n
probe $at(\"doze\").return { n[\"doze\"]++; if (\$return != @entry(\$n) + 1) println(\"wrong\") }
probe $at(\"doze_jump\").return { n[\"jump\"]++; if (@entry(\$n) < 0) println(\"wrong\") }
probe end { println(n[\"doze\"], \" \", n[\"jump\"]) }"
[ -z "$go" ] || build stacks "
global calls, sum, top, wrong
probe process(\"$PWD/stacks\").function(\"main.nested\").return {
	calls++
	if (@entry(register(\"rax\")) == 200) top++
	if (@entry(register(\"rax\")) == 100) sum += returnval()
	if (@entry(register(\"rax\")) == 0 && returnval() != 1) wrong++
}
probe process(\"$PWD/stacks\").function(\"main.nested\").call {
	if (\$n != register(\"rax\") || \$left != register(\"rbx\")) wrong++
}
probe end { println(calls, \" \", sum, \" \", top, \" \", wrong + 0, \" \", misses()) }"

# A uretprobe would end these programs.
no() { # WHAT TEXT SCRIPT
	if env -u PROBEC_DEBUGINFO "$PROBEC" -p2 -r "$TARGET" -e "$3" >got 2>said; then fail \
		"$1: status 0" got; fi
	grep -qF -- "$2" said || fail "$1:" said
}
no 'a uretprobe where stacks are switched' 'the program switches stacks (swapcontext)' \
	"probe process(\"$PWD/coroutines\").function(\"step_jump\").return { exit() }"
[ -z "$go" ] || no 'a uretprobe in Go' 'programs in Go move their stacks' \
	"probe process(\"$PWD/stacks\").function(\"runtime.gogo*\").return { exit() }"

cat >guest <<'SH'
cd "$1" || exit 1
set -u
check() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || { echo "$1: got"; echo "$2"; echo "wanted"; echo "$3"; exit 1; }
}
run() { # NAME COMMAND
	"$PROBERUN" -o counted -c "$2 >told" "$1.ko" 2>messages ||
		{ echo "$1: status $?"; cat messages counted; exit 1; }
}
run plain './returns plain 180'
read -r calls sum <told
check 'the program' "$calls" 1440
# choose() is called by jump() and by deep_jump(200), in 4 threads, as well.
check 'plain' "$(head -n 1 counted | cut -d' ' -f1,3-)" "$((1440 + 4 * 101)) 0 $((4 * 2 * 301)) 0"
check 'jumps' "$(sed -n '2,$p' counted)" "$(for n in -1 0 1 2 3 4 5 6 7; do
	set -- 11 13 9 17 -96 19 96 8 9
	shift $((n + 1))
	echo "$n $1 80"
done)"

# The kernel follows 64 calls of a thread; the others are missed and counted.
run nested './returns plain 1'
check 'nested calls' "$(cat counted)" '256 548 804'
grep -q 'E_SKIPPED' messages || { cat messages; exit 1; }

run left './returns left 3000'
# Calls that return: those that go down from N to 0.
check 'left' "$(cat counted)" "$(for ((i = 0, n = 0; i < 3000; i++)); do ((n += i % 50 + 1, n += i % 300 < i % 7 ? i % 300 + 1 : 0)); done
	echo "$n 0 0")"
run bare './returns bare 300'
check 'a function that returns at once' "$(cat counted)" "$(cat told) 300 300"
run coroutines './coroutines 500'
check 'coroutines' "$(cat counted)" "$(cat told) 0 0"
# Each call returns in another thread; where threads end, some of them in a new one.
for turns in 0 9; do
	run wander "./wander 300 $turns"
	check 'coroutines in threads' "$(cat counted)" "$(cat told; echo '2400 0 0')"
done
# There are fewer rows than calls under way: what is lost is reported.
run crowded './wander 40 7 40'
read -r steps _ nests _ <told
check 'lost calls' "$(cat counted)" "$((steps + nests))
0 1 1 1"
run forks './forks 20'
read -r work outer jump nest <told
read -r more_work more_outer more_jump < <(tail -n 1 told)
missed=$((more_work + more_outer + more_jump))
check 'the program that forks' "$work $outer $jump $missed" '60 60 20 60'
check 'inherited calls' "$(cat counted)" "$(head -n 1 told)
0 $missed"
grep -q '20 ended calls in a forked process that its parent had entered' messages ||
	{ cat messages; exit 1; }
run crowded-forks './forks 20'
read -r wrong all seen <counted
check 'refused calls' "$wrong $all" "0 $((work + outer + jump + nest + missed))"
[ "$seen" -lt "$nest" ] || { echo "nothing was refused: $seen of $nest"; exit 1; }
run plain-forks './forks 20'
check 'without entry values' "$(cat counted)" \
	"$((work + more_work)) $((outer + more_outer)) $((jump + more_jump)) 0"
run picked-forks './forks 20'
check 'chosen calls' "$(cat counted)" "$((20 + 18)) 0"
# The checked kernel has no filters.
if [ -e /proc/sys/kernel/seccomp ]; then
	run seccomp './returns seccomp 90'
	check 'under seccomp' "$(cat counted)" '180 90'
fi
if [ -e stacks ]; then
	run stacks './stacks 30'
	check 'Go' "$(cat counted)" "$(cat told) 240 0 0"
fi

# Breakpoints are gone behind each end, also while calls are under way, and the program is as it
# was.
rounds=$2
set -- 0.1 0.3 0.7 1.5
while [ $# -gt 0 ]; do
	wait=$1
	./returns sleep "$rounds" >after &
	runs=$!
	"$PROBERUN" -o said sleepers.ko &
	session=$!
	for i in $(seq 200); do grep -q '^probec' /proc/modules && break; sleep 0.05; done
	sleep $wait
	{ kill -9 $session; wait $session; } 2>/dev/null
	for i in $(seq 200); do grep -q '^probec' /proc/modules || break; sleep 0.05; done
	grep -q '^probec' /proc/modules && { echo "still loaded after $wait"; exit 1; }
	if [ ! -e "/proc/$runs/exe" ]; then
		# The session took longer than the program.
		: $((rounds *= 2))
		continue
	fi
	shift
	code=$(./same_code "$runs" && echo same)
	check "code after $wait" "$code" same
	wait $runs || { echo "the program ended with $?"; exit 1; }
	check "the program after $wait" "$(cut -d' ' -f1 after)" $((8 * rounds))
done
SH
# The program must outlive a session, which takes longer to begin and to end on the checked kernel,
# and several times as long on a busy machine.
rounds=300
[ "$KERNEL" != debug ] || rounds=800
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" "$rounds" >said \
	2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
