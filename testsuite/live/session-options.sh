# SPDX-License-Identifier: GPL-2.0
# -c, -x, -T, -o, NAME=VALUE and their errors. probec builds nothing here: vm/probec.sh tests its
# own options.
# Once: the loader has these options.
. "$TOP/testsuite/expect.sh"
cd /tmp

# Without root: everybody may compile, but not load. Uses copies that all users may read.
mkdir /run/anybody
install -m 755 "$PROBEC" "$PROBERUN" /run/anybody/
cp -r "$TOP/runtime" "$TOP/tapsets" /run/anybody/
refused E_NOT_ROOT 'not root' setpriv --reuid=65534 --regid=65534 \
	--clear-groups env PROBEC_CONFIG= /run/anybody/probec -w -e 'probe begin { }'
grep -q 'sudo probec' said && grep -q 'sudo proberun' said ||
	fail 'no way out for who is not root' said
refused E_LOCKDOWN 'no capability' setpriv --bounding-set=-sys_module "$PROBERUN" "$MODULE"

# -x
sleep 0 &
gone=$!
wait
refused E_TARGET 'a process that is gone' "$PROBERUN" -x "$gone" "$MODULE"
sleep 1 &
"$PROBERUN" -x $! "$MODULE" >o || fail '-x' o
grep -q "^begin 1 none $!\$" o && [ "$(tail -n 1 o)" = end ] || fail '-x: not to its end' o

# -c: a command that cannot be started or that fails is an error of the session, as for staprun.
refused E_COMMAND 'no such command' "$PROBERUN" -c no-such-command "$MODULE"
grep -qx end said || fail 'no such command: the end probe did not run' said
"$PROBERUN" -c 'exit 3' "$MODULE" >o 2>&1
[ $? = 1 ] || fail '-c exit 3' o
grep -q 'ended with status 3 \[E_COMMAND\]' o || fail '-c: its status is not told' o
"$PROBERUN" -c false "$MODULE" >o 2>&1
[ $? = 1 ] && grep -q 'ended with status 1 \[E_COMMAND\]' o || fail '-c false' o
"$PROBERUN" -c 'kill -TERM $$' "$MODULE" >o 2>&1
[ $? = 1 ] || fail '-c that is killed' o
grep -q 'ended by signal 15 \[E_COMMAND\]' o || fail '-c: its signal is not told' o
[ "$("$PROBERUN" -w -c 'echo $PPID >p; cat p' -o o "$MODULE")" = "$(cat p)" ] ||
	fail "-o took the command's output"
grep -q '^begin' o || fail '-o has no output' o

# -c: target() is the process of the command itself, also with quotes, redirections, variables and
# assignments.
cat >/tmp/its-pid <<'E'
#!/bin/sh
echo "its $$ $* $VARIABLE"
E
chmod +x /tmp/its-pid
for command in '/tmp/its-pid "a  b" c' '/tmp/its-pid a 2>/dev/null' "VARIABLE='a b' /tmp/its-pid" \
	'/tmp/its-pid $HOME' 'exec /tmp/its-pid'; do
	"$PROBERUN" -w -c "$command" "$MODULE" >o 2>&1 || fail "-c $command" o
	[ "$(awk '/^begin/ { print $4 }' o)" = "$(awk '/^its/ { print $2 }' o)" ] ||
		fail "-c $command: not target()" o
done
PATH=/tmp:$PATH "$PROBERUN" -c 'its-pid in "the PATH"' "$MODULE" |
	grep -q '^its [0-9]* in the PATH ' || fail 'PATH and quotes'
"$PROBERUN" -v -c 'cat /etc/hostname; /tmp/its-pid' "$MODULE" >o 2>&1 || fail 'two commands' o
grep -q 'a shell runs the command: target() is the shell' o ||
	fail 'two commands: not said with -v' o
grep -q 'warning: a shell runs the command of -c: target() is the shell, .*\[E_TARGET\]' o &&
	grep -q 'target_set_pid(pid())' o ||
	fail 'two commands: no warning' o
"$PROBERUN" -c '/tmp/its-pid 2>/dev/null' "$MODULE" 2>&1 | grep -q E_TARGET &&
	fail 'one command: a warning'
"$PROBERUN" -v -c 'cat /etc/hostname' "$MODULE" 2>&1 | grep -q 'a shell runs' &&
	fail 'one command is run by a shell'

# A session that ends before its command ends the command and its children.
ends_soon() { # WHAT COMMAND PATTERN [OPTION]...
	local start=$SECONDS
	"$PROBERUN" -T 0.5 -c "$2" "${@:4}" "$MODULE" >o 2>&1 || fail "$1: status $?" o
	[ "$(grep -c '^end$' o)" = 1 ] || fail "$1: not to its end" o
	[ $((SECONDS - start)) -lt 60 ] || fail "$1: took $((SECONDS - start)) seconds" o
	! pgrep -f "$3" >/dev/null || fail "$1: the command goes on" o
}
ends_soon '-T and -c' 'sleep 1001' '^sleep 1001'
ends_soon '-T and a shell' 'sleep 1002; sleep 1003' '^sleep 100[23]'
ends_soon '-T and SIGTERM is ignored' "sh -c 'trap \"\" TERM; while :; do sleep 0.1; done'" \
	'while :; do' -v
grep -q 'SIGKILL to the command' o || fail 'no SIGKILL' o

# -o
refused_io() { ! "$@" >said 2>&1 && grep -q "can't write.*\[E_IO\]" said ||
	fail "$*" said; unloaded "$*"; }
refused_io "$PROBERUN" -o /no/such/file "$MODULE"
refused_io "$PROBERUN" -o /tmp "$MODULE"

# -T, also with a fraction of a second; NAME=VALUE
"$PROBERUN" -w -T 0.5 "$MODULE" most=0x10 'word=two words' >o || fail '-T' o
grep -qx 'begin 16 two words 0' o && [ "$(tail -n 1 o)" = end ] || fail 'NAME=VALUE' o
for bad in 0 -1 x 1s 1e99 nan ''; do refused E_OPTION "-T '$bad'" "$PROBERUN" -T "$bad" "$MODULE"; \
	done
for bad in 0 -1 x 1.5 99999999999 ''; do refused E_OPTION "-x '$bad'" "$PROBERUN" -x "$bad" \
	"$MODULE"; done

# --memory: too little is refused with the amount, which is enough; rings of -s count as they are.
refused E_NO_MEMORY '--memory' "$PROBERUN" --memory 1 -s 64 "$MODULE"
kib=$(sed -n 's/.* take \([0-9]*\) KiB of kernel memory, but --memory allows 1024 KiB.*/\1/p' said)
[ "${kib:-0}" -gt 65536 ] || fail '--memory: the amount' said
"$PROBERUN" --memory $((kib / 1024 + 1)) -s 64 -T 0.2 "$MODULE" >o 2>e || fail '--memory' e
grep -qx end o || fail '--memory: not to its end' o

# The long forms of all of them.
"$PROBERUN" --command='cat /etc/hostname' --timeout=60 --output=o --buffer=1 \
	--no-warnings --verbose "$MODULE" >said 2>e || fail 'long forms' e
grep -qx end o && grep -qx "$(cat /etc/hostname)" said && grep -q 'rings of 1024 KiB' e ||
	fail 'long forms' e
"$PROBERUN" --pid=$$ --timeout 0.2 "$MODULE" | grep -q "^begin 1 none $$\$" || fail '--pid'
