# SPDX-License-Identifier: GPL-2.0
# The command line of packaging/kubernetes/daemonset.yaml as the first process of a PID namespace:
# metrics are served, and SIGTERM ends the session in an orderly way, with status 0 and the output
# of its end probe; nothing stays. The same files work after an upgrade of the kernel, if the bundle
# has a module for it, and say what is missing otherwise.
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
upgraded=$([ "$KERNEL" = 6.12 ] && echo 6.1 || echo 6.12)
newer=$("$TOP/lab/run" --target $upgraded) || fail "no kernel $upgraded"
openssl genpkey -algorithm ed25519 -out ops.key 2>said || fail 'the key' said
openssl pkey -in ops.key -pubout -out ops.pem
# bundle FILE TARGET...: signed
bundle() {
	"$PROBEC" bundle -w "${@/#/--release=}" --metrics=9435 reads.kp -o "$file" >said 2>&1 ||
		fail "$file" said
	openssl pkeyutl -sign -rawin -inkey ops.key -in "$file" -out "$file.sig"
}
file=reads.run
bundle "$TARGET" "$newer"
file=old.run
bundle "$TARGET"
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
"$PROBERUN" --trust "$PWD/ops.pem" "$PWD/old.run" -T 1 >out 2>messages
case "$? $(uname -r)" in
"0 $BUILT_FOR" | "1 "*) ;;
*) fail 'the bundle without it' messages ;;
esac
cat messages
echo whole
X
for kernel in "$KERNEL" $upgraded; do
	"$TOP/lab/run" "$kernel" -- env TOP="$TOP" PROBERUN="$PROBERUN" \
		BUILT_FOR="${TARGET##*/}" bash -c "mkdir /run/t &&
			cp '$PWD'/{guest,ops.pem,*.run*} /run/t && cd /run/t && bash guest" \
		>out 2>&1 || fail "on $kernel: status $?" out
	grep -qx whole out || fail "on $kernel: it did not end" out
done
grep -q "the bundle has no module for the running kernel ${newer##*/}" out || fail 'no module' out
exit 0
