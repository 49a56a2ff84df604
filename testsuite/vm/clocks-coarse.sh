# SPDX-License-Identifier: GPL-2.0
# Timers without high resolution, which the kernel moves by whole ticks: live/clocks-rates finds
# that what a period shorter than a tick loses is reported.
"$PROBEC" -p4 -r "$TARGET" "$TOP/testsuite/live/clocks-rates.kp" >module 2>said ||
	fail 'it does not compile' said
cat >guest <<'END'
awk '/^ *.resolution:/ { exit $2 < 1000000 }' /proc/timer_list ||
	{ echo 'a high resolution'; exit 1; }
exec env MODULE="$1" bash "$TOP/testsuite/live/clocks-rates.sh"
END
"$TOP/lab/run" --append highres=off "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$(cat module)" >said 2>&1 || fail "status $?" said
