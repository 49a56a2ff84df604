# SPDX-License-Identifier: GPL-2.0
# Options that a script declares: their values reach the handlers, whatever gives them, and one
# module in the cache serves all values.
# Once: the loader has these options.
. "$TOP/testsuite/expect.sh"
cd /tmp
cat >opens.kp <<KP
#! /usr/bin/env -S $PROBEC
# opens - show values
global only_pid = 1   #: -p, --pid=PID     a process
global failed = 0     #: -x, --failed      a flag
global name = "none"  #: -n, --name=NAME   a name
#: [WORD]             a word
probe begin { printf("%d %d %s %d\n", only_pid, failed, name, target()) exit() }
KP
chmod +x opens.kp
says() { # EXPECTED COMMAND...
	local expected=$1
	shift
	"$@" >out 2>said || fail "$*" said
	[ "$(cat out)" = "$expected" ] || fail "$*: not '$expected'" out said
}
says '1 0 none 0' ./opens.kp
remember
says '7 1 two words 0' ./opens.kp -v -xp7 --name='two words'
grep -q 'from the cache' said || fail 'other values build another module' said
sleep 100 &
process=$!
says "8 0  $process" "$PROBEC" -v -x "$process" ./opens.kp -n '' -p 8
grep -q 'from the cache' said || fail 'an empty text builds another module' said
kill "$process"
says '3 0 from stdin 0' "$PROBEC" - --pid 3 -n 'from stdin' <opens.kp
"$PROBEC" --format=json ./opens.kp -p 5 >out 2>said || fail 'json' said
grep -q '"expr":"only_pid","value":5}' out || fail 'json: no member only_pid' out

# In a module of -p4 they are initial values; proberun sets others.
module=$("$PROBEC" -p4 opens.kp -p 6 -n built) || fail '-p4'
says '6 0 built 0' "$PROBERUN" "$module"
says '6 1 loaded 0' "$PROBERUN" "$module" name=loaded failed=1
ended_clean 'all'
