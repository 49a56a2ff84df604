# SPDX-License-Identifier: GPL-2.0
# probec diff compares two saved runs by name and key, warns about doubtful comparisons, and rejects
# files that are not saved runs.

summary() { # SECONDS SKIPPED [MEMBERS...]
	printf \
		'{"type":"summary","time":9.0,"script":"s.kp","kernel":"6.1.0","seconds":%s,"status":0,' "$1"
	printf \
		'"hits":100,"errors":0,"lost":0,"lost_bytes":0,"not_stored":0,"skipped":{"busy":%s,"recursed":0},' "$2"
	printf '"probes":[{"probe":"begin","hits":1}]}\n'
}
global() \
	{ printf '{"type":"global","probe":"end","cpu":null,"time":1.0,"name":"%s","keys":%s,"value":%s}\n' "$@"; }
hist() \
	{ printf '{"count":%s,"histogram":{"buckets":[{"high":-1,"count":1},%s{"low":20,"count":2}]}}' "$1" "$2"; }

{
	echo '{"type":"print","probe":"begin","cpu":null,"time":1.0,"text":"hello","args":[]}'
	global n '[]' 100
	global word '[]' '"old"'
	global same '[]' 5
	global big '[]' 18446744073709551615
	global a '["dd",1]' 10
	global a '["cat",2]' 7
	global h '["x"]' "$(hist 5 '{"low":0,"high":9,"count":2},')"
	summary 5.0 0
} >a.json
{
	global n '[]' 150
	global word '[]' '"n\u001bew"'
	global same '[]' 5
	global big '[]' -9223372036854775808
	global a '["dd",1]' 4
	global a '["awk",3]' 1
	global h '["x"]' "$(hist 6 '{"low":10,"high":19,"count":3},')"
	summary 5.1 0
} >b.json

status() { # WANTED ARGUMENTS...
	wanted=$1
	shift
	"$PROBEC" diff "$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] || fail "diff $*: status $got, not $wanted" err
}
status 1 a.json b.json
[ ! -s err ] || fail 'messages' err
cat out
status 1 --sort=relative --format=json a.json b.json
cat out
status 1 --sort=name --all a.json b.json
cat out
status 0 a.json a.json
[ ! -s out ] || fail 'equal runs are shown' out
status 1 - b.json <a.json
status 0 --help
grep -q '^Usage: probec diff' out || fail 'no help' out

# One run has finer buckets than the other: they are added up.
{ global f '[]' "$(hist 9 '{"low":4,"high":7,"count":3},{"low":8,"high":15,"count":3},')"
	summary 5.0 0; } >coarse.json
finer='{"low":5,"high":5,"count":1},{"low":7,"high":7,"count":2}'
{ global f '[]' "$(hist 9 "$finer,"'{"low":8,"high":15,"count":3},')"; summary 5.0 0; } >fine.json
status 0 coarse.json fine.json
[ ! -s out ] || fail 'coarse and fine buckets' out
sed 's/"low":7,"high":7,"count":2/"low":7,"high":7,"count":4/' fine.json >finer.json
status 1 finer.json coarse.json
grep -qE '4 +7 +5 +3 +' out || fail 'coarse and fine buckets' out

# A value that is 0 in one run is not new in the other.
{ global n '[]' 0; summary 5.0 0; } >zero.json
{ global n '[]' 3; summary 5.0 0; } >three.json
status 1 zero.json three.json
grep -qE '^n +0 +3 +\+3 +from 0$' out || fail 'a change from 0' out

# A name, its parts and the script's name are no commands for a terminal, whoever wrote the file.
{
	global 'n\u001b[2J' '[]' '{"count\u0007":1}'
	summary 5.0 0
} | sed 's/s\.kp/s\\u001b.kp/' >odd.json
{ global 'n\u001b[2J' '[]' '{"count\u0007":2}'; summary 5.0 0; } >odder.json
status 1 odd.json odder.json
grep -qF '"n\033[2J"' out && grep -qF '"count\007"' out || fail 'names are not quoted' out
! grep -q "$(printf '[\033\007]')" out || fail 'commands for a terminal' out

# Doubtful comparisons: the values still decide the status.
{ global n '[]' 100; summary 60.0 7; } >skipped.json
{ global n '[]' 100; summary 5.0 0; } >plain.json
{ global n '[]' 100; echo '{"type":"error","time":1.0,"id":"E_OVERLOAD","text":"x"}'; summary 5.0 \
	0 | sed 's/"begin","hits"/"end","hits"/; s/not_stored":0/not_stored":3/'; } >overload.json
{ global n '[]' 100; printf '{"type":"pri'; } >cut.json
for run in skipped overload cut; do
	status 0 plain.json $run.json
	cat out
done

# Files that are not saved runs.
echo 'probe begin { }' >script
: >empty
{ global z '[]' 1; summary 5 0; } >other.json
summary 5 0 >nothing.json
status 2 a.json script
grep -q 'script:1:1: error: not an object of a saved run \[E_BAD_RUN\]' err || fail 'a script' err
status 2 a.json empty
status 2 a.json missing
grep -q 'E_IO' err || fail 'a file that is not there' err
status 2 a.json .
status 2 a.json other.json
grep -q 'no name in common' err || fail 'nothing in common' err
status 2 nothing.json a.json
status 2 a.json
status 2 --sort=size a.json b.json
status 2 --wrong a.json b.json
timeout 20 "$PROBEC" diff /dev/zero a.json >out 2>err
[ $? = 2 ] || fail '/dev/zero' err
status 2 - - </dev/null
"$PROBEC" diff a.json b.json >/dev/full 2>err
[ $? = 2 ] || fail '/dev/full' err
