# SPDX-License-Identifier: GPL-2.0
# Each: the events of threads differ between kernels.
# Watchpoints on variables of programs: as many hits as the program says that it has written and
# read, in threads that were there before or came later and in processes that it forks and
# executes, and none where it writes by another mapping. Each session watches one variable: QEMU
# takes a second one that was hit before for one that is hit again.
cp "$TOP/testsuite/programs/watched.c" .
unset PROBEC_DEBUGINFO
gcc -std=gnu11 -O2 -g -o pie watched.c -pie -fPIE -lpthread 2>log &&
	gcc -std=gnu11 -O2 -g -o static watched.c -static 2>log || fail 'no program' log
count() { # NAME POINT [OPTION]...
	build "$1" "global hits = 0 probe $2 { hits++ } probe end { println(hits) }" "${@:3}"
}
count write "process(\"$PWD/pie\").data(\"counter\").write"
count access "process(\"$PWD/static\").data(\"counter\").rw"
count address "process.data(0x$(nm static | awk '$3 == "counter" { print $1 }')).length(8).write" \
	-c "$PWD/static"
build target 'global hits, seen
probe process.data("inside@watched.c").write { hits++; seen[@var("inside@watched.c")]++ }
probe end { println(hits); foreach (value in seen limit 1) println(value, " ", seen[value]) }' \
	-c "$PWD/pie"
build others 'probe kernel.data("panic_timeout").write, kernel.data("print_fatal_signals").write,
	kernel.data("panic_on_oops").length(4).rw, kernel.data("panic_on_oops").length(4).write { }'
cat >guest <<'SH'
cd "$1" || exit 1
run() { # NAME MODULE COMMAND: what the script and the program say
	"$PROBERUN" -o seen "$2.ko" -c "$3" >told || exit
	awk -v seen="$(cat seen)" -v name="$1" '/counter/ { w += $3; r += $4; i += $6 }
		END { print "@", name, w, w + r, i, seen }' told
}
run all write './pie threads read kernel beside fork start storm exec threads'
run access access './static threads read kernel exec threads'
run target target './pie threads start'
run address address './static threads exec threads'
mkfifo in
./pie later threads >before <in &
exec 3>in
until grep -q ready before; do sleep 0.1; done
run before write 'echo >in; until grep -q counter before; do sleep 0.1; done; cat before'
"$PROBERUN" others.ko -c 'echo armed >armed; sleep 1000' & other=$!
until [ -e armed ]; do sleep 0.1; done
run none write './pie kernel' 2>said
{ kill $other; wait $other; } 2>/dev/null
cat said
# Sessions that end while the program creates threads and processes.
for _ in 1 2 3; do
	(until [ -e enough ]; do ./pie storm start >/dev/null; done) &
done
for _ in 1 2 3; do "$PROBERUN" -o seen write.ko -c 'sleep 0.5' 2>said || exit; done
touch enough
wait
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >all 2>said ||
	fail "status $?" said all
judge() { # NAME COLUMN LEAST: the column of the program's numbers that the script's equals
	awk -v name="$1" -v column="$2" -v least="$3" '
		$1 == "@" && $2 == name { ok = $column >= least && $column == $6 }
		END { exit !ok }' all || fail "$1: the script's number is another one" all said
}
judge all 3 37000
judge access 4 22501
judge target 5 90000
judge address 3 20000
judge before 3 20000
grep -q '^@ none 1 1 0 0$' all || fail 'seen without a watchpoint' all
grep -q 'all of 1 threads or processes could not be watched \[E_SKIPPED\]' all ||
	fail 'not reported' all said
