# The names of numbers in the arguments of system calls are those of the C library's and the
# kernel's headers: all that these have are compared by the compiler, and they have nearly all.
echo "#include \"$TOP/testsuite/beside/words.h\"" >words.c
grep -o '{ 0x[0-9a-f]*, "[A-Za-z0-9_]*" }' "$TOP/tapsets/syscall_words.kp" |
	sed 's/{ \(.*\), "\(.*\)" }/_Static_assert((unsigned long long)(\2) == \1, "\2");/' |
		sort -u >>words.c
n=$(grep -c '^_Static' words.c)
[ "$n" -gt 800 ] || fail "few words: $n"
gcc -fmax-errors=0 -fsyntax-only words.c 2>said
! grep 'assertion failed' said || fail 'other numbers than in the headers'
! grep 'error:' said | grep \
	-v 'undeclared here\|expression in static assertion is not \(constant\|an integer\)' ||
	fail 'not compared' said
unknown=$(grep -c 'undeclared here' said)
[ $((unknown * 20)) -lt "$n" ] || fail "$unknown of $n words are not in the headers" said

# So are the names of system calls, by both interfaces. The 64-bit table has calls that are newer
# than the headers; from number 424 on it serves for both.
for bits in 64 32; do
	function=syscall_name last=9999
	[ $bits = 64 ] || function=_syscall_name_below_424 last=423
	{
		echo '#include <stdio.h>'
		sed -n "/^function $function:/,/^\t};/p" "$TOP/tapsets/syscall_any.kp" |
			sed '1,2d'
		echo 'int main(void) { for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)'
		echo '	if (*names[i]) printf("%s %zu\n", names[i], i); }'
	} >names.c
	gcc -o names names.c 2>said && ./names | sort >have || fail "names of $bits bits" said
	echo "#include <asm/unistd_$bits.h>" | gcc -E -dM - |
		awk -v last=$last '/__NR_/ && $3 <= last { print substr($2, 6), $3 }' | sort >want
	[ "$(wc -l <want)" -gt 350 ] || fail "few names of $bits bits" want
	comm -13 have want >lacks
	[ ! -s lacks ] || fail "no names for these calls of $bits bits, or others" lacks
	newest=$(sort -n -k 2 want | tail -n 1 | cut -d' ' -f2)
	comm -23 have want | awk -v newest="$newest" '$2 <= newest' >unknown
	[ ! -s unknown ] || fail "calls of $bits bits that the headers do not have" unknown
done
