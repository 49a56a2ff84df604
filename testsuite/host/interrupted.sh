# SPDX-License-Identifier: GPL-2.0
# ^C ends a session in any phase, and a command of -c that was not started is reported: here the
# signal comes before the module is read, so that none is loaded.
#@ needs: target
# shellcheck shell=bash disable=SC2154
module=$("$PROBEC" -p4 -r "$TARGET" -e 'probe begin { println("never") }' 2>said) ||
	fail 'it does not compile' said
gcc -shared -fPIC -O1 -o at-once.so -x c - 2>said <<'X' || fail 'at-once.c' said
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
int sigaction(int n, const struct sigaction *to, struct sigaction *was)
{
	int (*real)(int, const struct sigaction *, struct sigaction *) =
		(int (*)(int, const struct sigaction *, struct sigaction *))dlsym(RTLD_NEXT,
										  "sigaction");
	int ret = real(n, to, was);

	if (n == SIGINT && to && to->sa_handler != SIG_DFL)
		raise(SIGINT);
	return ret;
}
X
LD_PRELOAD=$PWD/at-once.so "$PROBERUN" -c 'echo started' "$module" >out 2>said
status=$?
[ "$status" = 1 ] && [ ! -s out ] || fail "status $status" out said
grep -q 'the command of -c was not started \[E_COMMAND\]' said || fail 'no word' said
LD_PRELOAD=$PWD/at-once.so "$PROBERUN" "$module" >out 2>said
[ ! -s out ] && [ ! -s said ] || fail 'without a command' out said
