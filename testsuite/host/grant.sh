# SPDX-License-Identifier: GPL-2.0
#@ needs: target root python3
# proberun --grant and probec-grant, with a program in the place of the proberun that would load the
# module: the options that get there, and what comes back. live/grant runs real sessions.
# shellcheck shell=bash disable=SC2154
place=$(mktemp -d /tmp/probec.grant.XXXXXX)
trap 'kill "$listener" 2>/dev/null; rm -rf "$place"' EXIT
chmod 755 "$place"
cp "$TOP/probec-grant" "$place/"
cat >"$place/proberun" <<'X'
#!/bin/sh
trap 'echo interrupted; exit' INT
echo "$@"
sha256sum </proc/self/fd/3
echo a message >&2
case $* in *wait=2*) seq 30000 ;; esac
case $* in *wait=1*) ;; *) exit 3 ;; esac
while :; do sleep 0.05; done
X
chmod 755 "$place/proberun"
export PROBEC_GRANT_SOCKET=$place/socket
"$TOP/testsuite/grant-listener" "$place/socket" "$place/probec-grant" \
	--policy "$place/policy" 2>log &
listener=$!
wait_for 'the socket' test -S "$place/socket"
script_options=(-m own)
build own 'global n = 1, wait = 0 probe begin { println(n, wait) }'
mkdir "$place/granted"
cp own.ko "$place/granted/"
echo "allow group root directory $place/granted globals process seconds=90 memory=1M guru" \
	>"$place/policy"

asks() { # STATUS WORDS OPTION...: the words that proberun gets
	local status
	"$PROBERUN" --grant "${@:3}" >out 2>said
	status=$?
	[ "$status" = "$1" ] && [ "$(cat said)" = 'a message' ] ||
		fail "${*:3}: $status" said out log
	[ "$(head -n 1 out)" = "--granted=0:0,1048576,$2" ] || fail "${*:3}: its words" out
	[ "$(sed -n '2s/ .*//p' out)" = "$(sha256sum own.ko | cut -d' ' -f1)" ] ||
		fail "${*:3}: the module" out
}
asks 3 'guru,timed -T 90.000 --format text --escape never -- /proc/self/fd/3' own.ko
asks 3 "guru -T 0.250 --format json --escape always -t -w -x 1 -- /proc/self/fd/3 n=7 wait=0" \
	-T 0.25 -tw -x 1 --format json --escape always own.ko n=7 wait=0
for format in csv folded perfetto; do
	asks 3 "guru,timed -T 90.000 --format $format --escape never -- /proc/self/fd/3" \
		--format=$format own.ko
done
echo "allow user root sha256 $(sha256sum own.ko | cut -d' ' -f1) globals memory=1M" \
	>"$place/policy"
asks 3 'timed -T 60.000 --format text --escape never -- /proc/self/fd/3' ./own.ko
grep -q "user root, uid 0, .*: granted by line 1$" log || fail 'the log' log
grep -q 'ended with status 3 after ' log || fail 'the log' log

: >out
"$PROBERUN" --grant ./own.ko wait=1 >out 2>said &
client=$!
wait_for 'a session' grep -q ' -$' out
kill -INT $client
wait $client || fail 'the status after ^C' said
grep -qx interrupted out || fail 'no ^C' out

# Somebody else has made standard output non-blocking, and its reader comes when it is full.
cat >late <<'X'
import fcntl, os, select, sys, time
r, w = os.pipe()
fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 4096)
os.set_blocking(w, False)
pid = os.fork()
if not pid:
    os.dup2(w, 1)
    os.execv(sys.argv[1], sys.argv[1:])
ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
while select.select([], [w], [], 0)[1] and not os.waitid(os.P_PID, pid, ended):
    time.sleep(0.01)
time.sleep(0.3)
os.close(w)
sys.stdout.buffer.write(open(r, "rb").read())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
X
python3 late "$PROBERUN" --grant ./own.ko wait=2 >out 2>said
[ $? = 3 ] && [ "$(tail -n 1 out)" = 30000 ] && [ "$(wc -l <out)" = 30002 ] ||
	fail 'a late reader' said

