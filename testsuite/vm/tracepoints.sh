# SPDX-License-Identifier: GPL-2.0
# The tracepoint of our own module (testsuite/modules/tracepoint): twelve arguments of all sizes;
# the module is loaded before and after the session starts, is removed below it and loaded again.
#@ needs: pahole
. "$TOP/testsuite/module.sh"
module_build tracepoint build.stone
module_btf build.stone/stone.ko
cp build.stone/stone.ko .

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

"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash \
	"$TOP/testsuite/modules/tracepoint/guest" "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
