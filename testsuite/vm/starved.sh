# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# Line probes in code that both processors run all the time, with MAXLOAD=0 and
# --suppress-time-limits: the machine has no time left for other tasks, and the last limit ends the
# session in order. With the default limit that one ends the session, and reports the cost of the
# breakpoints. twin/test_budget.c tests that one free processor among several prevents the last
# limit. If the kernel's symbols are here (lab/symbols), places of the kernel that may become jumps
# are armed and removed under load.
. "$TOP/testsuite/module.sh"
bash "$TOP/testsuite/modules/crowd/lines" 8 >lines.h
module_build crowd .
module_needs_debuginfo crowd.ko
script="global n
probe module(\"$PWD/crowd.ko\").statement(\"crowd_*@lines.h:*\") { n <<< 1 }
probe timer.s(1) { println(\"tick\") }
probe end { println(\"hits: \", @count(n) > 10000 ? \"many\" : \"few\") }
probe error { println(\"an error\") }"
compile unlimited "$script" -w -D MAXLOAD=0
compile limited "$script" -w
[ "$(readelf -p .probec unlimited.ko | grep -c 'crowd_.*lines.h:')" -gt 50 ] || fail "few lines"
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
[ -z "$debug" ] || compile jumps 'global n
probe kernel.statement("vfs_*@fs/read_write.c:*") { n <<< 1 }
probe end { println(@count(n) > 1000) }' -w -D MAXLOAD=0 --debuginfo "$debug"
"$TOP/lab/run" --timeout 850 "$KERNEL" -- env PROBERUN="$PROBERUN" bash \
	"$TOP/testsuite/modules/crowd/guest" "$PWD" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
[ -n "$debug" ] || echo \
	"vm/starved: not tried in the kernel: lab/symbols $KERNEL fetches its symbols" >&2
