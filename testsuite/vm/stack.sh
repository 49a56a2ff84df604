# SPDX-License-Identifier: GPL-2.0
# The stack at each instruction of a function (testsuite/modules/stack), compared with the stack at
# its entry, which ftrace delivers; at the function's return, and saved at its entry; and in the
# kernel, where a kprobe is first a breakpoint and then a jump.
. "$TOP/testsuite/module.sh"
module_build stack .
m='kprobe.module("deep")'
# Where a function has a kretprobe, the unwinder of 5.10 does not find its caller.
returns="probe $m.function(\"deep\").return {
	n[sprintf(\"return: %s %s %d\", symname(stack(0)), symname(stack(1)), substr(backtrace(), 38, 500) == outer)]++
	n[sprintf(\"kept: %s %s %d\", symname(@entry(stack(0))), symname(@entry(stack(1))), @entry(stack(1)) == stack(0))]++
}"
case $("$TOP/lab/run" --release "$KERNEL") in 5.10.*) returns= ;; esac
places=
for n in 1 2 3 4 5 6 7 8 9 10; do
	places="$places, $m.function(\"deep_$n\")"
done

# Each address of a list has 18 characters and a blank.
script="global n, outer
probe $m.function(\"deep_outer\") { outer = substr(backtrace(), 19, 500) }
function look:string() {
	return sprintf(\"%s %d %s %s %s %d %d\", symname(addr()), addr() == stack(0), symname(stack(1)), symname(stack(2)),
		substr(caller(), 0, 10), caller_addr() == stack(1), substr(backtrace(), 57, 500) == outer)
}
probe $m.function(\"deep\")$places { n[probefunc() . \": \" . look()]++ }
$returns
probe end { foreach ([a+] in n) println(a, \" \", n[a]) }"
compile apart "$script"
# With a second probe at each, the script's own hit functions are not used.
compile together "$script
global others
probe $m.function(\"deep\")$places { others++ }
probe end { println(\"others \", others) }"

debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
push() { # prints the first one-byte push in vfs_read; gcc 16 stores registers without one
	objdump -d --disassemble=vfs_read "$debug"/boot/vmlinux-* |
		awk -F'\t' '!stored && $3 ~ /^mov  *%r[a-z0-9]*,0x[0-9a-f]*\(%rsp\)/ { stored = $1 }
			!pushed && $2 ~ /^5[0-7] *$/ { pushed = $1 }
			END { at = pushed ? pushed : stored; sub(":.*", "", at); print "0x" at }'
}
[ -z "$debug" ] || compile kernel "
global entry, same, other
probe kernel.function(\"vfs_read\").call { entry[tid()] = substr(backtrace(), 19, 500) }
probe kernel.statement($(push)) {
	if (entry[tid()] == \"\") next
	if (addr() == stack(0) && substr(backtrace(), 19, 500) == entry[tid()]) same++
	else other++
}
probe end { println(same > 1, \" \", other) }" --debuginfo "$debug"

said() { # NAME
	echo "== $1"
	for place in deep deep_10 deep_1 deep_2 deep_3 deep_4 deep_5 deep_6 deep_7 deep_8 deep_9; do
		echo "$place: $place 1 deep_back deep_outer deep_back  1 1 3"
	done
	[ -n "$returns" ] || return 0
	echo "kept: deep deep_back 1 3"
	echo "return: deep_back deep_outer 1 3"
}
{
	said apart
	said together
	echo 'others 33'
	[ -z "$debug" ] || printf '== kernel\n1 0\n'
} >expected
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$TOP/testsuite/modules/stack/guest" \
	"$PWD" >said 2>&1 || fail "status $?" said
diff expected said >difference || fail "it said otherwise:" difference
[ -n "$debug" ] || echo \
	"vm/stack: not tried in the kernel: lab/symbols $KERNEL fetches its symbols" >&2
