# SPDX-License-Identifier: GPL-2.0
# The tutorial's lessons on the flight recorder, with their own scripts: a request of PostgreSQL
# that waits for the lock of another client, which the server's log names as slow, and a task that
# hangs, whose stack the kernel shows in /proc.
#@ slow
. "$TOP/testsuite/postgres.sh"
needs_postgres
modules=$(modules_root)
"$TOP/testsuite/examples" "$TOP/doc/tutorial.md"
build request "$(cat "$(grep -l 'syscall.recvfrom.return' ./*.kp)")"
build hang "$(cat "$(grep -l 'asleep' ./*.kp)")"
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/postgres.sh"
postgres_start "$2" 'log_min_duration_statement = 400' "log_line_prefix = '%p '"
psql -c 'CREATE TABLE t AS SELECT 1 AS i, 0 AS n'
"$PROBERUN" --flight=4 -v "$1/request.ko" >shown 2>request.said &
session=$!
wait_armed request
# One client has the lock until another one has waited for it.
mkfifo go
(printf '%s\n' 'BEGIN;' 'UPDATE t SET n = 1;' '\echo locked'; cat go) | psql >holder.out &
exec 8>go
wait_for 'the lock' has_line holder.out locked
psql -c 'UPDATE t SET n = 2' &
waiter=$!
# The server shows it in the name of its process. That the client connected may have been slow and
# have its snapshot, which no other follows within a second.
waits() { cat /proc/[0-9]*/cmdline | tr '\0' ' ' | grep -q 'UPDATE waiting'; }
wait_for 'the wait' waits
sleep 1.5
echo 'COMMIT;' >&8
wait $waiter || fail 'the waiter' server.log
read -r process _ _ ms _ < <(grep 'statement: UPDATE t SET n = 2' server.log | tail -n 1)
# took: prints how long the request took by the snapshot's head.
took() {
	sed -n "s/^--- .*: process $process took \([0-9]*\) ms: .*/\1/p" shown |
		awk -v least="${ms%.*}" '$1 >= least { print; n++ } END { exit !n }'
}
wait_for "the snapshot of the $ms ms of $process" took >ms
exec 8>&-
kill -INT $session
wait $session || fail 'the status' request.said
# From its request to its answer, the snapshot has the calls of this process, and the commit of the
# other client within its wait.
sed -n "/: process $process took $(tail -n 1 ms) ms/,\$p" shown | awk -v process="$process" '
	/^---/ { if (n++) exit; next }
	$2 == process { if (state != "answered") state = $3 == "epoll_wait" ? "waits" : state
			if ($3 == "sendto" && committed) state = "answered"; next }
	state == "waits" && $3 == "pwrite64" { committed = 1 }
	END { exit state != "answered" }' || fail 'the wait and the commit' shown
as_postgres pg_ctl -s -m fast stop

modprobe -d "$3" null_blk nr_devices=1 gb=1 memory_backed=1 && modprobe -d "$3" ext4 || exit 1
# The null_blk of 5.10 keeps nothing, so that it can have no file system.
[ -e /sys/module/null_blk/parameters/memory_backed ] || exit 0
mkfs.ext4 -q /dev/nullb0 64M && mkdir data2 && mount /dev/nullb0 data2 || exit 1
"$PROBERUN" --flight=1 -v "$1/hang.ko" >shown 2>hang.said &
session=$!
wait_armed hang
fsfreeze -f data2
bash -c 'echo text >data2/file' &
writer=$!
wait_for 'the snapshot of the hang' has_line shown \
	"--- snapshot * on *: bash ($writer) has waited *"
sed 's/+.*//; s/.* //' /proc/$writer/stack >frames
fsfreeze -u data2
wait $writer || fail 'the writer'
kill -INT $session
wait $session || fail 'the status' hang.said
# The kernel leaves out functions of its scheduler and locks.
sed -n "/^bash ($writer) waits:/,\$p" shown | sed -n 's/.* : \(.*\)+0x.*/\1/p' >seen
grep -vxE '__schedule|schedule|__percpu_down_read' seen | head -n 4 |
	cmp -s - <(head -n 4 frames) || fail "the stack of the task, and the kernel's" seen frames
sed -n "/^bash ($writer) waits:/q; p" shown | grep -q freeze_super || fail 'what froze it' shown
sed -n "s/.*: bash ($writer) has waited for 2 s: the last \([0-9.]*\) s, .*/\1/p" shown |
	awk '{ exit !($1 >= 2) }' || fail 'the head' shown
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$bin" "$modules" >out 2>&1 || fail "status $?" out
[ ! -s out ] || fail 'it says' out
