#@ needs: gcc
# Programs of 32 bits have no stack: what would be one is empty in their hits, and the session goes
# on. The compiler refuses probes in such programs.
. "$TOP/testsuite/expect.sh"
program=/tmp/stack-32bit
trap 'rm -f "$program"' EXIT
gcc -m32 -O1 -ffreestanding -nostdlib -static -fno-pie -no-pie -fno-stack-protector -o $program \
	stack-32bit.c 2>/tmp/log || fail gcc /tmp/log
"$PROBERUN" "$MODULE" -c $program >/tmp/out 2>/tmp/err || fail status /tmp/out /tmp/err
[ ! -s /tmp/err ] || fail messages /tmp/err
grep -vxE 'first|other' /tmp/out >/tmp/said
cat >/tmp/expected <<'END'
stack <>
callers <> first 0
stack <>
callers <> first 0
hits 2
<>
END
diff /tmp/expected /tmp/said || fail 'other stacks' /tmp/out
