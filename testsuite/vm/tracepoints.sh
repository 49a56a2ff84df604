# SPDX-License-Identifier: GPL-2.0
# The tracepoint of a module of our own (testsuite/tracepoint): twelve arguments of all sizes; the module comes before the
# session and after it, goes below it and comes again.
#@ needs: pahole
release=$("$TOP/lab/run" --release "$KERNEL")
build=/lib/modules/$release/build
[ -d "$build" ] || build=${TARGET%/targets/*}/lab/$release/build

# The kernel's BTF out of the target, on which that of the module stands.
head=$(LC_ALL=C grep -abo -m 1 '^section btf [0-9]*$' "$TARGET") || fail "the target has no BTF"
at=${head%%:*}
tail -c +$((at + ${#head} - ${#at} + 1)) "$TARGET" | head -c "${head##* }" >base.btf
mkdir build.stone && cp "$TOP"/testsuite/tracepoint/* build.stone
make -C "$build" M="$PWD/build.stone" CONFIG_DEBUG_INFO_BTF_MODULES= modules >log 2>&1 || fail "the module does not build" log
pahole -J --btf_base base.btf build.stone/stone.ko >log 2>&1 || fail "pahole" log
cp build.stone/stone.ko .

compile() { # NAME SCRIPT
	"$PROBEC" -p4 -r "$TARGET" -e "$2" >module 2>said || fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
here="module(\"$PWD/stone.ko\").tracepoint"
compile all "
probe $here(\"stone_fell\") {
	printf(\"%d %d %d %d %d %s \", \$a, \$b, \$c, \$d, \$e, kernel_string(\$f))
	printf(\"%d %d %d %x %d %s %d\\n\", \$arg7, \$h, \$i, \$j, \$k->weight, kernel_string(\$arg11->name), \$l)
}"
compile count "
global n, m, name, where
probe $here(\"stone_*\") { n++; name = \$\$name }
probe $here(\"*\") { m++; where = probefunc() . \" \" . kernel_string(\$k->name) }
probe end { println(n, \" \", m, \" \", name, \" \", where) }"

"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$TOP/testsuite/tracepoint/guest" "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
