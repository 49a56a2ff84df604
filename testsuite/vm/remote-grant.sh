# SPDX-License-Identifier: GPL-2.0
# probec --remote where the user of the host is not root and has no sudo: the session is that of
# probec-grant's policy. What it counts is exact, a refusal names the rule that is missing, ^C and
# the death of probec end it, and nothing stays.
#@ slow
#@ seconds: 600
needs_static_proberun
cat >count.kp <<'X'
global writes
probe begin { println("begun") }
probe kernel.function("vfs_write") { if (execname() == "dd") writes[execname()]++ }
probe end { println("last words") }
X
"$PROBEC" -w -p4 -r "$TARGET" count.kp >module 2>said || fail 'the script' said
hash=$(sha256sum <"$(cat module)")
echo "${hash%% *}" >hash
cat >guest <<'X'
. "$TOP/testsuite/expect.sh"
printf 'alice:x:5001:5001::/run/home:/bin/sh\n' | cat /etc/passwd - >passwd
printf 'alice:x:5001:\n' | cat /etc/group - >group
mount --bind passwd /etc/passwd && mount --bind group /etc/group || exit 1
mkdir -p /etc/probec && install -d -o alice home
python3 "$TOP/testsuite/grant-listener" /run/probec-grant.sock "$TOP/probec-grant" 2>log &
wait_for 'the socket' test -S /run/probec-grant.sock
# The host is this machine, as alice sees it.
launcher='env TMPDIR=/run/home HOME=/run/{} setpriv --reuid=alice --regid=alice --clear-groups'
start() { # OPTION...: the words are those of a shell's job
	"$PROBEC" -w -r "$TARGET" --remote home --ssh="$launcher" "$@" count.kp >out 2>said &
	session=$!
}
begun() { grep -q 'begun$' out; }
nothing_stays() {
	! pgrep -x proberun-guard && ! grep -q '^probec_' /proc/modules &&
		[ -z "$(find /run/home -name 'probec.*')" ]
}
clean() { wait_for "$1: the end" nothing_stays; }

echo "allow user bob sha256 $(cat hash)" >/etc/probec/policy
start
wait $session && fail 'a session for somebody else' out
grep -q 'no rule of the policy applies to the user alice' said &&
	grep -q "allow user alice sha256 $(cat hash)" said || fail 'a refusal' said
clean 'a refusal'

echo "allow user alice sha256 $(cat hash)" >/etc/probec/policy
start
wait_for 'the session' begun
dd if=/dev/zero of=/dev/null bs=2 count=300 status=none
kill -INT $session
wait $session || fail '^C: status' said
grep -qx 'home: writes\["dd"\]=300' out && grep -qx 'home: last words' out ||
	fail 'what it counted' out said
[ ! -s said ] || fail 'messages' said
clean '^C'

start
wait_for 'a session that loses its probec' begun
{ kill -KILL "$(pgrep -P $session)" $session; wait $session; } 2>/dev/null
clean 'a killed probec'

start -T 1
wait $session || fail '-T: status' said
grep -qx 'home: last words' out || fail '-T' out said
clean '-T'
start --format=json -T 1
wait $session || fail 'JSON: status' said
grep -q '^{"host":"home","type":"print".*last words' out || fail 'JSON' out said
start --flight=1
wait $session && fail '--flight'
grep -q -e '--flight with --grant' said || fail '--flight' said
clean '--flight'
kill %1
echo whole
X
"$TOP/lab/run" "$KERNEL" -- env TOP="$TOP" PROBEC="$PROBEC" TARGET="$TARGET" \
	PROBEC_CACHE="${PROBEC_CACHE:-$HOME/.cache/probec}" \
	bash -c "cp '$PWD'/{count.kp,hash,guest} /run && cd /run && bash guest" >out 2>&1 ||
	fail "status $?" out
grep -qx whole out || fail 'it did not end' out
exit 0
