# SPDX-License-Identifier: GPL-2.0
#@ seconds: 600
# Sessions of a user who is not root, by probec-grant: allowed by hash and refused, all ends, and a
# file that changes. grant-rules.sh has the other rules, and what a user could try who wants more.
# shellcheck source=testsuite/grant.sh
. "$TOP/testsuite/grant.sh"

# By hash: what is refused names the rule that would allow it.
rules 'allow user bob sha256 '"$hash"
ask_refused 'applies to the user alice' home/reads.ko
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

# Ends: a time that the rule sets, ^C, killed clients and helpers, and nothing stays loaded.
rules "allow user alice sha256 $hash globals seconds=2"
ask home/reads.ko stay=1 >out 2>said || fail 'the end of its time' said
grep -q '^end$' out && grep -q 'ends after the 2 seconds' said ||
	fail 'the end of its time' out said
ask -T 1 home/reads.ko stay=1 >out 2>said && grep -q '^end$' out &&
	! grep -v '^proberun: waiting for commands' said || fail '-T' said
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
# In a group, since the shell itself reports a job that a signal has ended.
{ kill -KILL $client; wait $client; } 2>/dev/null
wait_unloaded 'a killed client'
stay
pkill -KILL -x probec-grant
wait $client && fail 'a killed helper: status'
grep -q 'the connection to probec-grant was lost' said || fail 'a killed helper' said
wait_unloaded 'a killed helper'
stay
{ pkill -KILL -x -n proberun; pkill -KILL -x proberun; wait $client; } 2>/dev/null
wait_unloaded 'a killed proberun'
ask home/reads.ko stay=1 2>said | head -n 1 >out || fail 'a reader that leaves' said
begun || fail 'a reader that leaves' out
wait_unloaded 'a reader that leaves'

# -x with programs that have got rights by their file, which have the user and another group here.
mkdir suid
mount -t tmpfs -o suid,exec,dev,mode=755 none suid || fail 'a file system'
install -m 2755 -g root "$(command -v sleep)" suid/slept
mkfifo go
exec 5<>go
begin_process() { # COMMAND...
	setpriv --reuid=alice --regid=alice --clear-groups "$@" <go 2>/dev/null &
	own=$!
	disown
}
end_process() {
	pkill -KILL -x slept
	kill $own 2>/dev/null
	wait_for 'the end of a process' gone
}
gone() { ! kill -0 $own 2>/dev/null; }
rules "allow user alice sha256 $hash globals process"
begin_process suid/slept 1000
wait_for 'the program' grep -q '^Gid:[[:space:]]5001[[:space:]]0' /proc/$own/status
ask_refused "process $own is not one of yours" -x $own home/reads.ko
end_process
for command in 'exec suid/slept 1000' 'suid/slept 1000; :'; do
	begin_process sh -c "read -r line; $command"
	: >out
	as alice bin/proberun --grant -x $own home/reads.ko stay=1 >out 2>said &
	client=$!
	wait_for 'a session' begun
	echo >&5
	wait $client && fail "$command: status" out
	grep -q 'has gained privileges' said || fail "$command: why" said
	grep -q '^end$' out || fail "$command: the end" out
	unloaded "$command"
	if [ "${command#exec}" = "$command" ]; then
		ask_refused 'other privileges, which still runs' -x $own home/reads.ko
	fi
	end_process
done
exec 5>&-
umount suid

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

# A user who compiles the script, without rights. The build tree of the kernel and probec itself may
# lie where only root may look. The runtime is a copy, as building it takes minutes here.
opened=
for path in "$TOP" "$(readlink -f "/lib/modules/$(uname -r)/build")"; do
	while path=${path%/*}; [ -n "$path" ]; do
		case $(stat -c %A "$path") in
		*x | *t) ;;
		*) chmod o+x "$path" && opened+=" $path" ;;
		esac
	done
done
mkdir home/cache
cp -r "${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}/runtime" home/cache/
chown -R alice home/cache
echo 'probe begin { println("begin 0") exit() } probe end { println("end") }' >home/own.kp
compiler() { as alice env -C / PROBEC_CACHE=/run/home/cache "$PROBEC" "$@" /run/home/own.kp; }
module=$(compiler -p4) 2>said || fail 'alice compiles' said
refused E_GRANT 'a script that no rule allows' compiler --grant
own=$(sha256sum <"$module")
rules "allow user alice sha256 ${own%% *}"
compiler --grant >out 2>said && [ "$(cat out)" = 'begin 0
end' ] || fail 'a script that alice has compiled' out said
unloaded 'a script that alice has compiled'
# shellcheck disable=SC2086
[ -z "$opened" ] || chmod o-x $opened

grant_over
