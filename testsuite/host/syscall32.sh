# SPDX-License-Identifier: GPL-2.0
# Every call of the 32-bit interface has an alias syscall32.NAME if the kernel has a function for
# it, and only those; a kernel without that interface is named.
#@ needs: target
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"

# Numbers that no current kernel has a function for. fcntl() and fcntl64() enter one.
cat >without <<'END'
_sysctl
afs_syscall
bdflush
break
create_module
fcntl
ftime
get_kernel_syms
getpmsg
gtty
idle
lock
lookup_dcookie
mpx
nfsservctl
prof
profil
putpmsg
query_module
stty
ulimit
vm86
vm86old
vserver
END
echo '#include <asm/unistd_32.h>' | gcc -E -dM - | awk '/__NR_/ { print substr($2, 6) }' |
	sort | comm -23 - without >want
"$PROBEC" -r "$TARGET" -l 'syscall32.*' >said 2>&1 || fail 'not listed' said
sed 's/^syscall32\.//; s/[ .].*//' said | sort -u >have
[ "$(wc -l <want)" -gt 390 ] || fail 'few calls in the headers' want
comm -23 want have >lacks
[ ! -s lacks ] || fail 'calls without an alias' lacks
# A kernel may be newer than the headers: what only it has is a call of both interfaces.
"$PROBEC" -r "$TARGET" -l 'syscall.*' | sed 's/^syscall\.//; s/[ .].*//' | sort -u >of_both
comm -13 want have | grep -vxE 'bdflush|lookup_dcookie' | comm -23 - of_both >more
[ ! -s more ] || fail 'aliases without a call' more

# On each kernel that is here, the probe of a call is at the function that the kernel's table of
# calls has for it.
caches=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
echo '#include <asm/unistd_32.h>' | gcc -E -dM - |
	awk '/__NR_/ { print $3, substr($2, 6) }' >numbers
# Compare the probes of TARGET with TABLE.
compare_functions() { # TARGET TABLE
	# The last of several lines for a number is that of a 64-bit kernel.
	perl -ne 'print "$1 __ia32_$2\n" if /^__SYSCALL\w*\((\d+), (?:\w+, )?(\w+)\)/' "$2" |
		awk 'NR == FNR { of[$1] = $2; next } $1 in of { print $2, of[$1] }' \
			- numbers | sort >functions
	"$PROBEC" -r "$1" -l 'syscall32.*' | sed 's/^syscall32\.//; s/[ .].*//' | sort -u |
		join - functions >wanted
	[ "$(wc -l <wanted)" -gt 350 ] || fail "$1: few calls" wanted
	awk '{ print "probe syscall32." $1 " { println(name) }" }' wanted >all.kp
	# This call has probes at both functions that tables have for it.
	of=$(sed -n 's/^io_pgetevents_time64 //p' wanted)
	"$PROBEC" -r "$1" -p2 -v all.kp 2>said |
		sed -n 's/^	site kernel \(.*\)+0$/\1/p' | awk -v of="$of" '$1 == of ||
			!/^__ia32_(compat_sys_io_pgetevents_time64|sys_io_pgetevents)$/' |
		paste -d ' ' <(cut -d ' ' -f 1 wanted) - | diff wanted - >differ ||
		fail "$1: the kernel's table (<) and the probes (>)" differ
	compared=1
}
compared=
for target in "$TARGET" "$caches"/targets/*; do
	release=$(sed -n '2s/^release //p' "$target")
	for tree in "/lib/modules/$release/build" "$caches/lab/$release/build"; do
		table=$tree/arch/x86/include/generated/asm/syscalls_32.h
		[ -e "$table" ] || continue
		compare_functions "$target" "$table"
		break
	done
done
[ -n "$compared" ] || fail 'no table of calls'

# The same target without the functions.
python3 - "$TARGET" without-32bit <<'PYTHON' || fail 'the target'
import re, sys
text = open(sys.argv[1], 'rb').read()
at = re.search(rb'^section symbols (\d+)\n', text, re.M)
end = at.end() + int(at.group(1))
kept = b''.join(line for line in text[at.end():end].splitlines(True)
                if not line.startswith(b'__ia32_'))
gone = end - at.end() - len(kept)
# The following sections keep their places.
kept += b'z' * (gone - 1) + b'\n'
open(sys.argv[2], 'wb').write(text[:at.end()] + kept + text[end:])
PYTHON
refused E_NO_MATCH 'no interface' "$PROBEC" -r ./without-32bit -p2 \
	-e 'probe syscall32.openat { println(argstr) }'
grep -q 'has no 32-bit system call interface (CONFIG_IA32_EMULATION is not set)' said ||
	fail 'without a reason' said
"$PROBEC" -r ./without-32bit -p2 -e 'probe syscall.openat, syscall32.openat { println(argstr) }' \
	>said 2>&1 || fail 'both interfaces' said
