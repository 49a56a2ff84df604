# SPDX-License-Identifier: GPL-2.0
#@ kernels: 5.10 6.1 6.12
# probec --vm as a whole: output, -o, -c, -m, -G, -T, arguments, exit status, ^C.
vm() { "$PROBEC" --vm="$KERNEL" "$@"; }
script='probe begin { println("begin") } probe end { println("end") }'

# One session with nearly all options.
vm -o out -m my_own -G most=7 -c 'grep -c "^my_own " /proc/modules' -e '
	global most = 1, reads
	probe kernel.function("vfs_read") { if (pid() == target()) reads++ }
	probe end { printf("%d %s %d\n", most, @1, reads > 0) }' 'two words' >said 2>messages || fail 'status' messages
[ "$(cat out)" = '7 two words 1' ] || fail '-o has other output:' out
[ "$(cat said)" = 1 ] || fail "the command's output:" said
# A runtime that is not built yet is built now, with a message.
! grep -v '^building the runtime for ' messages || fail 'messages:' messages
[ ! -e my_own.ko ] || fail 'my_own.ko is left here'

# A session that ends with an error has a status, and the error its place in the script.
echo 'probe begin { error("over") }' >a.kp
! vm a.kp >said 2>&1 || fail 'error(): status 0' said
grep -q '^a.kp:1:15-27: error: over \[E_SCRIPT\]$' said || fail 'error(): no message' said
! vm -c no-such-command -e "$script" >said 2>&1 || fail 'no such command: status 0' said
grep -q 'E_COMMAND' said && grep -qx 'end' said || fail 'no such command:' said
! vm -o no/such/place -e "$script" >said 2>&1 || fail '-o: status 0' said
grep -q "can't write 'no/such/place'.*E_IO" said || fail '-o:' said

# A module of this kernel does not run on the other one.
[ "$KERNEL" = 6.1 ] && other=6.12 || other=6.1
if "$TOP/lab/run" --release "$other" >/dev/null 2>&1; then
	module=$("$PROBEC" -p4 -r "$TARGET" -e "$script") || fail 'it does not build'
	refused E_WRONG_KERNEL 'another kernel' "$TOP/lab/run" "$other" -- "$PROBERUN" "$module"
	grep -q "built for $KERNEL.*, running is $other" said ||
		fail 'another kernel: not named' said
fi

# ^C in a terminal goes to all processes of the group; kill -INT to probec alone. Both end the
# session in order.
for how in group alone; do
	rm -f said
	setsid env --default-signal=INT "$PROBEC" --vm="$KERNEL" -e "$script" >said 2>&1 &
	pid=$!
	for _ in $(seq 1000); do grep -q begin said && break; sleep 0.1; done
	if [ $how = group ]; then kill -INT -- "-$pid"; else kill -INT "$pid"; fi
	wait "$pid" || fail "^C ($how): status $?" said
	[ "$(tail -n 1 said)" = end ] || fail "^C ($how): no end probe:" said
done
