# SPDX-License-Identifier: GPL-2.0
#@ slow
# Probes in programs beside other users of the same places and processes: the kernel's own uprobe
# events, strace, gdb; and in a storm of processes that load a library (testsuite/programs/storm.c).
# Nobody loses a hit or a signal, whoever begins and ends first.
for tool in strace gdb; do
	command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
build_program storm -g -lpthread
gcc -std=gnu11 -O2 -g -fPIC -shared -DLIBRARY -o storm.so storm.c 2>log || fail 'the library' log
build_program target -g -no-pie
script_options=(-D MAXLOAD=0)
build storm "
global own, loaded, back
probe process(\"$PWD/storm\").function(\"own\").call { own++ }
probe process(\"$PWD/storm.so\").function(\"loaded\").call { loaded++ }
probe process(\"$PWD/storm.so\").function(\"loaded\").return { back++ }
probe end { println(own, \" \", loaded, \" \", back) }"
build work "
global n, back
probe process(\"$PWD/target\").function(\"work\").call { n++ }
probe process(\"$PWD/target\").function(\"work\").return { back++ }
probe end { println(n, \" \", back) }"
place=$(printf '0x%x' "$(file_offset target work)")
# The first instructions of work().
mapfile -t first < <(objdump -d --disassemble=work target |
	awk '$1 ~ /^[0-9a-f]+:$/ { sub(":", "", $1); print "0x" $1 }')

cat >guest <<'SH'
cd "$1" || exit 1
place=$2
first=("${@:3}")
. "$TOP/testsuite/check.sh"
run() { # NAME COMMAND
	"$PROBERUN" -o said -c "$2" "$1.ko" 2>messages ||
		{ echo "$1: status $?"; cat messages said; exit 1; }
}
run storm "./storm 80 20 $1/storm.so >told || echo failed >>told"
check 'a storm' "$(cat said)" "$(cat told) $(cat told) $(cat told)"

# Sessions that begin and end meanwhile lose none of its signals.
./storm 400 10 "$1/storm.so" >told &
storm=$!
for i in 1 2 3; do "$PROBERUN" -T 1 -o said storm.ko >/dev/null 2>&1; done
wait $storm || { echo "the storm ended with $?"; exit 1; }

tracing=/sys/kernel/tracing
profile() { awk '$2 == "beside" { print $3 }' $tracing/uprobe_profile; }
echo "p:beside $1/target:$place" >$tracing/uprobe_events || { echo 'no uprobe events'; exit 1; }
echo 1 >$tracing/events/uprobes/beside/enable
run work './target 300 >/dev/null'
check 'beside an event that was there before' "$(cat said) $(profile)" '300 300 300'
./target 100 >/dev/null
check 'the event after a session' "$(profile)" 400
echo 0 >$tracing/events/uprobes/beside/enable
run work "./target 50 >/dev/null; echo 1 >$tracing/events/uprobes/beside/enable; ./target 50 >/dev/null
	echo 0 >$tracing/events/uprobes/beside/enable; ./target 50 >/dev/null"
check 'an event that comes and goes' "$(cat said) $(profile)" '150 150 450'
echo >$tracing/uprobe_events

run work 'strace -f -o traced ./target 200 >told && strace -o traced ./target 100 1 >>told'
check 'under strace' "$(cat said) $(awk "{ n += \$1 } END { print n }" told)" '300 300 300'
grep -q 'exited with 0' traced || { tail traced; exit 1; }
! grep -q 'SIGTRAP\|SIGILL\|SIGSEGV' traced || { grep SIG traced; exit 1; }

# A breakpoint of gdb's elsewhere, and steps through the probed function.
cat >commands <<'END'
set pagination off
set debuginfod enabled off
break factorial if n == 5
run 20 >told
next
finish
stepi
stepi
delete
continue
END
run work 'gdb -batch -x commands ./target >debugged 2>&1'
check 'under gdb' "$(cat said) $(cut -d" " -f1 told)" '20 20 20'
grep -q 'exited normally' debugged || { cat debugged; exit 1; }

# Breakpoints of gdb's behind the probe's, by the processor too. One at the same instruction does
# not stop gdb, and costs neither the probe nor the program anything.
cat >commands <<END
set pagination off
set debuginfod enabled off
break *${first[0]}
break *${first[1]}
ignore 2 1000
tbreak main
run 20 >told
hbreak *${first[2]}
ignore 4 1000
continue
info breakpoints
END
run work 'gdb -batch -x commands ./target >debugged 2>&1'
check 'beside breakpoints of gdb' "$(cat said) $(cut -d" " -f1 told)" '20 20 20'
check 'the breakpoints of gdb' \
	"$(sed -n 's/.*already hit \([0-9]*\) times*/\1/p' debugged | xargs)" '20 20'
grep -q 'exited normally' debugged || { cat debugged; exit 1; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$place" "${first[@]:0:3}" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
