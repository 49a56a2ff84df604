# SPDX-License-Identifier: GPL-2.0
# The names of numbers in the arguments of system calls are those of the C library's and the
# kernel's headers: all that these have are compared by the compiler, and they have nearly all. For
# arm64 the cross compiler does it, where it is installed.
compare_words() { # COMPILER PROCESSOR
	echo "#include \"$TOP/testsuite/beside/words.h\"" >words.c
	grep -ho '{ 0x[0-9a-f]*, "[A-Za-z0-9_]*" }' "$TOP/tapsets/syscall_words.kp" \
		"$TOP/tapsets/$2/open_words.kp" |
		sed 's/{ \(.*\), "\(.*\)" }/_Static_assert(\2 + 0ULL == \1, "\2");/' |
		sort -u >>words.c
	n=$(grep -c '^_Static' words.c)
	[ "$n" -gt 800 ] || fail "few words: $n"
	"$1" -fmax-errors=0 -fsyntax-only words.c 2>said
	! grep 'assertion failed' said || fail "other numbers than in the headers of $2"
	! grep 'error:' said | grep -v \
		'undeclared here\|expression in static assertion is not \(constant\|an integer\)' ||
		fail "not compared for $2" said
	unknown=$(grep -c 'undeclared here' said)
	[ $((unknown * 20)) -lt "$n" ] || fail "$unknown of $n words are not in the headers" said
}
compare_words gcc x86_64
! command -v aarch64-linux-gnu-gcc >/dev/null || compare_words aarch64-linux-gnu-gcc aarch64

# So are the names of system calls, by both interfaces of x86-64 and that of arm64. A table has
# calls that are newer than the headers; from number 424 on, that of 64 bits serves for both.
for which in x86_64.64 x86_64.32 aarch64.64; do
	function=syscall_name last=9999 bits=${which#*.}
	[ $bits = 64 ] || function=_syscall_name_below_424 last=423
	{
		echo '#include <stdio.h>'
		sed -n "/^function $function:/,/^\t};/p" \
			"$TOP/tapsets/${which%.*}/syscall_names.kp" | sed '1,2d'
		echo 'int main(void) { for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)'
		echo '	if (*names[i]) printf("%s %zu\n", names[i], i); }'
	} >names.c
	gcc -o names names.c 2>said && ./names | sort >have || fail "names of $which" said
	# The header of arm64 chooses calls like this before it includes the generic one.
	case $which in
	x86_64.*) echo "#include <asm/unistd_$bits.h>" ;;
	*) for word in RENAMEAT NEW_STAT SET_GET_RLIMIT TIME32_SYSCALLS SYS_CLONE3 MEMFD_SECRET; do
		echo "#define __ARCH_WANT_$word"
		done
		echo '#include <asm-generic/unistd.h>' ;;
	esac >calls.h
	{
		printf '%s\n' '#include <stdio.h>' '#include "calls.h"' 'int main(void) {'
		gcc -E -dM calls.h | sed -n 's/^#define __NR_\([a-z_0-9]*\) .*/\1/p' |
			grep -v '^arch_specific_syscall$\|^syscalls$' |
			sed 's/.*/	printf("%s %d\\n", "&", (int)__NR_&);/'
		echo '}'
	} >wanted.c
	gcc -o wanted wanted.c 2>said && ./wanted | awk -v last=$last '$2 <= last' | sort >want ||
		fail "wanted names of $which" said
	[ "$(wc -l <want)" -gt 300 ] || fail "few names of $which" want
	comm -13 have want >lacks
	[ ! -s lacks ] || fail "no names for these calls of $which, or others" lacks
	newest=$(sort -n -k 2 want | tail -n 1 | cut -d' ' -f2)
	# Linux gave uretprobe() (6.11) and uprobe() numbers between older ones, which Debian 12's
	# headers lack.
	comm -23 have want | awk -v newest="$newest" '$2 <= newest' |
		grep -vx 'uretprobe 335\|uprobe 336' >unknown
	[ ! -s unknown ] || fail "calls of $which that the headers do not have" unknown
done
exit 0
