# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# A process that was wanted when it had just begun, and then maps more code: its stacks are whole
# before the runtime would ask for it again, 50 ms later. On a slow machine the service may be late,
# so one of ten processes must do.
# Each: the kernel's stacks differ.
. "$TOP/testsuite/expect.sh"
source=$PWD/stack-young.c program=/tmp/stack-young
trap 'rm -rf "$program"' EXIT
mkdir $program && cd $program || exit 1
gcc -O2 -fPIC -shared -DLIBRARY -o libyoung.so "$source" 2>log &&
	gcc -O2 -o young "$source" -ldl 2>log || fail 'gcc' log
for _ in 1 2 3 4 5 6 7 8 9 10; do
	"$PROBERUN" "$MODULE" -c "$program/young $program/libyoung.so" >out 2>err ||
		fail 'status' out err
	# From write() in libc by both of our files to the start of the program.
	sed 's/^ 0x[0-9a-f]* : \([^ +]*\).*\[\([^]]*\)\]$/\1 \2/' out >frames
	sed '1,/^through .*libyoung.so$/d' frames | grep -q '^main .*/young$' && exit 0
done
fail 'no whole stack' out
