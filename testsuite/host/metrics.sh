# SPDX-License-Identifier: GPL-2.0
# A module describes its metrics with names, types and labels that come from the script. A proberun
# that is built without libmicrohttpd says so.
#@ needs: target objcopy
cat >reads.kp <<'X'
global only_pid = 0    #: -p, --pid=PID  an option is no result
global reads           # Reads, by program.
global seen, last, us, ns, size, by, stacks
probe kernel.function("vfs_read") {
	size = $count
	reads[execname()]++
	seen += 2
	last = execname()
	us[size, pid(), "x"] <<< $count
	ns <<< $count
	by[pid()] += $count
	if (pid() == only_pid) stacks[backtrace()]++
}
probe end { print(@hist_log(ns)) }
X
"$PROBEC" -p4 -r "$TARGET" --metrics=9435 reads.kp >module 2>said || fail 'it does not compile' said
[ ! -s said ] || fail 'messages' said
description_of "$(cat module)" >text || fail 'no .probec'
sed -n 's/^metric\t[0-9]*\t//p' text | tr '\t' '|' | LC_ALL=C sort >found
cat >expected <<'X'
probec_reads_by|gauge||pid|The global 'by' of the script.
probec_reads_last|info|||The global 'last' of the script.
probec_reads_ns|histogram|||The global 'ns' of the script.
probec_reads_reads|counter||execname|Reads, by program.
probec_reads_seen|counter|||The global 'seen' of the script.
probec_reads_size|gauge|||The global 'size' of the script.
probec_reads_us|summary||size\npid\nkey3|The global 'us' of the script.
X
diff expected found >d || fail 'the metrics' d
"$PROBEC" -p4 -r "$TARGET" reads.kp >module 2>said || fail 'it does not compile without' said
description_of "$(cat module)" >text || fail 'no .probec'
! grep -q '^metric\|^snapshot' text || fail 'metrics that nobody wanted' text

# A compiler that does not find the library's header.
mkdir tree
cp -r "$TOP/configure" "$TOP/Makefile.in" "$TOP/lab" tree/
cat >cc <<'X'
#!/bin/sh
for file; do
	case $file in *.c) ! grep -q '^#include <microhttpd.h>' "$file" || exit 1 ;; esac
done
exec gcc "$@"
X
chmod +x cc
CC="$PWD/cc" tree/configure >out 2>&1 || fail 'configure fails without libmicrohttpd' out
grep -q '^checking for microhttpd.h... no (only for --metrics; package: ' out ||
	fail 'configure does not say what is missing' out
make -s -C "$TOP" build/loader.a >out 2>&1 || fail 'build/loader.a' out
echo 'int main(void) { return server_start(-1, 0) != 0; }' >main.c
gcc -Itree -I"$TOP/loader" -I"$TOP" -I"$TOP/runtime/abi" -include metrics/private.h main.c \
	"$TOP"/loader/metrics/server.c "$TOP"/build/loader.a -llzma -liberty -lpthread \
	-o no-server >out 2>&1 || fail 'it does not build without' out
./no-server 2>said || fail 'a server without a library' said
grep -q 'built without libmicrohttpd \[E_METRIC\]' said || fail 'what it says' said
