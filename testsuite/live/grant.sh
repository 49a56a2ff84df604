#@ seconds: 900
# Sessions of a user who is not root, by probec-grant: allowed in each way and refused in each way,
# all ends, and what a user could try who wants more.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
policy=/etc/probec/policy log=/run/log
printf 'alice:x:5001:5001::/:/bin/sh\nbob:x:5002:5002::/:/bin/sh\n' >>/etc/passwd
printf 'alice:x:5001:\nbob:x:5002:\ntracers:x:5003:alice\n' >>/etc/group
mkdir -p bin /etc/probec granted
install -m 755 "$PROBERUN" bin/
install -m 755 -d -o alice home
install -m 644 -o alice "$MODULE" home/reads.ko
as() { # USER COMMAND...
	local user=$1
	shift
	setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs "$@"
}
ask() { as alice bin/proberun --grant "$@"; }

# ask_refused WORDS ARGUMENT...: with that reason, a next step, and nothing loaded.
ask_refused() {
	local words=$1
	shift
	refused E_GRANT "$words" ask "$@"
	grep -qF -- "$words" said || fail "not: $words" said
}
# runs WHAT ARGUMENT...: the session runs to its end.
runs() {
	local what=$1
	shift
	ask "$@" >out 2>said || fail "$what: status" out said
	grep -q '^begin 0$' out && grep -qx end out || fail "$what: output" out said
	! grep -v '^proberun: waiting for commands' said || fail "$what: messages"
	unloaded "$what"
}
rules() { printf '%s\n' "$@" >"$policy"; }
hash=$(sha256sum <"$MODULE")
hash=${hash%% *}

ask_refused 'probec-grant does not run on this machine' home/reads.ko
python3 "$TOP/testsuite/grant-listener" /run/probec-grant.sock "$TOP/probec-grant" 2>"$log" &
listener=$!
trap 'kill $listener 2>/dev/null' EXIT
wait_for 'the socket' test -S /run/probec-grant.sock

# The policy: missing, not of root, with a mistake in its last line.
ask_refused 'no valid policy' home/reads.ko
rules "allow user alice sha256 $hash"
chown alice "$policy"
ask_refused 'no valid policy' home/reads.ko
chown root "$policy"
chmod 664 "$policy"
ask_refused 'no valid policy' home/reads.ko
chmod 600 "$policy"
rules "allow user alice sha256 $hash" 'allow user alice'
ask_refused 'no valid policy' home/reads.ko
"$TOP/probec-grant" --check >said 2>&1 && fail '--check of a mistake'
grep -q "^$policy:2:17: error: .*\[E_POLICY\]" said || fail '--check' said
grep -q "policy:2:17: error: " "$log" || fail 'the log does not say it' "$log"

# By hash: what is refused names the rule that would allow it.
rules 'allow user bob sha256 '"$hash"
ask_refused 'is about the user alice' home/reads.ko
sed -n 's/.*for this line in .*policy: //p' said >>"$policy"
[ "$(tail -n 1 "$policy")" = "allow user alice sha256 $hash" ] || fail 'the rule' said
runs 'by hash' home/reads.ko
# Commands of system() are the user's, and have nothing of the session open.
grep -q '^user 5001, files 0 1 2 3$' out || fail 'a command of system()' out
grep -q "user alice, uid 5001, pid [0-9]*, module -, sha256 $hash: granted by line 2" "$log" ||
	fail 'no line about a session' "$log"
cp home/reads.ko home/other.ko
printf x >>home/other.ko
chown alice home/other.ko
ask_refused 'no rule for the user alice allows this module' home/other.ko
grep -q 'user alice.*: refused: no rule for' "$log" || fail 'no line about a refusal' "$log"

# Options that a rule does not allow.
ask_refused 'without NAME=VALUE' home/reads.ko stay=0
ask_refused 'without -x' -x $$ home/reads.ko
ask_refused 'sessions of 60 seconds' -T 61 home/reads.ko
rules "allow user alice sha256 $hash globals memory=200K"
ask_refused 'and its rule allows 200 KiB' home/reads.ko
rules "allow user alice sha256 $hash globals process output=30"
ask home/reads.ko >out 2>said && fail 'too much output' out
grep -q 'written more than its rule' said || fail 'too much output' said
wait_unloaded 'too much output'

# -x
rules "allow user alice sha256 $hash globals process"
sleep 100 &
others=$!
setpriv --reuid=alice --regid=alice --clear-groups sleep 100 &
own=$!
ask_refused "process $others is not one of yours" -x $others home/reads.ko
wait_for 'the program' grep -q sleep /proc/$own/comm
runs '-x' -x $own home/reads.ko
grep -q "^target $own$" out || fail 'the target' out
kill $own $others

