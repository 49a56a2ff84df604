# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: objcopy strip addr2line
# Source lines and inlined functions of a module of the kernel: from its own file, from a separate
# debug file, beside its source; of a module of the distribution, beside addr2line, if its symbols
# are here (lab/symbols); and none from the file of another build.
. "$TOP/testsuite/module.sh"
module_build places .
module_needs_debuginfo spot.ko
release=$("$TOP/lab/run" --release "$KERNEL")
source=$PWD/spot.c

line() { # TEXT: the number of the first line with it
	grep -nF "$1" spot.c | head -n 1 | cut -d: -f1
}
compile lines "global n
probe module(\"$PWD/spot.ko\").statement(\"*@spot.c:$(line '/* copied */')\") {
	if (n++ == 0) {
		print_backtrace_fileline()
		println(\"place \", symfileline(stack(1) - 1))
	}
}"
compile address 'global at probe begin { println(symfileline(at)) exit() }'

kept=debug/lib/modules/$release/extra
mkdir -p "$kept" stripped other/lib/modules/"$release"
objcopy --only-keep-debug spot.ko "$kept/spot.ko.debug" && cp spot.ko stripped/ &&
	strip -g stripped/spot.ko || fail 'strip'
# The same code with another build-id.
printf '\125' >byte
cp spot.ko other/lib/modules/"$release"/spot.ko
at=$(readelf -SW spot.ko | sed "s,^ *\[ *[0-9]*\],," |
	awk '$1 == ".note.gnu.build-id" { print $4 }')
dd if=byte of=other/lib/modules/"$release"/spot.ko bs=1 seek=$((0x$at + 20)) conv=notrunc 2>log ||
	fail 'dd' log

symbols=$("$TOP/lab/symbols" --if-here "$KERNEL") || symbols=
packaged= judged= modules=$(modules_root)
if [ -n "$symbols" ]; then
	packaged=$(find "$symbols" -name 'nf_conntrack.ko*' | head -n 1)
	offset=$(nm "$packaged" | sed -n 's/^0*\([0-9a-f]*\) T nf_conntrack_in$/\1/p')
	judged=$(addr2line -j .text -e "$packaged" "$offset" |
		sed 's/ (discriminator.*//; s/^debian\/build\/[^\/]*\///')
	: "${judged:?}"
fi

"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash \
	"$TOP/testsuite/modules/lines/guest" "$PWD" "$symbols" "$modules" >said 2>&1 ||
	fail "status $?" said
frames() {
	cat <<END
spot_copied [inlined] [spot] at $source:$(line '/* copied */')
spot_run [spot] at $source:$(line 'spot_copied(sum);')
run_set [spot] at $source:$(line '	spot_run(n);')
place $source:$(line '	spot_run(n);')
END
}
none='spot_run [spot]
run_set [spot]
place 0x'
{
	printf '== own\n%s\n' "$(frames)"
	printf '== separate\n%s\n' "$(frames)"
	printf '== again\n%s\n' "$(frames)"
	printf '== other\n%s\n== disabled\n%s\n' "$none" "$none"
	[ -z "$judged" ] || printf '== packaged\n%s\n' "$judged"
} >expected
diff expected said >difference || fail 'other frames' difference
[ -n "$symbols" ] || echo "without a module of the distribution: its symbols are not here"
