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
