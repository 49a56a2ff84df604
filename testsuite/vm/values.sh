# SPDX-License-Identifier: GPL-2.0
# Values from debug information: a module says what probes at its lines must see
# (testsuite/modules/values).
#@ seconds: 1200
. "$TOP/testsuite/module.sh"
module_build values build.values
cp build.values/values.ko .
module_needs_debuginfo values.ko

m="module(\"$PWD/values.ko\")"
at() { # MARK: prints the line of main.c with that mark
	echo "\"*@main.c:$(sed -n "/HERE $1 /=" "$TOP/testsuite/modules/values/main.c")\""
}
# gcc 16 drops a constant that gcc 12 describes.
fixed='$fixed' listed='\$fixed:const long int '
readelf --debug-dump=info values.ko 2>/dev/null | grep -A 8 ': fixed$' | grep -q DW_AT_const_value ||
	fixed=1234 listed=
cat >script.kp <<END
probe $m.statement($(at locals)) {
	printf("locals sum=%d byte=%d a=%d,%d first=%d second=%d calls=%d fixed=%d\\n", \$sum, \$byte, \$array[\$n & 3],
	       \$array[3], \$pair->first, \$pair->second, \$calls, $fixed)
}
probe $m.statement($(at members)) {
	printf("members low=%d mid=%d wide=%d grid=%d name=%s lo=%d hi=%d shade=%d next=%d\\n", \$t->low, \$t->mid, \$t->wide,
	       \$t->grid[1][2], kernel_string(&\$t->name), \$t->lo, \$t->hi, \$t->shade, \$t->next->mid)
}
probe $m.statement($(at twice)) { printf("twice x=%d y=%d\\n", \$x, \$y) }
probe $m.function("cloned") { printf("cloned k=%d\\n", \$k) }
probe $m.statement($(at kept)) { printf("kept early=%d gone=%d\\n", \$early, \$gone) }
probe $m.statement($(at gone)) { printf("gone gone=%d %s\\n", \$gone, \$\$vars) }
probe $m.statement($(at nested)) { printf("nested mid=%d n=%d\\n", \$t->mid, \$n) }
probe $m.statement($(at register)) { printf("register r15=%d\\n", register("r15")) }
probe $m.statement($(at globals)) {
	printf("globals counter=%d mine=%d shared=%d\\n", @var("counter@main.c", "values"), \$mine, @var("values_shared", "values"))
}
END
compile script "$(cat script.kp)" --debuginfo "$PWD"

# Two of them use registers at the entry of their function.
"$PROBEC" --explain -r "$TARGET" --debuginfo "$PWD" -e \
	"probe $m.statement($(at gone)) { println(\$gone) }" >said 2>&1
grep -q '\$gone: long int, in register di at the function.s entry, which a probe there keeps' said \
	|| fail "it explains" said

# For a value that is not available, the error names the nearest line that has it, or the reason.
# The clone of gcc 10 has other parameters only, and returns what the function does.
if ! nm values.ko | grep -q ' cloned\.constprop\.[0-9]*$'; then
	"$PROBEC" -p2 -r "$TARGET" --debuginfo "$PWD" -e \
		"probe $m.function(\"cloned\").return { println(\$return) }" >/dev/null 2>said &&
		fail "a clone may return nothing"
	grep \
		-q "'\$return' is not available: of 'cloned[.a-z0-9]*', a clone, the compiler may have removed what it returns" said ||
		fail "it says" said
fi
"$PROBEC" -p2 -r "$TARGET" --debuginfo "$PWD" -e \
	"probe $m.statement($(at gone)) { println(\$early) }" >/dev/null 2>said &&
	fail "\$early is nowhere there"
grep -q "'\$early' is not available: .*the nearest line that has it is .*main.c:" said ||
	fail "it says" said

# At a function's return, locals are available that are not in the function's stack frame.
"$PROBEC" -L "$m.function(\"locals@main.c\").return" -r "$TARGET" --debuginfo "$PWD" >said 2>&1
grep -q "\.return \$t:struct thing\* \$n:long int \$calls:int $listed\\\$return:long int\$" said ||
	fail "it lists" said
"$PROBEC" -p2 -r "$TARGET" --debuginfo "$PWD" -e \
	"probe $m.function(\"locals@main.c\").return { println(\$sum) }" >/dev/null 2>said &&
	fail "\$sum is gone there"
grep -q "'\$sum' is not available: .*; where the function returns, parameters are known" said ||
	fail "it says" said

printf '#!/bin/sh\necho 6 >/sys/module/values/parameters/run\n' >run-it
chmod +x run-it
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" sh "$TOP/testsuite/modules/values/guest" \
	"$PWD" >said 2>&1 || fail "status $?" said
