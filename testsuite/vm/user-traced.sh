# SPDX-License-Identifier: GPL-2.0
# Each: breakpoints have their way through each kernel
# A process whose system calls another one emulates, with and without single steps
# (testsuite/programs/sysemu.c): the tracer sees the same calls, steps and results as without
# probes, breakpoints are hit as often as the code runs, and probes of system calls see those calls
# only that the kernel carries out. Where the kernel's trampoline for returns is a system call
# (since 6.11), the tracer takes it away, and no uretprobe works: doc/safety.md.
build_program sysemu
script="
global work, middle, back = 0, calls
probe process(\"$PWD/sysemu\").function(\"work\").call { work++ }
probe process(\"$PWD/sysemu\").function(\"work_middle\").call { middle++ }
probe syscall.getppid { if (execname() == \"sysemu\" && pid() != target()) calls++ }
probe end { println(work, \" \", middle, \" \", back, \" \", calls) }"
build entries "$script"
build traced "$script probe process(\"$PWD/sysemu\").function(\"work\").return { back++ }"
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
alone=$(./sysemu 50)
module=traced returns=150
! grep -q ' __x64_sys_uretprobe$' /proc/kallsyms || module=entries returns=0
for option in '' --no-fast-user; do
	"$PROBERUN" -o said -c './sysemu 50 >told' $option $module.ko 2>messages || cat messages
	# getppid() before it is traced, and those of the last part.
	check "hits $option" "$(cat said)" "150 150 $returns 51"
	check "the tracer $option" "$(cat told)" "$alone"
done
echo "$alone"
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./guest "$PWD" \
	>said 2>&1 || fail "status $?" said
[ "$(cat said)" = 'emulated 100, steps in work 300, sum 15150, wrong 0, status 0' ] ||
	fail 'it says' said
