# SPDX-License-Identifier: GPL-2.0
# Each form of timer hits as often as specified: -t reports exactly those periods between its first
# and last hit that passed without one as overruns. Hits come late on a busy machine; a tolerance of
# a tenth allows for that.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" -t -c 'exec sleep 2.2' "$MODULE" >out 2>said || fail 'the session' said
[ "$(wc -l <out)" = 14 ] || fail 'not each form has a hit' out
while read -r name hits ns period; do
	overruns=$(awk -v p="$name" '$8 == p { print $6 }' said)
	[ -n "$overruns" ] || fail "no line for $name" said
	processors=1
	case $name in timer.profile*) processors=$(nproc) ;; esac
	awk -v n="$hits" -v o="$overruns" -v ns="$ns" -v p="$period" -v cpus="$processors" 'BEGIN {
		wanted = ns / p
		few = 3 + wanted / 10
		exit !(n - 1 <= wanted + few && n - 1 + o >= wanted - few && o <= cpus * (wanted + few))
	}' || fail "$name: $hits hits and $overruns overruns in $ns ns" said
done <out
