# SPDX-License-Identifier: GPL-2.0
# The files in /proc of a script that uses the band-aid's functions: values read and written, and
# the probes off for as long as a process or the script wants it.
. "$TOP/testsuite/expect.sh"

"$PROBERUN" -v "$MODULE" >out 2>band.said &
pid=$!
wait_armed band
files=/proc/$(sed -n 's/ mitigation loaded$//p' out)
[ -d "$files" ] || fail 'no line says what is loaded' out

is() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'" out; }
value() { cat "$files/$1"; }
set_value() { echo "$2" >"$files/$1" || fail "$1 can't be written"; }
call() { kill -0 1; } # bash's own: a call of kill() with signal 0
# The probe is armed again a moment after it is switched on: the first call that it sees is counted.
is_counted() { call; [ "$(metric stopped)" = "$1" ]; }
metric() { sed -n "s/^.*{metric=\"$1\"} //p" "$files/__prometheus"; }

for name in cve_notify_p cve_fix_p cve_trace_p cve_enabled_p; do
	is "$name at first" "$(value $name)" 1
done
is 'cve_tmpdisabled_s at first' "$(value cve_tmpdisabled_s)" -1
is 'the files of root' "$(stat -c %U "$files"/cve_* | sort -u)" root
setpriv --reuid 65534 --clear-groups sh -c "echo 0 >$files/cve_enabled_p" 2>/dev/null &&
	fail 'another user switches it off'

call
set_value cve_trace_p 0
call
is 'two calls' "$(metric stopped)" 2
set_value cve_enabled_p 0
is 'off' "$(value cve_enabled_p)" 0
call
is 'a call while it is off' "$(metric stopped)" 2
# Negative seconds: off until a process writes. The timer runs once a second.
sleep 2.5
is 'still off' "$(value cve_enabled_p)" 0
set_value cve_enabled_p 1
wait_for 'a call after that' is_counted 3

is_on() { [ "$(value cve_enabled_p)" = 1 ]; }
set_value cve_tmpdisabled_s 2
is 'off by seconds' "$(value cve_enabled_p)" 0
wait_for 'on again' is_on
wait_for 'a call when it is on again' is_counted 4
set_value cve_trace_p 1
set_value cve_fix_p 2
call
is 'off by the script' "$(value cve_enabled_p)" 0
call
wait_for 'on again by the script' is_on
is 'calls of all' "$(metric stopped)" 5
[ "$(metric runtime)" -ge 2 ] || fail 'the runtime' out

kill -INT "$pid"
wait "$pid" || fail 'status' band.said
name=${files#/proc/}
cat >want <<X
$name mitigation loaded
stopped 1
$name reenabling
stopped 2
$name disabling temporarily
$name reenabling
$name mitigation unloaded
X
cmp -s want out || fail 'the output' out
leave_out_steps band
[ ! -s band.said ] || fail 'messages' band.said
