#@ needs: target
# Every example of doc/language.md compiles without a message.
# shellcheck shell=bash disable=SC2154
"$TOP/testsuite/examples" "$TOP/doc/language.md"
[ "$(find . -name '*.kp' | wc -l)" -ge 16 ] || fail 'the examples were not found'
for example in *.kp; do
	for kernel in $KERNELS; do
		other=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
		"$PROBEC" -g -p3 -r "$other" "$example" >/dev/null 2>said && [ ! -s said ] ||
			fail "doc/language.md:${example%.kp} on $kernel" said
	done
done
