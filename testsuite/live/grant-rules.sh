# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# Rules for users who are not root: a policy with faults, options, directories, signatures; what a
# user could try who wants more. grant.sh has the sessions themselves.
# shellcheck source=testsuite/grant.sh
. "$TOP/testsuite/grant.sh"

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

# Options that a rule does not allow.
rules "allow user alice sha256 $hash"
ask_refused 'without NAME=VALUE' home/reads.ko stay=0
ask_refused 'without -x' -x $$ home/reads.ko
ask_refused 'sessions of 60 seconds' -T 61 home/reads.ko
rules "allow user alice sha256 $hash globals memory=200K"
ask_refused 'and its rule allows 200 KiB' home/reads.ko
rules "allow user alice sha256 $hash globals process output=15"
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
ask_refused 'can be written by users other than' reads.ko
chmod 755 granted
refused E_GRANT 'another user' as bob bin/proberun --grant reads.ko

# By signature.
openssl genpkey -algorithm ed25519 -out home/ops.key 2>said &&
	openssl pkey -in home/ops.key -pubout -out /etc/probec/ops.pem 2>said || fail 'a key' said
rules 'allow user alice signed /etc/probec/ops.pem'
ask_refused 'came without a signature' home/reads.ko
openssl pkeyutl -sign -rawin -inkey home/ops.key -in home/reads.ko -out home/reads.ko.sig 2>said ||
	fail 'a signature' said
chmod 644 home/reads.ko.sig
runs 'by signature' home/reads.ko
cp home/reads.ko home/other.ko
printf x >>home/other.ko
chown alice home/other.ko
cp home/reads.ko.sig home/other.ko.sig
ask_refused 'the signature was not made with this key' home/other.ko
echo >>home/other.ko.sig
ask_refused 'is not an Ed25519 signature' home/other.ko
rm home/other.ko.sig
"$TOP/probec-grant" --check >said 2>&1 || fail '--check' said
chmod 666 /etc/probec/ops.pem
ask_refused 'can be written by users other than' home/reads.ko
"$TOP/probec-grant" --check >said 2>&1 && fail '--check of a key'

# Requests that proberun does not make.
rules "allow user alice sha256 $hash"
before=$(grep -c granted "$log")
as alice python3 "$TOP/testsuite/grant-hostile" /run/probec-grant.sock home/reads.ko >said 2>&1 ||
	fail 'hostile requests' said
[ "$(grep -c granted "$log")" = "$before" ] || fail 'a hostile request was granted' "$log"
runs 'after them' home/reads.ko

grant_over
