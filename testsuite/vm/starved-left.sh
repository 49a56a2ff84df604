# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1500
# Two thousand line probes in code that is run all the time, with MAXLOAD=0 and
# --suppress-time-limits. If both processors run the code while the places are armed, the last limit
# ends the session. If one processor runs it for most of its time, the session goes on; ^C, SIGTERM,
# -T and kill -9 of proberun end it, also when both processors have no time left for other tasks
# while the places are disarmed.
. "$TOP/testsuite/module.sh"
bash "$TOP/testsuite/modules/crowd/lines" 200 >lines.h
module_build crowd .
module_needs_debuginfo crowd.ko
compile unlimited "global n
probe module(\"$PWD/crowd.ko\").statement(\"crowd_*@lines.h:*\") { n <<< 1 }
probe timer.s(1) { println(\"tick\") }
probe end { println(\"hits: \", @count(n) > 10000 ? \"many\" : \"few\") }
probe error { println(\"an error\") }" -w -D MAXLOAD=0
[ "$(readelf -p .probec unlimited.ko | grep -c 'crowd_.*lines.h:')" -gt 2000 ] || fail "few lines"
"$TOP/lab/run" --timeout 1400 "$KERNEL" -- env PROBERUN="$PROBERUN" \
	bash "$TOP/testsuite/modules/crowd/left" "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
