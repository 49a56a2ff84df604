# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: 6.1 6.12
# Each: direct calls and live patches share a function in other ways on each kernel.
# A live patch comes and goes while the return of its function is probed by a direct call, and a
# session begins while the function is patched: each reader gets the text of the function that is
# current, and each of its calls is counted.
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
grep '^probec_[0-9]\|^patch' /proc/modules || true
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >said 2>&1 ||
	fail "status $?" said
sed -n 's/^ *\([0-9]\)/\1/; /^[0-9]* [^ ]*$/p; /^returns \|^insmod\|: [0-9]*$/p' said |
	grep -v proberun >lines
word=$(sed -n '1s/^20 //p' lines)
cat >right <<END
20 $word
insmod: 0
20 patched
20 $word
returns 60
first: 0
20 patched
20 $word
returns 40
second: 0
END
[ -n "$word" ] && [ "$word" != patched ] || fail 'no command line' said
diff right lines || fail 'something differs' said
[ "$(grep -c 'direct call' said)" = 2 ] || fail 'not by direct calls' said
! grep -q '^probec_\|^patch' said || fail 'something is left' said
