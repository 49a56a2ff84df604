# SPDX-License-Identifier: GPL-2.0
# Functions, lines and variables of programs compared with perf probe: everything that perf lists is
# known here as well. perf leaves out lines and variables of inlined copies and of inner blocks.
#@ slow
#@ needs: target perf
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO
libc=$(readlink -f /lib/x86_64-linux-gnu/libc.so.6)
subset() { # WHAT: wanted in got
	LC_ALL=C comm -23 wanted got >missing
	[ ! -s missing ] || { cat got >>missing; fail "$1: perf has more" missing; }
}
# perf lists local variables at the entry as well, where they have no value yet.
variables() { # FILE FUNCTION
	perf probe -x "$1" -V "$2" 2>log |
		awk \
		'/@</ { n++ } /^\t\t/ && n == 1 && $0 !~ /^\t\t(float|double)[ \t]/ { print $NF }' |
		LC_ALL=C sort -u >wanted
	"$PROBEC" -r "$TARGET" -L "process(\"$1\").function(\"$2\").call, \
		process(\"$1\").statement(\"$2@*:*\")" 2>said |
		grep -o ' \$[a-zA-Z_0-9]*:' | tr -d ' $:' |
		LC_ALL=C sort -u >got
	[ -s wanted ] || fail "perf knows no variables of $2" log
	subset "variables of $2 in $1"
}
for level in 0 2; do
	program=$PWD/values$level
	gcc -std=gnu11 -w "-O$level" -g -o "$program" "$TOP/testsuite/programs/values.c" 2>log ||
		fail 'the program' log
	perf probe -x "$program" -F 2>log | LC_ALL=C sort -u >wanted
	nm "$program" | awk '$2 ~ /[tT]/ { print $3 }' | LC_ALL=C sort -u |
		LC_ALL=C comm -12 - wanted | grep -vx _start >functions
	mv functions wanted
	"$PROBEC" -r "$TARGET" -l "process(\"$program\").function(\"*\").call" 2>said |
		sed 's/.*function("\([^"@]*\).*/\1/' |
		LC_ALL=C sort -u >got
	[ "$(wc -l <wanted)" -ge 3 ] || fail 'perf lists no functions' log
	subset "functions with -O$level"
	for function in work many main; do
		variables "$program" "$function"
		# perf counts from the function's first line, which it lists in any case.
		perf probe -x "$program" -L "$function" 2>log >lines
		first=$(grep -n "^[A-Za-z].* $function(" "$TOP/testsuite/programs/values.c" | cut -d: -f1)
		awk -v first="$first" '$1 ~ /^[0-9]+$/ && $1 > 0 { print first + $1 }' lines |
			LC_ALL=C sort -u >wanted
		"$PROBEC" -r "$TARGET" --lines "$program:$function" 2>said |
			awk '$1 ~ /^[0-9]+$/ { print $1 }' | LC_ALL=C sort -u >got
		[ -s wanted ] || fail "perf lists no lines of $function" log
		subset "lines of $function with -O$level"
	done
done
# Debian's, where its debug information is installed (libc6-dbg).
perf probe -x "$libc" -V getaddrinfo >log 2>&1 && grep -q hints log || exit 0
for function in getaddrinfo qsort_r wordexp getopt_long popen scandir; do
	variables "$libc" "$function"
done
exit 0