# Requests that are never done with, because closing what came with them waits for a reader that
# never comes, keep nobody else waiting.
cat >hold <<'X'
import array, os, socket, struct, sys
held = []
for _ in range(8):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        lingering = socket.create_connection(listening.getsockname())
        held.append(listening.accept()[0])
    lingering.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("2i", 1, 10000))
    # On a busy machine, what was sent may still be on its way to a reader with room for it.
    lingering.settimeout(0.3)
    try:
        while lingering.send(bytes(4096)):
            pass
    except TimeoutError:
        pass
    asking = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asking.connect(os.environ["PROBEC_GRANT_SOCKET"])
    fds = array.array("i", [lingering.fileno()] * 2)
    asking.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
    lingering.close()
    held.append(asking)
print("held", flush=True)
sys.stdin.read()
X
mkfifo wake
python3 hold <wake >held &
exec 4>wake
wait_for 'requests that stay' grep -q held held
one_more() { "$PROBERUN" --grant ./own.ko >out 2>said; }
no_more() { one_more; grep -q '8 requests of the user are still in progress' said; }
wait_for 'a ninth request' no_more
setpriv --reuid=65534 --regid=65534 --clear-groups "$PROBERUN" --grant own.ko >out 2>said
grep -q 'applies to the user nobody' said || fail 'another user' said
exec 4>&-
again() { one_more; [ $? = 3 ]; }
wait_for 'requests that end' again

# A module is checked before anybody is asked; options that root alone has are refused.
refused E_BAD_MODULE 'no module' "$PROBERUN" --grant "$place/policy"
refused E_IO 'no file' "$PROBERUN" --grant ./none.ko
refused E_GRANT 'no such name' "$PROBERUN" --grant own.ko
refused E_GRANT 'an argument' "$PROBERUN" --grant -T 1e8 ./own.ko
for options in '-c true' -F '-s 4' -v '--metrics=9435' '--metrics-file=x' --stack-lines \
	--override-any --suppress-time-limits --suppress-handler-errors --no-fast-user \
	'--cgroup=/' --monitor '--percentiles=50' '--otlp=http://localhost:4318' '-o x'; do
	# shellcheck disable=SC2086
	refused E_OPTION "$options" "$PROBERUN" --grant $options ./own.ko
done
grep -q 'redirect the output' said || fail '-o: why' said
refused E_OPTION '--list' "$PROBERUN" --grant --list
refused E_OPTION '--granted' "$PROBERUN" --granted=1 ./own.ko

# A bundle asks for its module, with its script's options.
if make -s -C "$TOP" static-proberun >made 2>&1; then
	"$PROBEC" bundle -r "$TARGET" -e 'global n = 1 probe begin { println(n) }' -o own.run \
		>said 2>&1 || fail 'a bundle' said
	./own.run --grant >out 2>said
	if grep -q 'for this line in' said; then
		sed -n 's/.*for this line in .*: //p' said >"$place/policy"
		./own.run --grant >out 2>said
		[ $? = 3 ] && [ "$(cat said)" = 'a message' ] || fail 'a bundle' out said
	else
		grep -q E_WRONG_KERNEL said || fail 'a bundle' said
	fi
fi

# --check
"$place/probec-grant" --check "$place/policy" >out 2>&1 || fail '--check' out
echo "allow user alice signed $place/policy" >>"$place/policy"
"$place/probec-grant" --check "$place/policy" >out 2>&1 && fail '--check of no key' out
grep -q "policy:2:1: error: '$place/policy' is not an Ed25519 public key \[E_POLICY\]" out ||
	fail '--check of no key' out
"$place/probec-grant" </dev/null >out 2>&1 && fail 'no connection: status'
grep -q 'systemctl enable --now probec-grant.socket' out || fail 'no connection' out
"$place/probec-grant" --help | grep -q '^usage' || fail '--help'
