#@ seconds: 900
#@ slow
# SPDX-License-Identifier: GPL-2.0
# Each: the kernels emulate different instructions
# Kprobes on single instructions (testsuite/modules/forms): those that the kernel's kprobes execute
# wrongly are refused; all others are hit and have the same result as without a probe. The kernel's
# own kprobes on the same instructions are the judge. Then the places in the kernel with such an
# instruction, with its symbols (lab/symbols).
. "$TOP/testsuite/module.sh"
module_build forms .

m="module(\"$PWD/forms.ko\")"
compile each "global n
probe $m.function(\"at_*\") { n[probefunc()]++ }
probe end { foreach ([a+] in n) println(a, \" \", n[a]) }"
compile named "probe $m.function(\"at_call_cs\") { println(\"hit\") }"
compile returns "probe $m.function(\"at_loop_1\").return { println(\"hit\") }"
compile fault "probe $m.function(\"at_fault_page\") { println(\"hit\") }"
compile trampoline 'probe kprobe.function("__SCT__tp_func_sched_switch") { println("hit") }'

debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
if [ -n "$debug" ]; then
	vmlinux=$(echo "$debug"/boot/vmlinux-*)
	nm "$vmlinux" >symbols
	at=0x$(objdump -d --disassemble=cpu_stopper_thread "$vmlinux" | sed -n 's/^\([0-9a-f]*\):.*\t2e e8 .*/\1/p' | head -1)
	begin=0x$(objdump -d --disassemble=cpu_stopper_thread "$vmlinux" | sed -n 's/^\([0-9a-f]*\) <cpu_stopper_thread>:$/\1/p')
	every='kernel.statement("cpu_stopper_thread@kernel/stop_machine.c:*")'
	line=$("$PROBEC" -p3 -r "$TARGET" -e "probe $every { }" --debuginfo "$debug" | sed -n "s/.*stop_machine.c:\([0-9]*\).*\.offset = $((at - begin)) .*/\1/p" | tail -1)
	compile prefixed "probe kernel.statement($at) { println(\"hit\") }" --debuginfo "$debug"
	compile lines \
		"probe kernel.statement(\"cpu_stopper_thread@kernel/stop_machine.c:$line\") { println(\"hit\") }" --debuginfo "$debug"
	numbers=__do_proc_douintvec
	grep -q " $numbers\$" symbols || numbers=do_proc_douintvec # of kernel 7.2
	compile ranges "global n
probe $every, kernel.statement(\"$numbers@kernel/sysctl.c:*\") { n++ }
probe end { println(n) }" --debuginfo "$debug"
	# An entry of the exception table holds the distance of the instruction from the entry.
	read -r address offset < \
		<(readelf -SW "$vmlinux" | sed -n 's/^.* __ex_table  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p')
	entry=$((12 * 100))
	read -r distance < <(od -An -t d4 -j $((0x$offset + entry)) -N 4 "$vmlinux")
	compile table \
		"probe kernel.statement($((0x$address + entry + distance))) { println(\"hit\") }" \
		--debuginfo "$debug"
	# Behind ftrace's call in functions that have a cold part.
	sed -n 's/^[^ ]* t \(.*\)\.cold$/\1/p' symbols >cold
	behind=5
	objdump -d --disassemble=vfs_read "$vmlinux" | grep -q endbr64 && behind=9
	[ ! -s cold ] || awk -v behind=$behind 'FNR == NR { cold[$1]; next } $2 == "T" && $3 in cold && $3 ~ /^(vfs|tcp|inet|input|pci|proc|do|kernel|acpi|security)_/ {
		print $1, behind }' cold symbols | head -20 | while read -r at behind; do printf '0x%x\n' $((0x$at + behind)); done >split
	[ ! -s split ] || compile split \
		"probe $(sed 's/.*/kernel.statement(&)/' split | paste -sd,) { }" \
		--debuginfo "$debug"
fi
"$TOP/lab/run" --append nokaslr "$KERNEL" -- env PROBERUN="$PROBERUN" bash \
	"$TOP/testsuite/modules/forms/guest" "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
[ -n "$debug" ] || echo \
	"vm/forms: not tried in the kernel: lab/symbols $KERNEL fetches its symbols" >&2
