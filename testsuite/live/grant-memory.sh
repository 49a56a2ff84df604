# SPDX-License-Identifier: GPL-2.0
#@ slow
# memory= of probec-grant counts the room for calls of return probes: with as little as the session
# needs, each probe follows 16 calls at a time or few more, and the others are counted as missed.
# With more memory, it follows all.
. "$TOP/testsuite/expect.sh"
cp /usr/bin/sleep /run/napper
trap 'rm -f /run/napper' EXIT
has_armed_all() { grep -q 'ms: armed 2 of 2' said; }
# Without a process, which would take as long as some sleep.
sleeps() { # PID
	local number=
	read -r number _ 2>/dev/null <"/proc/$1/syscall"
	[[ $number == 230 || $number == 115 ]] # clock_nanosleep() of x86-64 and arm64
}
# Return whether all of these processes were asleep at the same time, which ends with the first.
all_asleep() { # PID...
	local pid
	for pid; do
		until sleeps "$pid"; do
			[ -e "/proc/$pid/fd/0" ] || return 1
			sleep 0.05
		done
	done
	for pid; do sleeps "$pid" || return 1; done
}
run() { # KIB: 60 calls at once, in a session that may take so much
	local seconds
	# On a busy machine, the first ones have ended before the last ones begin.
	for seconds in 3 20 100; do
		run_for "$1" $seconds && return
	done
	fail "with $1 KiB: not all at once" said
}
run_for() { # KIB SECONDS: fails if not all calls were under way at once
	local nappers=() _ at_once=
	: >said
	"$PROBERUN" --granted=0:0,$(($1 * 1024)) -v -t "$MODULE" >out 2>said &
	session=$!
	wait_for 'the probes' has_armed_all
	for _ in $(seq 60); do
		/run/napper "$2" &
		nappers+=($!)
	done
	! all_asleep "${nappers[@]}" || at_once=1
	wait "${nappers[@]}" # other programs sleep as well, and may be missed
	kill -INT $session
	wait $session || fail "with $1 KiB: status" said
	unloaded "with $1 KiB"
	read -r calls library <out
	kernel_missed=$(missed 3) library_missed=$(missed 6)
	instances=$(sed -n 's/^ *\([0-9]*\) instances for calls in flight.*/\1/p' said)
	[ -n "$at_once" ]
}
missed() { # LINE: of the script
	local n
	n=$(sed -n "s/.*kp:$1:.* skipped hits: \([0-9]*\) found no free instance.*/\1/p" said)
	echo "${n:-0}"
}
least=$("$PROBERUN" --granted=0:0,1 "$MODULE" 2>&1 |
	sed -n 's/.* would take \([0-9]*\) KiB of kernel memory, but its rule allows 0 KiB.*/\1/p')
[ "${least:-0}" -gt 0 ] || fail 'no refusal'
refused E_GRANT 'less than it needs' "$PROBERUN" --granted=0:0,$(((least - 1) * 1024)) "$MODULE"

run $((least + 1))
[ "$instances" -ge 16 ] && [ "$instances" -le 24 ] || fail "$instances instances" said
[ "$kernel_missed" -gt 0 ] && [ $((calls + kernel_missed)) -ge 60 ] ||
	fail "$calls calls, $kernel_missed missed" said
[ "$library_missed" -gt 0 ] && [ $((library + library_missed)) -ge 60 ] ||
	fail "$library calls in the library, $library_missed missed" said
run 65536
[ "$calls $library $kernel_missed $library_missed" = '60 60 0 0' ] && [ "$instances" -ge 60 ] ||
	fail 'calls are missed' out said
exit 0
