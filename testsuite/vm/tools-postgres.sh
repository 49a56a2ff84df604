# SPDX-License-Identifier: GPL-2.0
# The tools for PostgreSQL, compared with what the server says of itself: pgslower with its log of
# all statements and pg_stat_statements, pgmarks with its statistics, pglocks with its log of waits
# for locks. The operands of all markers are as many as readelf shows.
#@ slow
. "$TOP/testsuite/postgres.sh"
needs_postgres
[ -x "$bin/pgbench" ] || { echo 'pgbench is not installed'; exit 77; }
readelf -n "$bin/postgres" | grep -q query__start ||
	{ echo 'PostgreSQL has no markers here'; exit 77; }
# All markers take half of an emulated processor.
for tool in "pgslower 0" pgmarks "pglocks 0"; do
	set -- $tool
	"$PROBEC" -w -D MAXLOAD=0 -p4 -r "$TARGET" "$TOP/tools/$1.kp" "${@:2}" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
done
# Every marker is armed.
"$PROBEC" -w -p2 -r "$TARGET" "$TOP/tools/pgmarks.kp" 2>&1 | grep "^	site $bin/" | wc -l >got
readelf -n "$bin/postgres" | grep -c '^ *Name: ' >wanted
cmp -s got wanted || fail 'markers that are probed, and that readelf shows:' got wanted
# All operands of a marker can be read, and no further one.
readelf -n "$bin/postgres" | awk \
	'/^ *Name: / { name = $2 } /^ *Arguments:/ { print name, NF - 1 }' | sort -u >operands
[ "$(wc -l <operands)" = "$(cut -d ' ' -f 1 operands | sort -u | wc -l)" ] ||
	fail 'a marker with different numbers of operands' operands
arguments() { seq -s ', ' -f '$arg%g' "$1"; }
while read -r name n; do
	[ "$n" = 0 ] || echo \
		"probe process(\"$bin/postgres\").mark(\"$name\") { println($(arguments "$n")) }"
done <operands >all.kp
"$PROBEC" -p2 -r "$TARGET" all.kp >got 2>said || fail 'the operands of all markers' said
while read -r name n; do
	echo "probe process(\"$bin/postgres\").mark(\"$name\") { println(\$arg$((n + 1))) }"
done <operands | split -l 10 - beyond
for part in beyond*; do
	! "$PROBEC" -p2 -r "$TARGET" "$part" >got 2>said || fail 'operands that no marker has' got
	[ "$(grep -c "error: the marker '.*' has no argument" said)" = "$(wc -l <"$part")" ] ||
		fail 'operands that no marker has' said
done
cat >extended.sql <<'SQL'
SELECT count(*) FROM words WHERE word < 'm';
SQL
cat >simple <<'T'
psql -c 'SELECT pg_sleep(0.2)'
for i in 1 2 3 4 5; do psql -c "SELECT count(*) FROM pg_class"; done
psql -c 'no such statement' -c "INSERT INTO words VALUES ('last')" 2>/dev/null
pgbench -n -M prepared -t 25 -f extended.sql
T
cat >work <<'T'
psql -c 'CREATE TABLE more AS SELECT i, md5(i::text) AS t FROM generate_series(1, 20000) i' -c 'SELECT t FROM more ORDER BY t' \
	-c 'CREATE INDEX ON more (t)' -c 'UPDATE more SET i = i + 1' -c CHECKPOINT
psql -c 'BEGIN' -c 'INSERT INTO more VALUES (0)' -c 'ROLLBACK'
T
# Waits for a row, a table, an advisory lock, and a deadlock.
cat >locks <<'T'
psql -c 'CREATE TABLE rows AS SELECT i, 0 AS n FROM generate_series(1, 2) i'
holds() { # STATEMENT: a transaction with it that lasts until it is released
	psql -c 'BEGIN' -c "$1" -c '\! touch held; while [ -e held ]; do sleep 0.05; done' \
		-c 'COMMIT' >/dev/null &
	until [ -e held ]; do sleep 0.05; done
}
waiting() {
	cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c '^postgres: .* waiting'
}
release() { # N: when that many have waited for it longer than deadlock_timeout
	until [ "$(waiting)" -ge "$1" ]; do sleep 0.05; done
	sleep 0.5
	rm held
	wait
}
holds 'UPDATE rows SET n = 1 WHERE i = 1'
psql -c 'UPDATE rows SET n = 2 WHERE i = 1' &
psql -c 'UPDATE rows SET n = 3 WHERE i = 1' &
release 2
holds 'LOCK TABLE rows'
psql -c 'SELECT count(*) FROM rows' &
release 1
holds 'SELECT pg_advisory_xact_lock(7)'
psql -c 'SELECT pg_advisory_lock(7)' &
release 1
# One of them finds the deadlock. The second one begins to wait clearly earlier than
# deadlock_timeout after the first: what takes about as long is in the log or not.
cat >both_have <<'B' # I: the rows
touch "has.$1"
until [ -e has.1 ] && [ -e has.2 ]; do sleep 0.02; done
[ "$1" = 1 ] || sleep 0.1
B
for i in 1 2; do
	psql -c BEGIN -c "UPDATE rows SET n = 4 WHERE i = $i" -c "\\! sh both_have $i" \
		-c "UPDATE rows SET n = 5 WHERE i = $((3 - i))" -c COMMIT 2>/dev/null &
