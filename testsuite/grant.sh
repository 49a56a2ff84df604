# SPDX-License-Identifier: GPL-2.0
# Sessions of users who are not root, for live/grant.sh and live/grant-rules.sh, which source it in
# a guest: the users alice and bob, a policy, and a listener that starts probec-grant.
# shellcheck shell=bash disable=SC2154,SC2034
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
policy=/etc/probec/policy log=/run/log
# The guest's own files stay as they are for the tests after this one.
cp /etc/passwd /etc/group .
printf 'alice:x:5001:5001::/:/bin/sh\nbob:x:5002:5002::/:/bin/sh\n' >>passwd
printf 'alice:x:5001:\nbob:x:5002:\ntracers:x:5003:alice\n' >>group
listener=
clean() {
	[ -z "$listener" ] || kill "$listener" 2>/dev/null
	umount -q /etc/passwd /etc/group
}
trap clean EXIT
mount --bind passwd /etc/passwd && mount --bind group /etc/group || fail 'users of the test'
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
wait_for 'the socket' test -S /run/probec-grant.sock

# grant_over: ends what this file has begun.
grant_over() {
	kill $listener
	wait $listener 2>/dev/null
	rm -r /run/probec-grant.sock /etc/probec granted home bin passwd group
}
