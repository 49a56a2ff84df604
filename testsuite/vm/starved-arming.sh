# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1500
# Six thousand line probes, with MAXLOAD=0 and --suppress-time-limits. As soon as the first of them
# are armed, real-time tasks run the code on both processors and leave a twentieth of them to the
# thread that arms the rest. The last limit ends the session then, too.
. "$TOP/testsuite/module.sh"
bash "$TOP/testsuite/modules/crowd/lines" 600 >lines.h
module_build crowd .
module_needs_debuginfo crowd.ko
compile unlimited "global n
probe module(\"$PWD/crowd.ko\").statement(\"crowd_*@lines.h:*\") { n <<< 1 }
probe timer.ms(1) { println(\"armed\") }
probe end { println(\"end \", @count(n)) }
probe error { println(\"an error\") }" -w -D MAXLOAD=0
"$TOP/lab/run" --timeout 1400 --append 'nosoftlockup rcupdate.rcu_cpu_stall_suppress=1' \
	"$KERNEL" -- env PROBERUN="$PROBERUN" \
	bash "$TOP/testsuite/modules/crowd/arming" "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
