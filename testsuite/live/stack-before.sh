# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc perl
# Stacks of a process that was there before the session, and before which others were there whose
# files take longer to read than the session waits: if the script probes its program, its stacks are
# whole from the first hit.
# Each: the kernel's stacks differ.
. "$TOP/testsuite/expect.sh"
[ "$(uname -m)" = x86_64 ] || { echo 'the large program is for x86-64'; exit 77; }
folder=/tmp/stack-before
mkdir $folder || exit 1
pids=()
trap '{ kill "${pids[@]}"; wait; } 2>/dev/null; rm -rf $folder' EXIT
# A hundred thousand functions with call frame information, in processes with lower numbers.
{
	echo '.text; .globl _start; _start: mov $34, %eax; syscall; jmp _start'
	echo '.rept 100000; .cfi_startproc; push %rbp; .cfi_def_cfa_offset 16; pop %rbp; ret'
	echo '.cfi_endproc; .endr'
} >$folder/large.s
gcc -nostdlib -static -o $folder/large $folder/large.s 2>log || fail gcc log
for n in 1 2 3; do
	cp $folder/large $folder/large$n
	$folder/large$n &
	pids+=($!)
done
mkfifo $folder/in
perl -e '$| = 1; print "ready\n"; <>; getpgrp(0) for 1 .. 500; print "done\n"; <>' \
	<$folder/in >$folder/told &
pids+=($!)
exec 3>$folder/in
wait_for 'the target' grep -q ready $folder/told
"$PROBERUN" "$MODULE" -c "echo >$folder/in; until grep -q done $folder/told; do sleep 0.1; done" \
	>out 2>err || fail status out err
[ "$(head -n 1 out)" = 500 ] && [ "$(grep -c '^[0-9]' out)" = 1 ] || fail 'several stacks' out err
grep -qE ' : main\+.*/perl\]' out && grep -qE ' : _start\+.*/perl\]' out || fail 'its names' out
