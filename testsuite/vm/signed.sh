# SPDX-License-Identifier: GPL-2.0
# A kernel that accepts only signed modules causes a proper error with the next step; another kernel
# runs a signed module under its own name, in one session at a time. The checked kernel has no
# signatures. A kernel of lab/kernel that has them also accepts what --sign auto signs, as the key
# that it was built with is in its build tree.
#@ kernels: not debug
#@ needs: openssl
release=$("$TOP/lab/run" --release "$KERNEL")
# The program of 5.10's build tree that signs modules needs libraries of Debian 11. If they are not
# here, that of another build tree signs.
openssl req -new -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj "/CN=probec test/" \
	-days 2 2>said ||
	fail 'openssl req' said
echo \
	'probe begin { println("hello") } probe timer.ms(20) { println("tick") } probe end { println("end") }' >a.kp
signed=$("$PROBEC" -p4 -r "$release" --sign key cert a.kp 2>said) || fail '--sign' said
named=$("$PROBEC" -p4 -r "$release" --sign key cert -m mine a.kp 2>said) && named=$PWD/$named ||
	fail '--sign -m' said
trusted=
if [ -e "${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}/lab/$release/build/certs" ]; then
	trusted=$("$PROBEC" -p4 -r "$release" --sign auto a.kp 2>said) || fail '--sign auto' said
fi
unsigned=$("$PROBEC" -p4 -r "$release" a.kp 2>said) || fail '-p4' said

cat >enforced <<'SH'
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
refused E_LOCKDOWN 'not signed' "$PROBERUN" "$2"
grep -q 'only modules signed' said && grep -q 'probec --make-key .*--sign auto' said ||
	fail 'not signed: no way out' said
refused E_LOCKDOWN 'another key' "$PROBERUN" "$1"
grep -q 'does not trust its key.*mokutil' said || fail 'another key: no way out' said
[ -z "$4" ] || { "$PROBERUN" -T 0.1 "$4" >o 2>e && [ "$(tail -n 1 o)" = end ]; } ||
	fail "the kernel's own key" e
SH
cat >open <<'SH'
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" "$1" >o 2>e &
wait_for 'a tick' grep -qs tick o
grep -q '^probec_s[0-9a-f]* ' /proc/modules || fail 'not under its own name' /proc/modules
! "$PROBERUN" "$1" >said 2>&1 && grep -q 'loaded already \[E_LOAD\]' said &&
	grep -q 'one session at a time' said || fail 'twice at once' said
"$PROBERUN" -T 0.1 "$3" >o2 2>e2 && [ "$(tail -n 1 o2)" = end ] || fail 'under another name' e2
name=$("$PROBERUN" -F "$3" 2>said) && [ "$name" = mine ] || fail 'its name in the background' said
"$PROBERUN" --stop mine 2>/dev/null | tail -n 1 | grep -qx end || fail '--stop mine'
kill -INT $!
wait $! || fail 'status' e
[ "$(tail -n 1 o)" = end ] && ! grep -qE '^(probec|mine)' /proc/modules || fail 'the end' e
SH
guest() { # SCRIPT OPTION...
	local script=$1
	shift
	timeout 300 "$TOP/lab/run" "$@" "$KERNEL" -- env PROBERUN="$PROBERUN" PROBEC="$PROBEC" \
		TOP="$TOP" bash "./$script" "$signed" "$unsigned" "$named" "$trusted" >said 2>&1 ||
		fail "$script: status $?" said
}
guest enforced --append module.sig_enforce=1
guest open
