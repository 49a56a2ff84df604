# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: go
# Stacks of programs in Go, whose runtime changes to the stack of the thread: from the collector and
# from functions in C to the function of the program that led there, and from samples.
cp "$TOP/testsuite/programs/busy.go" "$TOP/testsuite/programs/calls.go" .
for name in busy calls; do
	GOCACHE="$PWD/go" GOFLAGS=-mod=mod go build -o $name $name.go 2>log || fail $name.go log
done
unset PROBEC_DEBUGINFO
at="process(\"$PWD/calls\").function"
build work "global n
probe $at(\"work\") { n[ubacktrace()]++ }
probe timer.s(3) { exit() }
probe end { foreach (s in n- limit 1) { println(n[s] > 1); print_ustack(s) } }"
build flush "global n
probe process(\"$PWD/busy\").function(\"runtime.wbBufFlush1\") {
	if (tid() == target()) n[ubacktrace()]++
}
probe timer.s(4) { exit() }
probe end { foreach (s in n) print_ustack(s) }"
build sample "global n
probe timer.profile.freq.hz(197) { if (tid() == target() && user_mode()) n[ubacktrace()]++ }
probe timer.s(8) { exit() }
probe end { foreach (s in n) { println(\"stack \", n[s]); print_ustack(s) } }"
cat >guest <<END
cd '$PWD'
'$PROBERUN' work.ko -c ./calls | sed 's/^/work /'
'$PROBERUN' flush.ko -c ./busy | sed 's/^/flush /'
'$PROBERUN' sample.ko -c ./busy | sed 's/^/sample /'
END
"$TOP/lab/run" "$KERNEL" -- bash ./guest >all 2>log || fail "status $?" log all

# The names of a line's frame, without what follows them.
names() { # FIRST-WORD
	sed -nE "s/^$1 +//; T; s/^0x[0-9a-f]+ : //; s/[+[].*//; s/ *$//; p" all
}
names work >frames
[ "$(tail -n +2 frames | sed -E 's/_cgo_[0-9a-f]+_/_cgo_/; s/[.]abi0$//' | paste -sd' ')" = "work\
 _cgo_Cfunc_work runtime.asmcgocall runtime.cgocall main._Cfunc_work main.caller main.main\
 runtime.main runtime.goexit" ] || fail 'from C to Go' frames log all
names flush | sed 's/[.]abi0$//' >frames
awk '$1 == "runtime.wbBufFlush1" { if (n++ && last != "runtime.goexit") bad = 1; through = 0 }
	$1 == "runtime.systemstack" { through = 1 }
	$1 == "main.main" && through { good++ }
	{ last = $1 }
	END { exit bad || !good || last != "runtime.goexit" }' frames ||
	fail 'from the collector to the program' frames log
# The last frames of the program's first thread: of the goroutine, or of the scheduler.
names sample | sed 's/[.]abi0$//' >frames
awk '$1 == "stack" { if (n++ && !ok) print "ends in " last; stacks += $2; next }
	{ last = $1; ok = $1 ~ /^runtime[.](goexit|mcall|morestack|mstart|rt0_go)$/ }
	END { if (!ok) print "ends in " last; print stacks + 0, "samples" }' frames >ends
awk '/^ends/ { bad++ } / samples$/ { all = $1 } END { exit all < 50 || bad * 100 > all }' ends ||
	fail 'stacks end early' ends frames
exit 0
