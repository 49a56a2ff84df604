# SPDX-License-Identifier: GPL-2.0
# The command line of packaging/kubernetes/daemonset.yaml as the first process of a PID namespace:
# metrics are served, and SIGTERM ends the session in an orderly way, with status 0 and the output
# of its end probe; nothing stays.
#@ needs: openssl unshare curl
#@ slow
#@ seconds: 600
cat >reads.kp <<'X'
global writes
probe begin { println("begun") }
probe kernel.function("vfs_write") { if (execname() == "dd") writes[execname()]++ }
probe end { println("last words") }
X
needs_static_proberun
"$PROBEC" bundle -w -r "$TARGET" --metrics=9435 reads.kp -o reads.run >said 2>&1 ||
	fail 'the bundle' said
openssl genpkey -algorithm ed25519 -out ops.key 2>said || fail 'the key' said
openssl pkey -in ops.key -pubout -out ops.pem
openssl pkeyutl -sign -rawin -inkey ops.key -in reads.run -out reads.run.sig
cat >guest <<'X'
. "$TOP/testsuite/expect.sh"
ip link set lo up || exit 1
nothing_stays() { ! pgrep -x proberun-guard && ! grep -q '^probec_' /proc/modules; }
served() { curl -s http://127.0.0.1:9435/metrics >metrics && grep -q 'dd.* 300$' metrics; }
command=(--trust "$PWD/ops.pem" "$PWD/reads.run" --metrics=127.0.0.1:9435)

unshare -pf "$PROBERUN" "${command[@]}" >out 2>messages &
unshare=$!
wait_for 'the session' grep -q begun out
first=$(pgrep -P $unshare)
grep -q '^NSpid:.*	1$' /proc/"$first"/status || fail 'it is not the first process'
dd if=/dev/zero of=/dev/null bs=2 count=300 status=none
wait_for 'metrics' served
kill -TERM "$first"
wait $unshare || fail "the first process: status $?" out messages
grep -qx 'last words' out || fail 'the end probe' out messages
[ ! -s messages ] || fail 'messages' messages
wait_for 'the end' nothing_stays
echo whole
X
"$TOP/lab/run" "$KERNEL" -- env TOP="$TOP" PROBERUN="$PROBERUN" \
	bash -c "mkdir /run/t && cp '$PWD'/{guest,ops.pem,reads.run*} /run/t &&
		cd /run/t && bash guest" >out 2>&1 || fail "status $?" out
grep -qx whole out || fail 'it did not end' out
exit 0
