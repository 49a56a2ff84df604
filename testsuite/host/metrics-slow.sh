# SPDX-License-Identifier: GPL-2.0
#@ needs: root setpriv python3
# Another user holds connections to the server of metrics that send a request a byte at a time: 33,
# then 10,000, and some that ask and never read an answer. Each of root's requests meanwhile is
# answered as a whole. The sessions are those of testsuite/fleet.
make -s -C "$TOP" build/loader.a >out 2>&1 || fail 'build/loader.a' out
gcc -I"$TOP" -I"$TOP/loader" -I"$TOP/runtime/abi" "$TOP"/testsuite/fleet/fleet.c \
	"$TOP"/build/loader.a -llzma -liberty -lz -lpthread -o fleet >out 2>&1 ||
	fail 'fleet does not build' out
cat >slow.py <<'PYTHON'
# slow.py PORT NUMBER KIND: as another user, opens that many connections, says "some" when there are
# 33 and "all" when there were all, and goes on until it is killed.
import os, resource, socket, sys, time
resource.setrlimit(resource.RLIMIT_NOFILE, (12000, 12000))
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
head = b"GET /metrics HTTP/1.1\r\nHost: x\r\n"
request = head + b"X: " if sys.argv[3] == "slow" else (head + b"\r\n") * 20
sockets = []
for i in range(int(sys.argv[2])):
    s = socket.socket()
    s.settimeout(5)
    try:
        s.connect(("127.0.0.1", int(sys.argv[1])))
        s.send(request)
        sockets.append(s)
    except OSError:
        s.close()
    if i == 32:
        print("some", flush=True)
print("all", flush=True)
while True:
    for s in sockets:
        try:
            s.send(b"a")
        except OSError:
            pass
    time.sleep(0.1)
PYTHON
cat >scrape.py <<'PYTHON'
# scrape.py PORT: five answers, each with its last line.
import sys, urllib.request
for _ in range(5):
    text = urllib.request.urlopen("http://127.0.0.1:%s/metrics" % sys.argv[1], timeout=60).read()
    assert text.count(b"# TYPE fleet_hits_total counter") == 1 and text.endswith(b"\n"), text
PYTHON
port=19441 slow=
./fleet serve 300 $port >served 2>&1 &
server=$!
trap 'kill -KILL $server $slow 2>/dev/null' EXIT
wait_for 'the server' python3 scrape.py $port
for kind in '33 slow' '10000 slow' '200 deaf'; do
	: >opened
	# shellcheck disable=SC2086
	python3 slow.py $port $kind >opened 2>&1 &
	slow=$!
	wait_for "$kind: connections" grep -q some opened
	python3 scrape.py $port 2>said || fail "$kind: at first" said
	wait_for "$kind: all of them" grep -q all opened
	python3 scrape.py $port 2>said || fail "$kind: at last" said
	kill -0 $slow || fail "$kind: it has ended" opened
	kill -KILL $slow
	wait $slow 2>/dev/null
	slow=
done
