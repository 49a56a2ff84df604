# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3 fish zsh
# probec --remote by an ssh that runs its command here: what is asked of hosts, what they get, and
# how their output is shown. See testsuite/remote.sh for what each host does.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/remote.sh"

run_on says-a
expect 'one host' 0 'says-a: one
says-a: says-a two
says-a: three
' 'says-a: a message
'
[ "$(cat words)" = '-T -- says-a '"$(cut -d' ' -f4- words)" ] || fail 'the words of ssh' words

# Several hosts: names are aligned, one option or several; nothing asks on the terminal.
run_on says-a,says-long --remote says-b
sort out >sorted
diff - sorted >d <<'X' || fail 'several hosts' d
says-a:    one
says-a:    says-a two
says-a:    three
says-b:    one
says-b:    says-b two
says-b:    three
says-long: one
says-long: says-long two
says-long: three
X
[ "$status" = 0 ] || fail "several hosts: status $status" said
grep -vq '^-T -o BatchMode=yes --$' words && fail 'the words of ssh' words
[ "$("$remote" --remote says-a --ssh "$PROBEC_SSH -F none" -w script.kp 2>&1 | wc -l)" = 4 ] ||
	fail 'ssh with an option'
grep -q '^-F none -T --$' words || fail 'the option of ssh' words

# One bundle for all hosts of a kernel; the host names its kernel, or -r does.
run_on says-a,says-b -r "$TARGET" -v
[ "$(grep -c '^pass 4' said)" = 1 ] || fail 'built once' said
run_on says-a --disable-cache
[ "$status" = 0 ] || fail 'without -r' said

# Login shells of other kinds, the tools of busybox, a banner, rights by sudo.
for shell in fish zsh bash busybox; do
	run_on "says-$shell"
	[ "$status" = 0 ] && [ "$(wc -l <out)" = 3 ] || fail "$shell" out said
done
run_on motd-a
expect 'a banner' 0 'motd-a: one
motd-a: says-a two
motd-a: three
' 'motd-a: a message
'
run_on says-user
[ "$status" = 0 ] && [ "$(cat sudos)" = says-user ] || fail 'sudo' out said

# Each form of output names the host.
run_on json-a,json-b --format json -o file
expect 'json' 0 ''
sort file >sorted
diff - sorted >d <<'X' || fail 'json' d
{"host":"json-a","type":"print","text":"x"}
{"host":"json-a"}
{"host":"json-b","type":"print","text":"x"}
{"host":"json-b"}
X
[ "$(grep -c '^json-[ab]: no object$' said)" = 2 ] || fail 'what is no object' said
run_on csv-a --format csv
expect 'csv' 0 'host,name,n
csv-a,a,1
csv-a,"b

