# Counters of one process, beside what the kernel counts of it: the target's with all that it starts, and those of a program, which
# runs already, comes later, forks, and becomes another one.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
cp "$(command -v bash)" later || exit 1
cat >steps <<'END'
show() { read -r line </proc/$$/stat; set -- $line; echo "kernel ${10}"; }
work() { for _ in 1 2 3 4 5 6 7 8 9 10; do (:); done; }
busy='for ((i = 0; i < 20000; i++)); do :; done'
show; work; show; work; work; show
/run/later -c "echo first \$\$; $busy"
/run/later -c "(echo child \$BASHPID; $busy); echo parent \$\$"
/run/later -c "$busy; echo other \$\$; exec bash -c '$busy'"
END
./later -c 'while :; do :; done' &
early=$!
trap 'kill $early' EXIT
"$PROBERUN" -c 'exec bash /run/steps' "$MODULE" >out 2>said || fail 'the session' said
differences() { awk -v what="$1" '$1 == what { if (n++) print $2 - last; last = $2 }' out; }
[ "$(differences kernel | wc -l)" = 2 ] || fail 'no figures of the kernel' out
[ "$(differences kernel)" = "$(differences counted)" ] || fail "others than the kernel's" out
[ "$(awk '$1 == "all" { print $2 }' out)" -gt "$(awk '$1 == "counted" { n = $2 } END { print n }' out)" ] || fail 'nothing of children' out
for pid in $early $(awk '/^(first|child|other) / { print $2 }' out); do
	grep -q "^hits later $pid [1-9]" out || fail "no hit in $pid" out
done
! grep '^hits' out | grep -v '^hits later' || fail 'hits in other programs' out
[ "$(grep -c '^hits' out)" -ge 4 ] || fail 'less than 4 processes' out

# What there is not is refused.
timeout 60 "$PROBERUN" "$MODULE" >out 2>said && fail 'no target: it runs'
grep -q 'there is no process: give -c COMMAND or -x PID' said || fail 'no target' said
mv later gone
timeout 60 "$PROBERUN" -c true "$MODULE" >out 2>said && fail 'no program: it runs'
grep -q 'there is no such program on this machine' said || fail 'no program' said
