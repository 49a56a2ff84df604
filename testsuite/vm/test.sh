# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: 6.1
# probec test with machines: a test that leaves something, one that is late, one that ends the
# machine, and those after it; ^C; and the running kernel, which is here that of a guest.
own=$PWD
suite() { rm -rf "$own/suite"; mkdir "$own/suite"; }
script() { printf '%s\n' "${@:2}" >"suite/$1.kp"; } # NAME LINE...
hello='probe begin { println("hello") exit() }'
has() { grep -qxF -- "$2" "$1" || fail "no line: $2" "$1"; } # FILE LINE
no_lab() { # no machine of this test is left
	[ -z "$(ls "$own/tmp")" ] || fail "$1: left in TMPDIR" <(ls "$own/tmp")
}
mkdir tmp
export TMPDIR=$own/tmp

suite
script a-good "$hello"
echo hello >suite/a-good.expect
script b-left '#@ check: touch /tmp/probec-left /tmp/unrelated' "$hello"
script c-late '#@ seconds: 3' 'probe begin { println("hello") }'
script d-differs '#@ match: hello' "$hello"
printf 'hello\nworld\n' >suite/d-differs.expect
script e-error 'global zero' 'probe begin { println(1 / zero) exit() }'
script f-session 'probe begin { println("armed") }' 'probe end { println("ended") }'
printf '%s\n' '"$PROBERUN" -F "$MODULE" >/tmp/started' >suite/f-session.sh
script g-crash "$hello"
printf '%s\n' 'echo c >/proc/sysrq-trigger' >suite/g-crash.sh
script h-after "$hello"
echo hello >suite/h-after.expect
script i-skipped "$hello"
printf '%s\n' 'echo "no such device: $SUCH"; exit 77' >suite/i-skipped.sh
script j-late-left "$hello"
printf '%s\n' '#@ seconds: 3' 'touch /tmp/probec-late; sleep 100' >suite/j-late-left.sh
script k-elsewhere '#@ kernels: 6.12' "$hello"
script l-not-here "#@ kernels: not 6.12 $KERNEL" "$hello"
script m-not-elsewhere '#@ kernels: not 6.12 debug' "$hello"
status=0
cp -r "$TOP/runner/example" example
"$PROBEC" test -k "$KERNEL" -v --env=SUCH=x1 example suite >out 2>said || status=$?
[ "$status" = 1 ] && [ ! -s said ] || fail "status $status" out said
has out "ok    suite/a-good on $KERNEL"
has out "FAIL  suite/b-left on $KERNEL: left behind: /tmp/probec-left"
has out "FAIL  suite/c-late on $KERNEL: it was ended after 3 seconds"
has out "FAIL  suite/d-differs on $KERNEL: output differs"
has out "    -world"
has out "FAIL  suite/e-error on $KERNEL: status 1, not 0"
grep -q "^FAIL  suite/f-session on $KERNEL: left behind: module probec_" out ||
	fail 'a session that goes on is not found' out
has out "FAIL  suite/g-crash on $KERNEL: the machine stopped in it (status 125)"
grep -q 'sysrq' out || fail 'the messages of the kernel are not shown' out
has out "ok    suite/h-after on $KERNEL"
has out "skip  suite/i-skipped on $KERNEL: no such device: x1"
has out "FAIL  suite/j-late-left on $KERNEL: it was ended after 3 seconds;\
 left behind: /tmp/probec-late"
! grep 'suite/[kl]-' out || fail 'a test for another kernel' out
has out "ok    suite/m-not-elsewhere on $KERNEL"
for name in mistake forks reads; do has out "ok    example/$name on $KERNEL"; done
has out '6 passed, 7 failed, 1 skipped'
no_lab 'the end'

# ^C while the second of three tests runs.
suite
script a-good "$hello"
script b-long 'probe end { println("interrupted") }'
script c-never "$hello"
"$PROBEC" test -k "$KERNEL" -v suite >out 2>said &
runner=$!
wait_for 'the first result' grep -qs '^ok' out
sleep 1
kill -INT $runner
status=0
wait $runner || status=$?
[ "$status" = 130 ] || fail "^C: status $status" out said
[ "$(cat out)" = "ok    suite/a-good on $KERNEL
1 passed, 0 failed, 0 skipped, 2 not run; interrupted" ] || fail '^C: another report' out said
no_lab '^C'

# The running kernel, without -k. The scripts are compiled in the guest.
suite
script a-good "$hello"
script b-long '#@ seconds: 600' 'probe kernel.function("vfs_read") { }'
script c-never "$hello"
cat >inside <<'END'
probec=$1
export TMPDIR
TMPDIR=$(mktemp -d)
"$probec" test -v suite >/tmp/out 2>/tmp/said &
armed=/sys/kernel/tracing/enabled_functions
until grep -q '^vfs_read' $armed || ! kill -0 $!; do sleep 0.2; done
grep -c '^vfs_read' $armed
kill -INT $!
wait $!
echo "status $?"
cat /tmp/out /tmp/said
grep ^probec_ /proc/modules
ls "$TMPDIR"
END
"$TOP/lab/run" --timeout 150 "$KERNEL" -- env PROBEC_CACHE="${PROBEC_CACHE:-$HOME/.cache/probec}" \
	bash inside "$PROBEC" >out 2>said || fail 'the guest' said
[ "$(cat out)" = '1
status 130
ok    suite/a-good
1 passed, 0 failed, 0 skipped, 2 not run; interrupted' ] || fail 'the running kernel' out said
