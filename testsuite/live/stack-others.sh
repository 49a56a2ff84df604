# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# Stacks of other threads: that of the kernel beside /proc, that of the program beside the one that
# the thread itself showed when it began to wait; and of all threads that are switched to or woken
# in a storm, in which threads begin and end.
# Each: the kernel's stacks differ.
. "$TOP/testsuite/expect.sh"
gcc -O2 -pthread -o /tmp/others stack-others.c 2>log || fail gcc log
trap 'rm -f /tmp/others' EXIT
# The stack of each thread of the machine is taken, also of those that have just begun.
quiet() {
	grep -v -e 'stacks\? of processes .* incomplete' -e '^ *= ' err && fail 'messages' err out
}
whole='(entry_SYSCALL|ret_from_fork|asm_|el0)'

"$PROBERUN" -o out "$MODULE" -c /tmp/others >told 2>err || fail status out err
quiet
# between LINE PATTERN FILE: its lines after that one, up to one that matches.
between() { awk -v from="$1" -v to="$2" '$0 ~ to { on = 0 } on; $0 == from { on = 1 }' "$3"; }
# part NUMBER: what was printed for that call of getsid().
part() { between "asked $1" '^(asked|totals)' out; }
number=0
for thread in read poll; do
	number=$((number + 1))
	between $thread '^[a-z]' told | sed 's/^.*\] //; s/+.*//' >theirs
	part $number >said
	sed '/^same/,$d; s/^ 0x[0-9a-f]* : //; s/+.*//' said | grep -vE '^(__)?schedule' |
		tail -n "$(wc -l <theirs)" >ours
	[ -s theirs ] && cmp -s ours theirs || fail "another stack in $thread()" told out
	grep -q '^ 0x[0-9a-f]* : __schedule+' said || fail 'does not begin where it was left' out
	grep -qE '^same 1 age [1-9][0-9]*$' said || fail "another stack of the program" out
	grep -A 2 " : in_$thread+" said | tr '\n' ' ' |
		grep -qE " : in_$thread\+.* : (reader|poller)\+.* : start_thread\+" ||
		fail 'names' out
done
grep -q '^bad value: the thread is on a processor$' out || fail 'one that runs' out
part 23 | grep -qx 'bad value: no such thread, or it has ended' || fail 'one that has ended' out

"$PROBERUN" -o out "$MODULE" -c '/tmp/others storm' 2>err || fail status out err
quiet
grep -q '^error switch' out && fail 'a thread that was switched to had no stack' out
reasons='is on a processor|went on to run meanwhile|no such thread, or it has ended|has ended'
grep '^error waking' out | grep -vE " bad value: (the thread )?($reasons)\$" &&
	fail 'another error' out
awk -v whole="^$whole" '
	/^(switch|waking) / { n += $4; if ($3 !~ whole) wrong += $4 }
	END { print n + 0, wrong + 0; exit !(n > 1000 && !wrong) }' out >sum ||
	fail "stacks that are not whole: $(cat sum)" out
