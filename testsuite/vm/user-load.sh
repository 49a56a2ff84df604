# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the kernels spend their own time on breakpoints
#@ seconds: 900
# The overload breaker counts what the kernel spends on breakpoints in programs, and nothing else
# (testsuite/programs/load.c): a function that is called all the time ends the session, alone or as
# one of all functions of libc; page faults of the probed instruction, or of the one behind it, are
# the program's own. Without the limit, two processes on two processors leave the machine able to
# answer, or the last limit ends the session.
build_program load
libc=$(ldd load | awk '$1 == "libc.so.6" { print $3 }')
at="process(\"$libc\").function"
# A handler that does not ask where it was hit. On the checked kernel, the system call takes a
# third of the time.
build one "global n probe $at(\"getpid\") { n <<< 1 } probe end { println(@count(n)) }" \
	-D MAXLOAD=40
build back "global n probe $at(\"getpid\").return { n <<< 1 } probe end { println(@count(n)) }" \
	-D MAXLOAD=40
build leap "
global n
probe process(\"$PWD/load\").function(\"leap\").return { n <<< 1 }
probe end { println(@count(n)) }" -D MAXLOAD=60
build all "global n probe $at(\"*\").call { n <<< 1 } probe end { println(@count(n) > 100) }"
build free "global n probe $at(\"getpid\") { n <<< 1 } probe end { println(@count(n)) }" \
	-D MAXLOAD=0
build faults "
global n
probe process(\"$PWD/load\").function(\"first\"), process(\"$PWD/load\").function(\"second\"),
	process(\"$PWD/load\").function(\"nothing\") { n <<< 1 }
probe end { println(@count(n)) }"

cat >guest <<'SH'
cd "$1" || exit 1
fail() { echo "$1"; cat messages said; exit 1; }
overload() { # NAME [WHAT]
	"$PROBERUN" -o said -c "timeout 120 ./load ${2:-calls} 2 100 >/dev/null" "$1.ko" \
		2>messages && fail "$1: no overload"
	grep -q 'error: .* of processor .*went to the kernel.s breakpoints \[E_OVERLOAD\]$' \
		messages || fail "$1: no message"
	[ "$(cat said)" != 0 ] || fail "$1: no hits"
}
overload one
overload back
overload leap leaps
overload all
# Without a shell, which calls getpid() as well.
if "$PROBERUN" -o said -c './load calls 2 15' free.ko >told 2>messages; then
	[ "$(cat said)" = "$(cat told)" ] || fail "without the limit: not $(cat told)"
else
	grep -q 'E_STARVED\|of every processor' messages || fail 'without the limit'
fi
"$PROBERUN" -o said -c './load faults 20' faults.ko >told 2>messages ||
	fail 'page faults end the session'
[ "$(cat said)" = "$(cat told)" ] || fail "page faults: not $(cat told)"
SH
"$TOP/lab/run" --smp 2 --timeout 850 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
