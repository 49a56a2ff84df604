# -c, -x, -T, -o, NAME=VALUE, and what is wrong with them, on a kernel that could run it all. probec builds nothing
# here: its own options are in vm/probec.sh.
. "$TOP/testsuite/expect.sh"
cd /tmp

# Not root: compiling is everybody's, loading is not. Copies that anybody may read.
mkdir /run/anybody
install -m 755 "$PROBEC" "$PROBERUN" /run/anybody/
cp -r "$TOP/runtime" "$TOP/tapsets" /run/anybody/
refused E_NOT_ROOT 'not root' setpriv --reuid=65534 --regid=65534 --clear-groups /run/anybody/probec -w -e 'probe begin { }'
grep -q 'sudo probec' said && grep -q 'sudo proberun' said || fail 'no way out for who is not root' said
refused E_LOCKDOWN 'no capability' setpriv --bounding-set=-sys_module "$PROBERUN" "$MODULE"

# -x
sleep 0 &
gone=$!
wait
refused E_TARGET 'a process that is gone' "$PROBERUN" -x "$gone" "$MODULE"
sleep 1 &
"$PROBERUN" -x $! "$MODULE" >o || fail '-x' o
grep -q "^begin 1 none $!\$" o && [ "$(tail -n 1 o)" = end ] || fail '-x: not to its end' o

# -c: a session that could not begin what it is for fails; its status is no business of the command's.
refused E_COMMAND 'no such command' "$PROBERUN" -c no-such-command "$MODULE"
grep -qx end said || fail 'no such command: the end probe did not run' said
"$PROBERUN" -c 'exit 3' "$MODULE" >o 2>&1 || fail '-c exit 3' o
grep -q 'ended with status 3 \[E_COMMAND\]' o || fail '-c: its status is not told' o
"$PROBERUN" -c 'kill -TERM $$' "$MODULE" >o 2>&1 || fail '-c that is killed' o
grep -q 'ended by signal 15 \[E_COMMAND\]' o || fail '-c: its signal is not told' o
[ "$("$PROBERUN" -c 'echo $PPID >p; cat p' -o o "$MODULE")" = "$(cat p)" ] || fail "-o took the command's output"
grep -q '^begin' o || fail '-o has no output' o

# -o
refused_io() { ! "$@" >said 2>&1 && grep -q "can't write.*\[E_IO\]" said || fail "$*" said; unloaded "$*"; }
refused_io "$PROBERUN" -o /no/such/file "$MODULE"
refused_io "$PROBERUN" -o /tmp "$MODULE"

# -T, also a part of a second; NAME=VALUE
"$PROBERUN" -w -T 0.5 "$MODULE" most=0x10 'word=two words' >o || fail '-T' o
grep -qx 'begin 16 two words 0' o && [ "$(tail -n 1 o)" = end ] || fail 'NAME=VALUE' o
for bad in 0 -1 x 1s 1e99 nan ''; do refused E_OPTION "-T '$bad'" "$PROBERUN" -T "$bad" "$MODULE"; done
for bad in 0 -1 x 1.5 99999999999 ''; do refused E_OPTION "-x '$bad'" "$PROBERUN" -x "$bad" "$MODULE"; done

# Long forms of all of them.
"$PROBERUN" --command='cat /etc/hostname' --timeout=60 --output=o --buffer=1 --no-warnings --verbose "$MODULE" >said 2>e || fail 'long forms' e
grep -qx end o && grep -qx "$(cat /etc/hostname)" said && grep -q 'rings of 1024 KiB' e || fail 'long forms' e
"$PROBERUN" --pid=$$ --timeout 0.2 "$MODULE" | grep -q "^begin 1 none $$\$" || fail '--pid'