""c""",2

host,what
csv-a,x
'
run_on csv-a,csv-b --format csv
python3 - <<'X' || fail 'csv of two hosts' out
import csv
tables = {}
head = None
for row in csv.reader(open('out', newline='')):
    if not row: head = None
    elif head is None: head = tuple(row)
    else: tables.setdefault(head, []).append(tuple(row))
assert {h: sorted(r) for h, r in tables.items()} == {
    ('host', 'name', 'n'): sorted((h, a, n) for h in ('csv-a', 'csv-b')
                                  for a, n in (('a', '1'), ('b\n\n"c"', '2'))),
    ('host', 'what'): [('csv-a', 'x'), ('csv-b', 'x')]}, tables
X
run_on folded-a --format folded
expect 'folded' 0 'folded-a;main;read 3
'

# Much more than a pipe holds, from two hosts at once: each line is whole and in its host's order.
run_on much-a,much-b
for host in much-a much-b; do
	grep "^$host: " out | cmp -s - <(seq 100000 | sed "s/.*/$host: & $host/") ||
		fail "much: $host"
done
[ "$status" = 0 ] && [ "$(wc -l <out)" = 200000 ] || fail 'much' said

# A host that means no good is shown under its name, sends no control characters to a terminal, and
# delays nobody.
run_on evil-a --format json
LC_ALL=C sort said >sorted
expect 'forged objects' 0 '{"host":"evil-a","x":"\u001b[2J\u009b1m"}
{"host":"evil-a","c":"\u007f\u009b1m"}
'
diff - sorted >d <<'X' || fail 'forged objects: the messages' d
evil-a: \x1b[2Jtext\xc2\x9b
evil-a: \x1b]0;title\x07 message
evil-a: {"a":1}{"b":2}
evil-a: {"host":"says-a","type":"print"}
X
run_on evil-a --escape always
[ "$(tail -n 1 out)" = 'evil-a: \x1b[2Jtext\xc2\x9b' ] || fail 'text that is escaped' out
run_on evil-a --escape never
[ "$(tail -n 1 out)" = $'evil-a: \e[2Jtext\xc2\x9b' ] || fail 'text that is not' out
run_on quotes-a --format csv --escape always
expect 'quotes without an end' 0 'host,name,n
quotes-a,\x1b[2Ja,1
' 'quotes-a: "b
'
run_on quoted-a,csv-a --format csv
[ "$status" = 0 ] && [ "$(grep -c '^csv-a,' out)" = 3 ] || fail 'quotes without number' out said

# Names that are not those of hosts, and what excludes --remote.
refuses() { # WORDS ARGUMENT...
	rm -f ./*.asked
	"$remote" -w script.kp "${@:2}" >said 2>&1 && fail "accepted: ${*:2}" said
	grep -q "$1.*\[E_OPTION\]" said || fail "${*:2}" said
	[ -z "$(find . -name '*.asked' -o -name evil)" ] || fail "asked: ${*:2}"
}
for name in -oProxyCommand=evil 'a;touch evil' "\$(touch evil)" '`touch evil`' 'a b' 'a"b' \
	"a'b" $'a\nb' $'\e[31m' 'a\b' 'a{b' 'ä'; do
	refuses 'is not the name of a host' --remote "says-a,$name"
	refuses 'is not the name of a host' --remote "$name"
done
refuses 'needs HOST,HOST' --remote ''
refuses 'needs HOST,HOST' --remote a,,b
refuses 'is given twice' --remote a,b --remote a
refuses 'does not work with' --remote a -p4
refuses 'mutually exclusive' --remote a -x 1
refuses 'mutually exclusive' --remote a -F
refuses 'mutually exclusive' --remote a --vm
refuses 'mutually exclusive' --remote a -o x -S 1
refuses 'mutually exclusive' --remote a --format=perfetto
refuses 'mutually exclusive' --remote a --format=ctf -o x
run_on ssh://root@says-a:22
[ "$status" = 0 ] || fail 'a URL' said
"$PROBERUN" --remote-end x.ko >said 2>&1 && fail '--remote-end of a module' said
grep -q 'this file is not a bundle' said || fail '--remote-end: what is said' said

# Errors of the script are reported once, before any host is asked.
rm -f ./*.asked
"$remote" --remote says-a,says-b -e 'probe begin {' >out 2>said && fail 'a syntax error' out
[ "$(grep -c E_SYNTAX said)" = 1 ] && [ ! -e says-a.asked ] || fail 'a syntax error' said
"$remote" --remote says-a,says-b -e 'probe begin { nosuch() }' >out 2>said && fail 'an error' out
[ "$(grep -c E_UNKNOWN_FUNCTION said)" = 1 ] && [ "$(grep -c E_REMOTE said)" = 2 ] ||
	fail 'an error' said

# The snapshot of a flight recorder that one host takes is taken on the others, and so is one that
# SIGUSR2 asks for; the first one says how their clocks differ.
export TRIGGERED='follows-ahead follows-coarse'
rm -f ./*.runs
"$remote" --remote triggers-a,follows-ahead,follows-coarse --flight -w script.kp >out 2>said &
session=$!
taken() { [ "$(grep -c '^follows-[a-z]*: *taken$' out)" = "$1" ]; }
wait_for 'the snapshots of the other hosts' taken 2
kill -TERM $session
wait $session || fail "snapshots: status $?" said
grep -q '^triggers-a: *last words$' out && ! grep -q 'triggers-a: *taken' out ||
	fail 'the host that has asked' out
clock='its clock is [0-9]*\.[0-9]* s [a-z ]*this machine, give or take [01]\.[0-9]* s$'
grep '^follows-ahead: ' said | grep "$clock" | grep -q 'is 9[89]\.\|is 100\.' ||
	fail 'a clock that is ahead' said
grep '^follows-coarse: ' said | grep -q "$clock" || fail 'a clock without parts of seconds' said
rm -f ./*.runs
"$remote" --remote follows-a --flight --format=json -w script.kp >out 2>said &
session=$!
runs() { [ -e follows-a.runs ]; }
wait_for 'the session' runs
kill -USR2 $session
wait_for 'the clock' grep -q '^{"host":"follows-a","type":"clock","ahead":-*0\.[0-9]*,"within":' out
wait_for 'a snapshot by SIGUSR2' grep -q 'follows-a: taken' said
kill -TERM $session
wait $session || fail "SIGUSR2: status $?" said
exit 0
