# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# The stack at rt_sigreturn, whose instruction is the last one of its function, so that the address
# after it is in no function: it goes on in the code that the signal has interrupted.
. "$TOP/testsuite/expect.sh"
gcc -O2 -o /tmp/stack-sigreturn stack-sigreturn.c 2>log || fail 'gcc' log
trap 'rm -f /tmp/stack-sigreturn' EXIT
# The first stack is whole; on PREEMPT_RT, one that comes later.
rm -f go
is_realtime || : >go
"$PROBERUN" -o out "$MODULE" -c '/tmp/stack-sigreturn go' 2>err & session=$!
[ -e go ] || wait_for 'a whole stack' grep -q '/stack-sigreturn\]$' out
: >go
wait $session || fail 'status' out err
sed 's/^ 0x[0-9a-f]* : \([^ +]*\).*$/\1/' out | grep -xE 'inner|outer|main' >found
if is_realtime; then tail -n 3 found >names; else cp found names; fi
printf '%s\n' inner outer main >expected
diff expected names >differs && { [ ! -s err ] || is_realtime; } &&
	tail -n 1 out | grep -q '/stack-sigreturn\]$' ||
	fail 'the stack is not whole' differs out err
