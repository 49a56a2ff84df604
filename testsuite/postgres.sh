# SPDX-License-Identifier: GPL-2.0
# A server of PostgreSQL for a test, in a guest. Sourced.
# shellcheck shell=bash disable=SC2034

# needs_postgres: sets $bin to the folder of its programs, or skips the test.
needs_postgres() {
	bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
	[ -x "$bin/postgres" ] || { echo 'PostgreSQL is not installed'; exit 77; }
	getent passwd postgres >/dev/null || { echo 'there is no user postgres'; exit 77; }
}

as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
psql() { command psql -XqAt "$@"; }

# postgres_start BIN SETTING...: starts a server in /tmp/pg, where its log is server.log, with the
# lines of settings, and goes there. psql has it from now on, in other shells as well.
postgres_start() {
	export PATH=$1:$PATH PGHOST=/tmp/pg PGUSER=postgres PGDATABASE=postgres PGDATA=/tmp/pg/data
	export -f psql
	mkdir -m 777 /tmp/pg && cd /tmp/pg || exit 1
	as_postgres initdb --no-sync -A trust --no-locale -E UTF8 >log 2>&1 || { cat log; exit 1; }
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '/tmp/pg'" \
		'autovacuum = off' 'fsync = off' "${@:2}" >>data/postgresql.conf
	as_postgres pg_ctl -s -w -l server.log start || { cat server.log; exit 1; }
}
