# SPDX-License-Identifier: GPL-2.0
# The tools for Java, compared with what HotSpot says of itself: javagc with -Xlog:gc, javaclasses
# with -Xlog:class+load, javalocks with a program that knows when its thread waited.
#@ slow
#@ needs: javac
jvm=
for dir in /usr/lib/jvm/*/; do
	[ -x "$dir/bin/javac" ] && readelf -n "$dir/lib/server/libjvm.so" 2>/dev/null |
		grep -q gc__begin && jvm=$dir
done
[ -n "$jvm" ] || { echo 'no virtual machine for Java has markers here'; exit 77; }
"$jvm/bin/javac" -d . "$TOP/testsuite/programs/Marked.java" 2>log || fail 'the program' log
for tool in javagc javaclasses javalocks; do
	"$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/$tool.kp" >module 2>said ||
		fail "$tool does not compile" said
	cp "$(cat module)" "$tool.ko"
done
cat >guest <<'SH'
cd "$1" || exit 1
java="$2/bin/java -Xshare:auto -XX:TieredStopAtLevel=1 -Xmx64m"
. "$TOP/testsuite/check.sh"
# The log has "[0.1s][info][gc] GC(0) Pause Young (Allocation Failure) 17M->1M(61M) 2.345ms".
for collector in Serial G1; do
	"$PROBERUN" -o seen -c "$java -XX:+Use${collector}GC -Xlog:gc:file=log Marked gc" \
		javagc.ko || exit 1
	check "collections of $collector" \
		"$(awk 'NF == 5 && ($3 == "partial" || $3 == "full") { print $3 }' seen | sort | uniq -c)" \
		"$(sed -n 's/.*Pause \(Young\|Full\|Remark\|Cleanup\).*/\1/p' log | sed 's/Full/full/; s/Young\|Remark\|Cleanup/partial/' | sort | uniq -c)"
	[ "$(grep -c partial seen)" -ge 3 ] && [ "$(grep -c full seen)" -ge 2 ] ||
		{ cat seen log; exit 1; }
	# With this collector, the pauses contain what the log measures, and the use of the heap is
	# that of the log, which rounds to MiB. G1 rounds to regions first.
	[ $collector = Serial ] || continue
	paste -d ' ' \
		<(awk 'NF == 5 && ($3 == "full" || $3 == "partial") { print $2, $4, $5 }' seen) \
		<(sed -n 's/.*Pause .* \([0-9]*\)M->\([0-9]*\)M.* \([0-9.]*\)ms/\1 \2 \3/p' log) |
		awk '{ before = $2 / 1024 - $4; after = $3 / 1024 - $5 }
		     $1 < $6 * 1000 - 1 || before > 1 || before < -1 || after > 1 || after < -1 { print; bad = 1 }
		     END { exit bad }' || { cat seen log; exit 1; }
done

"$PROBERUN" -o seen -c "$java -Xlog:class+load:file=log Marked gc" javaclasses.ko || exit 1
# Names of hidden classes have an address after them, in different ways.
check 'classes' "$(awk 'NR > 1 { print $4, $3 }' seen | grep -v 'Lambda\|0x' | sort)" \
	"$(sed -n 's/.*\] \([^ ]*\) source: \(.*\)/\1 \2/p' log | grep -v 'Lambda\|0x' |
	   awk '{ print $1, /shared objects file/ ? "shared" : "loaded" }' | sort)"
[ "$(wc -l <seen)" -ge 300 ] || { echo 'few classes'; cat seen; exit 1; }

"$PROBERUN" -o seen -c "$java -XX:+DTraceMonitorProbes Marked locks 50 >told" javalocks.ko || exit 1
read -r pid waits us longest class < <(grep 'Marked.Shared' seen)
check 'waits' "$waits" 50
[ "$us" -ge $(($(cat told) / 1000 - 50)) ] ||
	{ echo "it waited $us us, and was held $(cat told) ns"; exit 1; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$jvm" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