done
wait
true
T
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
. "$TOP/testsuite/postgres.sh"
postgres_start "$2" 'shared_preload_libraries = pg_stat_statements' \
	'log_min_duration_statement = 0' "log_line_prefix = ''" 'wal_level = minimal' \
	'max_wal_senders = 0' 'log_lock_waits = on' 'deadlock_timeout = 200ms'
psql -c 'CREATE EXTENSION pg_stat_statements' -c \
	"CREATE TABLE words AS SELECT 'w' || i AS word FROM generate_series(1, 100) i"
cp "$1"/extended.sql .
psql -c 'SELECT pg_stat_statements_reset()' >/dev/null
: >server.log
"$PROBERUN" -o seen -c "bash $1/simple >/dev/null" "$1/pgslower.ko" || exit 1
grep ' statement: \| execute ' server.log |
	sed 's/.* ms  statement: //; s/.* ms  execute [^:]*: //' | sort >wanted
awk \
	'NR > 1 && ($3 == "query" || $3 == "execute") { sub(/^ *[0-9]+ +[0-9]+ [a-z]+ +/, ""); print }' seen | sort >got
cat server.log >log
cmp -s got wanted || { diff -u wanted got; exit 1; }
check 'a slow statement' "$(awk '/SELECT pg_sleep/ { print ($2 >= 200000), $3, $4, $5 }' seen)" \
	'1 query SELECT pg_sleep(0.2)'
check 'calls' \
	"$(grep -c 'execute  *SELECT count(\*) FROM words' seen) $(grep -c 'query  *SELECT count(\*) FROM pg_class' seen)" \
	"$(psql -F ' ' -c "SELECT sum(calls) FILTER (WHERE query LIKE '%FROM words%'),
		sum(calls) FILTER (WHERE query = 'SELECT count(*) FROM pg_class') FROM pg_stat_statements")"

: >server.log
"$PROBERUN" -o seen -c "bash $1/locks >/dev/null" "$1/pglocks.ko" || exit 1
# The log has waits that last longer than deadlock_timeout: "LOG:  process 7 acquired ShareLock on
# transaction 9 after 812.1 ms".
sed -n 's/^LOG:  process \([0-9]*\) acquired \(.*\) after [0-9.]* ms.*$/\1 acquired \2/p
	s/^LOG:  process \([0-9]*\) detected deadlock while waiting for \(.*\) after [0-9.]* ms.*$/\1 deadlock \2/p' server.log | sort >wanted
awk '$2 >= 200000 && ($3 == "acquired" || $3 == "deadlock") { $2 = ""; $1 = $1; print }' seen |
	tr -s ' ' | sort >got
cmp -s got wanted || { diff -u wanted got; cat seen; exit 1; }
check 'locks and deadlocks' "$(grep -c acquired wanted) $(grep -c deadlock wanted)" \
	"$(grep -c 'acquired .* after' server.log) 1"
for what in 'on transaction' 'on relation' 'on advisory lock'; do
	grep -q "acquired .*$what" wanted || { echo "no wait $what"; cat server.log; exit 1; }
done
# The marker comes before the server's clock starts.
sed -n 's/^LOG:  process \([0-9]*\) acquired .* after \([0-9.]*\) ms.*/\1 \2/p' server.log >log_ms
awk 'NR == FNR { log_us[$1] += $2 * 1000; next } $3 == "acquired" { us[$1] += $2 }
	END { for (p in log_us) if (us[p] < log_us[p] - 1) print p, us[p], log_us[p] }' log_ms seen >short
[ ! -s short ] || { echo 'waits that the server says were longer:'; cat short; exit 1; }

# From PostgreSQL 17 on, another view has the checkpoints.
requested='num_requested FROM pg_stat_checkpointer'
[ "$(psql -c 'SHOW server_version_num')" -ge 170000 ] ||
	requested='checkpoints_req FROM pg_stat_bgwriter'
told() {
	psql -F ' ' -c "SELECT pg_stat_force_next_flush(), xact_commit, xact_rollback, (SELECT wal_records FROM pg_stat_wal),
		(SELECT $requested) FROM pg_stat_database WHERE datname = 'postgres'"
}
told >/dev/null
told >before
"$PROBERUN" -o seen -c "bash $1/work >/dev/null" "$1/pgmarks.ko" || exit 1
told >after
hits() { awk -v name="$1" '$2 == name { n = $1 } END { print n + 0 }' seen; }
read -r commits rollbacks records checkpoints < \
	<(paste -d ' ' before after | awk '{ print $5 - $1, $6 - $2, $7 - $3, $8 - $4 }')
# Two more are counted: the one that read the first numbers, and the one with which the second
# connection began.
check 'transactions' "$(hits transaction__commit) $(hits transaction__abort)" \
	"$((commits - 2)) $rollbacks"
check 'records of WAL' "$(hits wal__insert)" "$records"
check 'checkpoints' "$(hits checkpoint__start) $(hits checkpoint__done)" "$checkpoints $checkpoints"
check 'sorts and queries' "$(hits sort__start) $(hits query__start)" \
	"$(hits sort__done) $(hits query__done)"
[ "$(grep -c '__' seen)" -ge 35 ] || { echo 'few markers'; cat seen; exit 1; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$bin" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
