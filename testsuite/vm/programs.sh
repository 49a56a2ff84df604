# SPDX-License-Identifier: GPL-2.0
# Probes in a program (testsuite/programs/target.c): what they count and read, compared with what
# the program counts itself; processes that start later, fork, end in the middle of a call; filters;
# and nothing is left in the program afterwards.
unset PROBEC_DEBUGINFO
build_program target -g
gcc -std=gnu11 -O2 -o other target.c && strip other || fail 'the stripped program'
at="$PWD/target"

build counts "
global n, sum, marks, leaves, returns, up
probe process(\"$at\").function(\"work\").call { n++ }
probe process(\"$at\").function(\"work\").return { sum += \$return; if (@entry(\$a) != @entry(\$g)) println(\"kept\") }
probe process(\"$at\").mark(\"round\") { marks++ }
probe process(\"$at\").function(\"leave\").call { leaves++ }
probe process(\"$at\").function(\"leave\").return { returns++ }
probe process(\"$at\").function(\"factorial\").return { up[@entry(\$n), \$return]++ }
probe end {
	printf(\"%d %d %d %d\\n\", n, sum, marks, leaves)
	println(returns)
	foreach ([n+, v] in up) printf(\"%d! = %d, %d\\n\", n, v, up[n, v])
}"

build values "
probe process(\"$at\").function(\"work\").call {
	if (\$a == 2) printf(\"%s %d %s %d %d %d\\n\", probefunc(), \$a, user_string(\$text), \$c, \$g, \$h)
}
probe process(\"$at\").function(\"weigh\") {
	if (n++ == 2) printf(\"%d %s %d, %d %s %d %d\\n\", \$item->id, user_string(\$item->name), \$item->large,
		\$item->next->id, user_string(\$item->next->name), \$item->next->small, \$item->next->next == 0)
}
probe process(\"$at\").mark(\"round\") {
	if (\$arg1 == 4) printf(\"%d %s %d %d %d %d %d\\n\", \$arg1, user_string(\$arg2), \$arg3, \$arg4, \$arg5,
		\$arg6, \$arg7)
}
probe process(\"$at\").mark(\"floating\") {
	if (\$arg1 == 0x4012000000000000)
		printf(\"%x %x %x %d %d, %d\n\", \$arg2, \$arg3, \$arg5,
			fp_to_long(fp32_to_fp64(\$arg5), 2, 0), fp_to_long(\$arg3, 2, 0),
			fp_to_long(\$arg4, 0, 0))
}
probe process(\"$at\").statement(\"main@target.c:*\") { lines[\$\$vars != \"\"]++ }
global n, lines
probe end { printf(\"%d\\n\", lines[1] > 10) }"

build bare "
global n, args
probe process(\"$PWD/other\").provider(\"target\").mark(\"round\") { n++; args += \$arg1 }
probe process(\"$PWD/other\").library(\"libc\").function(\"nanosleep\").call { exit() }
probe end { printf(\"%d %d\\n\", n, args) }"

build imports "
global calls, returns, milliseconds, others
probe process(\"$PWD/other\").plt(\"nanosleep\") { calls++; milliseconds += user_long(\$arg1 + 8) / 1000000 }
probe process(\"$PWD/other\").plt(\"nano*\").return { returns += \$return == 0 }
probe process(\"$PWD/other\").plt { others[probefunc()]++ }
probe end {
	printf(\"%d %d %d\\n\", calls, returns, milliseconds)
	foreach (name+ in others) if (name != \"__cxa_finalize\") println(name, \" \", others[name])
}"

# Only the process of -c and its descendants, while the same program runs beside it.
build target "
global n, by
probe process.function(\"work\") { n++; by[pid() == target()]++ }
probe process(\"$at\").function(\"work\") { all++ }
global all
probe end { printf(\"%d %d %d\\n\", n, by[1], all > n) }" -c "$at 100"

cat >guest <<'SH'
cd "$1" || exit 1
set -u
. "$TOP/testsuite/check.sh"
seen=$("$PROBERUN" -o counted -c './target 500 >told' counts.ko 2>&1) || { echo "$seen"; exit 1; }
told=$(cat told)
check 'counts' "$(head -n 1 counted)" "$told"
check 'calls that never return' "$(sed -n 2p counted)" 0
check 'recursion' "$(sed -n '3,$p' counted)" "$(printf '%d! = %d, 500\n' 1 1 2 2 3 6 4 24 5 120)"
case $told in "500 "*" 500 500") ;; *) echo "the program: $told"; exit 1 ;; esac
check 'the marker is not in use afterwards' "$(./target 3 | cut -d' ' -f3)" 0

"$PROBERUN" -o said -c './target 5 >/dev/null' values.ko || exit 1
check 'values' "$(cat said)" 'work 2 text 1 2 2
1 first 1234, 2 second 5 1
4 marked -7 4 3 4 4
40880000 c012000000000000 40880000 4 -5, 45000000000
1'
"$PROBERUN" -o said -c './other 4 1 >/dev/null; ./other 1 >/dev/null' bare.ko || exit 1
check 'a stripped program' "$(cat said)" '1 0'

"$PROBERUN" -o said -c './other 40 2 >/dev/null' imports.ko || exit 1
check 'calls of a library' "$(cat said)" '40 40 80
_setjmp 40
longjmp 40
nanosleep 40
printf 1
strlen 40
strtol 2'

./target 3000 2 >/dev/null &
beside=$!
"$PROBERUN" -o said -c "$1/target 100 1" target.ko >/dev/null || exit 1
check 'the process of -c' "$(cat said)" '100 100 1'
kill "$beside"
wait "$beside" 2>/dev/null

# Running programs continue, however the session ends; children that fork and end in a call cause no
# harm.
./target 2000 2 >after &
runs=$!
"$PROBERUN" -o said counts.ko &
session=$!
for i in $(seq 200); do [ -s /proc/modules ] && grep -q '^probec' /proc/modules &&
	break; sleep 0.1; done
sleep 2
for i in 1 2 3 4 5 6; do
	./target 1000 2 >/dev/null &
	disown $!
	sleep 0.1
	kill -9 $!
done
{ kill -9 "$session"; wait "$session"; } 2>/dev/null
for i in $(seq 200); do grep -q '^probec' /proc/modules || break; sleep 0.1; done
grep -q '^probec' /proc/modules && { echo 'still loaded'; exit 1; }
wait "$runs" || { echo "the program ended with $?"; exit 1; }
read -r calls sum marked jumped <after
check 'the program after kill -9' "$calls $jumped" '2000 2000'
[ "$marked" -gt 0 ] && [ "$marked" -lt 2000 ] || { echo "marked $marked"; exit 1; }

# A file that is replaced while the session runs is reported once.
"$PROBERUN" -o said -c \
	'./target 1 >/dev/null; cp target new; mv new target; sleep 3; ./target 1 >/dev/null' \
	counts.ko 2>warned ||
	exit 1
check 'the call before, and none behind' "$(head -n 1 said | cut -d' ' -f1)" 1
check 'warnings' "$(grep -c 'E_WRONG_PROGRAM' warned)" 1

# Another build of the file is refused.
cp target kept && cp other target
if "$PROBERUN" counts.ko 2>said; then echo 'another build runs'; exit 1; fi
grep -q 'E_WRONG_PROGRAM' said || { cat said; exit 1; }
rm target
if "$PROBERUN" counts.ko 2>said; then echo 'without its file it runs'; exit 1; fi
grep -q 'could not be armed' said || { cat said; exit 1; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
