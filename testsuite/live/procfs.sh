# SPDX-License-Identifier: GPL-2.0
# Files in /proc: their modes, whole and partial readings, positions, writing, two readers at once;
# and that neither an open file nor a waiting reader keeps a session from ending.
. "$TOP/testsuite/expect.sh"

session() { # starts one; sets pid and files
	: >/tmp/procfs.out
	"$PROBERUN" "$MODULE" "$@" >/tmp/procfs.out 2>/tmp/procfs.err &
	pid=$!
	wait_for 'the first line' grep -qs '^/proc/' /tmp/procfs.out
	files=$(head -n 1 /tmp/procfs.out)
	wait_for 'the files' [ -e "$files/text" ]
}
is() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@" 2>&1; }

session
is 'modes' "$(stat -c '%n %a %u' "$files"/* | sed 's|.*/||' | sort | tr '\n' ' ')" \
	'command 444 0 cut 400 0 ends 200 0 fails 400 0 only 200 0 set 600 0 text 400 0 two 400 0 '
is 'another user, 444' "$(as_nobody cat "$files/command")" 'for all'
as_nobody cat "$files/text" | grep -q 'Permission denied' || fail 'another user reads 400'
as_nobody dd if=/dev/zero of="$files/set" count=1 | grep -q 'Permission denied' ||
	fail 'another user writes 600'

# Whole, one byte at a time, by position, and again from the beginning.
cat "$files/text" >/tmp/procfs.text
is 'size' "$(wc -c </tmp/procfs.text)" 603
is 'last line' "$(tail -n 1 /tmp/procfs.text)" 'line 0059'
first=$(head -n 1 /tmp/procfs.text)
dd if="$files/text" bs=1 2>/dev/null | sed '1!b;s/.*/'"$first"'/' | cmp - /tmp/procfs.text ||
	fail 'one byte at a time'
is 'by position' "$(dd if="$files/text" bs=1 skip=13 count=9 2>/dev/null)" 'line 0001'
exec 5<"$files/text" 6<"$files/text"
read -r a <&5
read -r b <&6
[ "$a" != "$b" ] || fail "two readers have one text: $a"
is 'the rest' "$(cat <&5)" "$(tail -n +2 /tmp/procfs.text)"
is 'the other rest' "$(cat <&6 | md5sum)" "$(tail -n +2 /tmp/procfs.text | md5sum)"
is 'at the end' "$(cat <&5)" ''
readers=
for i in 1 2 3 4; do
	cat "$files/text" >/tmp/procfs.$i &
	readers="$readers $!"
done
# shellcheck disable=SC2086
wait $readers
is 'four readers at once' "$(cat /tmp/procfs.[1-4] | grep -v '^..$' | md5sum)" \
	"$(for i in 1 2 3 4; do tail -n +2 /tmp/procfs.text; done | md5sum)"
is 'four texts' "$(head -qn 1 /tmp/procfs.[1-4] | sort -u | wc -l)" 4
is 'two handlers' "$(tr '\n' ' ' <"$files/two")" 'one two '
is 'cut' "$(cat "$files/cut")" 0123456789
cat "$files/cut" >/dev/null

# Writing, in parts if it is long; files that have only one of the two.
printf 'a b\n' >"$files/set"
printf c >"$files/set"
is 'written' "$(cat "$files/set")" '[a b
][c]'
printf '%0600d' 7 >"$files/only"
is 'no reading' "$(cat "$files/only" 2>&1 | sed 's/.*: //')" 'Invalid argument'
echo x >"$files/two" 2>/tmp/procfs.refused && fail 'a file without .write is written'
exec 7<"$files/text"
read -r a <&7
echo now >"$files/ends"
wait "$pid" || fail "status $?" /tmp/procfs.err
unloaded 'with open files'
[ ! -e "$files" ] || fail 'the folder is still there'
cat <&7 >/dev/null 2>/tmp/procfs.refused && fail 'a file of an ended session is read'
exec 5<&- 6<&- 7<&-
grep -q 'did not fit into 10 bytes' /tmp/procfs.err || fail 'no warning' /tmp/procfs.err
is 'warnings' "$(wc -l </tmp/procfs.err)" 1
is 'writes' "$(grep -o 'wrote [0-9]* bytes' /tmp/procfs.out | tr '\n' ' ')" \
	'wrote 511 bytes wrote 89 bytes '

# An error of the handler.
session
cat "$files/fails" 2>/tmp/procfs.refused && fail 'the reading of a failed handler succeeds'
grep -q 'Input/output error' /tmp/procfs.refused || fail 'another error' /tmp/procfs.refused
wait "$pid" && fail 'status 0 after an error'
unloaded 'after an error'

# proberun is stopped: its session's thread waits for room, and readers wait for it. Killed, it
# leaves neither.
for round in 1 2; do
	session
	for i in 1 2; do
		while cat "$files/text" "$files/command"; do :; done >/dev/null 2>&1 &
	done
	exec 7<"$files/text"
	[ $round = 1 ] || kill -STOP "$pid"
	sleep 0.2
	{ kill -KILL "$pid"; wait; } 2>/dev/null
	wait_unloaded "killed, round $round"
	[ ! -e "$files" ] || fail 'the folder of a killed session is still there'
	exec 7<&-
done
rm -f /tmp/procfs.*
