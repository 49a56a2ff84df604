# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 3000
#@ needs: target
# All functions and inlined copies of the kernels, and all parameters at their entries, compared
# with what other readers find in the same debug symbols (lab/symbols). doc/places.md lists the
# differences and their reasons.
# shellcheck shell=bash disable=SC2154
for tool in llvm-dwarfdump readelf nm; do
	command -v $tool >/dev/null || { echo "$tool is not installed (llvm, binutils)"; exit 77; }
done
export LC_ALL=C
beside=$TOP/build/testsuite/beside
make -s -C "$TOP" build/testsuite/beside/located build/testsuite/beside/dumped >made 2>&1 ||
	fail 'not built' made
tried=0
for kernel in $KERNELS; do
	debug=$("$TOP/lab/symbols" --if-here "$kernel") || continue
	target=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
	vmlinux=$(echo "$debug"/boot/vmlinux-*)
	nm -n "$vmlinux" >symbols
	readelf --debug-dump=frames-interp "$vmlinux" >frames 2>/dev/null
	llvm-dwarfdump --debug-info "$vmlinux" | "$beside/dumped" frames | sort -u >theirs
	"$beside/located" "$target" "$debug" symbols | sort -u >ours || fail "located, on $kernel"
	rm -f unexplained
	awk -f "$TOP/testsuite/beside/compare.awk" symbols "$target" theirs ours | sort -k 2 >counts
	[ ! -s unexplained ] \
		|| \
		{ head -n 40 unexplained >some; fail "on $kernel, not explained by doc/places.md:" counts some; }
	for what in 'functions: the same' 'copies: the same' 'values at entries: the same' \
		'values in copies: the same'; do
		awk -v "what=$what" 'index($0, " " what) && $1 > 30000 { n++ } END { exit !n }' \
			counts ||
			fail "too little was compared on $kernel: $what" counts
	done
	[ -z "${COUNTS:-}" ] || { echo "$kernel"; cat counts; } >>"$COUNTS"
	tried=$((tried + 1))
done
[ $tried != 0 ] || { echo "no debug symbols are here: lab/symbols ${KERNELS%% *}"; exit 77; }
