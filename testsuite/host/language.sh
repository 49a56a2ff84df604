# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Every example of the documents that have some compiles without a message.
# shellcheck shell=bash disable=SC2154
for document in language tutorial library README; do
	mkdir "$document"
	cd "$document" || exit 1
	file=$TOP/doc/$document.md
	[ -f "$file" ] || file=$TOP/$document.md
	"$TOP/testsuite/examples" "$file"
	for example in *.kp; do
		options=()
		[ ! -f "${example%kp}run" ] || eval "options=($(cat "${example%kp}run"))"
		for kernel in $KERNELS; do
			other=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
			"$PROBEC" -g -p3 -r "$other" "${options[@]}" "$example" \
				>/dev/null 2>said && [ ! -s said ] ||
				fail "$document.md:${example%.kp} on $kernel" said
		done
	done
	cd ..
done
[ "$(find language -name '*.kp' | wc -l)" -ge 16 ] || fail 'few examples of language.md'
[ "$(find tutorial -name '*.kp' | wc -l)" -ge 23 ] || fail 'few examples of tutorial.md'
[ "$(find library -name '*.kp' | wc -l)" -ge 6 ] || fail 'few examples of library.md'
