# SPDX-License-Identifier: GPL-2.0
# An OTLP collector of the tests (otlp-collector) that listens on $port and runs as $collector.
# Sourced after expect.sh.
# shellcheck shell=bash disable=SC2154

# answers: whether it does, for wait_for.
answers() {
	python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null
}

# stop_collector: all requests were right.
stop_collector() {
	kill "$collector"
	wait "$collector" 2>/dev/null
	collector=''
	[ ! -e got/wrong ] || fail 'a request' got/wrong
}
