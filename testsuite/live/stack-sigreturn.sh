# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# The stack at rt_sigreturn, whose instruction is the last one of its function, so that the address
# after it is in no function: it goes on in the code that the signal has interrupted.
. "$TOP/testsuite/expect.sh"
gcc -O2 -o /tmp/stack-sigreturn stack-sigreturn.c 2>log || fail 'gcc' log
trap 'rm -f /tmp/stack-sigreturn' EXIT
"$PROBERUN" "$MODULE" -c /tmp/stack-sigreturn >out 2>err || fail 'status' out err
sed 's/^ 0x[0-9a-f]* : \([^ +]*\).*$/\1/' out | grep -xE 'inner|outer|main' >names
printf '%s\n' inner outer main >expected
diff expected names >differs && [ ! -s err ] && tail -n 1 out | grep -q '/stack-sigreturn\]$' ||
	fail 'the stack is not whole' differs out err
