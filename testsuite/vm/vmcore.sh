# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# A dump of a machine whose kernel has crashed has what a flight recorder had kept: the calls of two
# threads of a program, each once and in its order, and the stack of another one; in each
# format, with several sessions and on a ring that was overwritten. The program's own print is the
# judge.
compile() { # NAME SCRIPT
	"$PROBEC" -p4 -r "$TARGET" -e "$2" >out 2>said && cp "$(cat out)" "$1.ko" ||
		fail "$1 does not compile" said
}
compile calls '
probe syscall.lseek { if (execname() == "flight") printf("%d %d\n", tid(), offset) }
probe syscall.setpriority { if (execname() == "flight") print_backtrace() }
probe end { println("never") }'
compile other 'probe syscall.getpriority { if (execname() == "flight") println("once") }'
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || fail 'flight does not build'
cat >guest <<'SH'
cd "$1" || exit 1
work=$(mktemp -d)
for module in calls other; do
	"$PROBERUN" --flight=1 -v $module.ko >$work/out 2>$work/$module &
	until grep -q 'ms: armed' $work/$module; do sleep 0.1; done
done
{ ./flight 2 5000 error; echo crash; } >/run/lab/file
echo c >/proc/sysrq-trigger
SH
cat >monitor.py <<'PY'
# monitor.py SOCKET COMMAND...: prints the answers of QEMU's monitor.
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
def answer():
    text = b""
    while not text.endswith(b"(qemu) "):
        part = s.recv(65536)
        if not part:
            break
        text += part
    return text
answer()
for command in sys.argv[2:]:
    s.sendall(command.encode() + b"\n")
    print(answer().decode(errors="replace"))
PY
"$TOP/lab/run" --timeout 300 --memory 512M --append panic=0 --log log --file told \
	--monitor "$PWD/monitor" "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" \
	>said 2>&1 &
machine=$!
trap 'kill $machine 2>/dev/null' EXIT
panicked() { grep -qs 'end Kernel panic' log || ! kill -0 $machine 2>/dev/null; }
wait_for 'the crash' panicked
python3 monitor.py monitor "dump-guest-memory $PWD/dump" quit >out 2>&1 || fail 'the monitor' out
wait $machine
[ -s dump ] || fail 'there is no dump' said log out
# Lines "TID FIRST LAST": between these numbers lies the thread's last call.
[ "$(grep -c '^[0-9]* [0-9]* [0-9]*$' told)" = 2 ] || fail 'the program' told said log

! "$PROBEC" vmcore dump >out 2>&1 || fail 'two sessions are shown' out
grep -q '.dump. contains several sessions: probec_[0-9_]*, probec_[0-9_]* \[E_VMCORE\]' out ||
	fail 'two sessions' out
sessions=$(grep -o 'probec_[0-9]*_[0-9]*' out)
for session in $sessions; do
	"$PROBEC" vmcore dump $session >$session 2>said || fail "session $session" said
	! grep -q never $session || fail 'what the end would print' $session
	! grep -qx once $session || other=$session
	! grep -q '^[0-9]* 5000$' $session || calls=$session
done
[ "$other" ] && [ "$calls" ] || fail 'the sessions' $sessions
[ "$(sed 1d $other)" = once ] || fail 'the other session' $other
hits=$(grep -c '^[0-9]' $calls)
grep -q "^--- snapshot 1 on lab: the kernel's dump: the last [0-9.]* s, .*, $((hits + 1)) hits" \
	$calls || fail 'the head' $calls
# The second thread went on until the program stopped it.
while read -r tid low high; do
	sed -n "s/^$tid //p" $calls >numbers
	seq "$(head -n 1 numbers)" "$(tail -n 1 numbers)" | cmp -s - numbers ||
		fail "thread $tid: a gap" numbers
	[ "$(tail -n 1 numbers)" -ge "$low" ] || fail "thread $tid ends before $low" numbers
done < <(grep "^[0-9]" told)
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
if [ -n "$debug" ]; then
	"$PROBEC" vmcore --debuginfo="$debug" dump $calls >names 2>said || fail 'names' said
	grep -q '^ 0xf[0-9a-f]* : __x64_sys_setpriority+0x[0-9a-f]*/0x[0-9a-f]*' names &&
		grep -q ' : do_syscall_64+0x' names || fail 'names of functions' names
fi
"$PROBEC" vmcore --format=json dump $calls >json 2>said || fail 'JSON' said
[ "$(grep -c '"type":"print"' json)" = $((hits + 1)) ] || fail 'the objects' json
"$PROBEC" vmcore --format=csv -o table dump $calls 2>said || fail 'CSV' said
[ "$(grep -c '^[0-9][0-9]*,[0-9]*$' table)" = "$hits" ] || fail 'the rows' table

# The part that is cut off may hold anything.
size=$(stat -c %s dump)
for share in 10 50 90; do
	head -c $((size / 100 * share)) dump >part
	"$PROBEC" vmcore part $calls >out 2>said && [ ! -s said ] || grep -q E_VMCORE said ||
		fail "$share % of the dump" said
done
