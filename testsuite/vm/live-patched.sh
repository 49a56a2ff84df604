# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: 5.10 6.1 6.12
# Each: direct calls and live patches share a function in other ways on each kernel.
# A live patch comes and goes while the return of its function is probed by a direct call, and a
# session begins while the function is patched: each reader gets the text of the function that is
# current, and each of its calls is counted. So it is by a kretprobe. Places within the function are
# not reached while it is patched, which a warning says. Before 6.0, the kernel takes no patch of a
# function that has a direct call, and a session makes none in one that is patched.
. "$TOP/testsuite/module.sh"
module_build patch built
cp built/patch.ko .
compile returns '
global n
probe kernel.function("cmdline_proc_show").return {
	if (!$return && @entry($m) && execname() == "cat") # kmod reads it as well
		n++
}
probe end { printf("returns %d\n", n) }' --direct
compile kretprobe 'global n
probe kernel.function("cmdline_proc_show").return { if (!$return && execname() == "cat") n++ }
probe end { printf("returns %d\n", n) }'
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
within='global n, calls
probe kernel.function("cmdline_proc_show").callee("seq_putc").call { if (execname() == "cat") n++ }
probe kernel.function("cmdline_proc_show") { if (execname() == "cat") calls++ }
probe end { printf("calls %d, within %d\n", calls, n) }'
[ -z "$debug" ] || compile within "$within" --debuginfo="$debug"
cat >inside <<'SH'
reads() { for _ in {1..20}; do cat /proc/cmdline; done | cut -d ' ' -f 1 | uniq -c; }
settled() { # until all tasks have changed over
	for _ in {1..600}; do
		[ "$(cat /sys/kernel/livepatch/patch/transition 2>/dev/null)" = 1 ] || return 0
		sleep 0.1
	done
	echo "the transition does not end"
}
off() {
	echo 0 >/sys/kernel/livepatch/patch/enabled
	for _ in {1..600}; do
		[ -e /sys/kernel/livepatch/patch ] || break
		sleep 0.1
	done
	rmmod patch
}
[ "$1" = begun ] || { reads; insmod patch.ko; echo "insmod: $?"; settled; }
reads
off
reads
SH
cat >guest <<'SH'
cd "$1" || exit 1
"$PROBERUN" -v -c 'bash inside' returns.ko; echo "first: $?"
insmod patch.ko
"$PROBERUN" -v -c 'bash inside begun' returns.ko; echo "second: $?"
insmod patch.ko
"$PROBERUN" -c 'bash inside begun' kretprobe.ko; echo "third: $?"
if [ -e within.ko ]; then
	insmod patch.ko
	"$PROBERUN" -c 'bash inside begun' within.ko; echo "fourth: $?"
fi
grep '^probec_[0-9]\|^patch' /proc/modules || true
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >said 2>&1 ||
	fail "status $?" said
sed -n 's/^ *\([0-9]\)/\1/; /^[0-9]* [^ ]*$/p; /^returns \|^calls \|: [0-9]*$/p' said |
	grep -v proberun >lines
word=$(sed -n '1s/^20 //p' lines)
patched=patched status=0 direct=2
[[ $KERNEL != 5.10 ]] || patched=$word status=1 direct=1
cat >right <<END
20 $word
insmod: $status
20 $patched
20 $word
returns 60
first: 0
20 patched
20 $word
returns 40
second: 0
20 patched
20 $word
returns 40
third: 0
END
# The function's own instructions run in the calls after the patch, which are half of all.
[ -z "$debug" ] || cat >>right <<END
20 patched
20 $word
calls 40, within 20
fourth: 0
END
[ -n "$word" ] && [ "$word" != patched ] || fail 'no command line' said
diff right lines || fail 'something differs' said
[ "$(grep -c 'direct call' said)" = "$direct" ] || fail 'not by direct calls' said
! grep -q '^probec_\|^patch' said || fail 'something is left' said
[ -z "$debug" ] ||
	grep -q "the live patch 'patch' replaces 'cmdline_proc_show', .*LIVE_PATCHED" said ||
	fail 'no warning of the place within' said