# By directory: a name, of which every part is checked.
rules 'allow group tracers directory /run/granted'
ask_refused "granted/reads.ko' does not exist" reads.ko
ask_refused 'and this is a file of your own' home/reads.ko
install -m 644 "$MODULE" granted/reads.ko
runs 'by directory' reads.ko
ln -s reads.ko granted/link.ko
ask_refused 'is a symbolic link' link.ko
ask_refused 'has bytes other than' 'a b'
ask_refused 'begins with a dot' ..
ln -s /run/home/reads.ko granted/home.ko
ask_refused 'is a symbolic link' home.ko
chown alice granted/reads.ko
ask_refused 'does not belong to root' reads.ko
chown root granted/reads.ko
chmod 1777 granted
ask_refused 'can be written by others' reads.ko
chmod 755 granted
refused E_GRANT 'another user' as bob bin/proberun --grant reads.ko

# By signature.
openssl genpkey -algorithm ed25519 -out ops.key 2>said &&
	openssl pkey -in ops.key -pubout -out /etc/probec/ops.pem 2>said || fail 'a key' said
rules 'allow user alice signed /etc/probec/ops.pem'
ask_refused 'came without a signature' home/reads.ko
openssl pkeyutl -sign -rawin -inkey ops.key -in home/reads.ko -out home/reads.ko.sig 2>said ||
	fail 'a signature' said
chmod 644 home/reads.ko.sig
runs 'by signature' home/reads.ko
cp home/reads.ko.sig home/other.ko.sig
ask_refused 'the signature is not of this key' home/other.ko
echo >>home/other.ko.sig
ask_refused 'is not a signature of Ed25519' home/other.ko
rm home/other.ko.sig
"$TOP/probec-grant" --check >said 2>&1 || fail '--check' said
chmod 666 /etc/probec/ops.pem
ask_refused 'can be written by others' home/reads.ko
"$TOP/probec-grant" --check >said 2>&1 && fail '--check of a key'

# Ends: a time that the rule sets, ^C, killed clients and helpers, and nothing stays loaded.
rules "allow user alice sha256 $hash globals seconds=2"
ask home/reads.ko stay=1 >out 2>said || fail 'the end of its time' said
grep -q '^end$' out && grep -q 'ends after the 2 seconds' said ||
	fail 'the end of its time' out said
ask -T 1 home/reads.ko stay=1 >out 2>said && [ ! -s said ] && grep -q '^end$' out || fail '-T' said
rules "allow user alice sha256 $hash globals"
begun() { grep -q '^begin 1$' out; }
stay() {
	: >out
	setpriv --reuid=alice --regid=alice --clear-groups bin/proberun --grant home/reads.ko \
		stay=1 >out 2>said &
	client=$!
	wait_for 'a session' begun
}
stay
ask home/reads.ko >out2 2>said2 && fail 'a second session' out2
grep -q 'allows 1 session of a user at a time' said2 || fail 'a second session' said2
kill -INT $client
wait $client || fail '^C: status' said
grep -q '^end$' out && unloaded '^C'
stay
kill -KILL $client
wait $client 2>/dev/null
wait_unloaded 'a killed client'
stay
pkill -KILL -x probec-grant
wait $client && fail 'a killed helper: status'
grep -q 'the connection to probec-grant was lost' said || fail 'a killed helper' said
wait_unloaded 'a killed helper'
stay
pkill -KILL -x -n proberun
pkill -KILL -x proberun 2>/dev/null
wait $client 2>/dev/null
wait_unloaded 'a killed proberun'
ask home/reads.ko stay=1 2>said | head -n 1 >out || fail 'a reader that leaves' said
begun || fail 'a reader that leaves' out
wait_unloaded 'a reader that leaves'

# The file is exchanged all the time: what runs is what was allowed, or nothing.
rules "allow user alice sha256 $hash"
cp home/other.ko home/bad.ko
cp "$MODULE" home/good.ko
(while :; do ln -f home/bad.ko home/x.ko && ln -f home/good.ko home/x.ko; done) &
exchanger=$!
ran=0
for _ in 1 2 3 4; do
	if ask ./home/x.ko >out 2>said; then ran=$((ran + 1)); fi
	grep -qx end out || grep -q 'E_GRANT\|E_IO' said || fail 'exchanged' out said
done
kill $exchanger
grep "sha256 $hash: granted" "$log" >granted-lines
grep ': granted' "$log" | diff - granted-lines || fail 'something else ran'

# Requests that proberun does not make.
before=$(grep -c granted "$log")
as alice python3 "$TOP/testsuite/grant-hostile" /run/probec-grant.sock home/reads.ko >said 2>&1 ||
	fail 'hostile requests' said
[ "$(grep -c granted "$log")" = "$before" ] || fail 'a hostile request was granted' "$log"
runs 'after them' home/reads.ko

kill $listener
wait $listener 2>/dev/null
rm -r /run/probec-grant.sock /etc/probec granted home bin ops.key
