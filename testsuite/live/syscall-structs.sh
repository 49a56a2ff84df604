# SPDX-License-Identifier: GPL-2.0
# argstr shows structures and the arguments of newer calls as a program does that passes them.
. "$TOP/testsuite/expect.sh"
cc -std=gnu11 -w -o /tmp/syscall-structs syscall-structs.c || exit 1
"$PROBERUN" -o /tmp/ours -c 'sh -c "/tmp/syscall-structs >/tmp/its"' "$MODULE" 2>/tmp/said ||
	fail 'the session' /tmp/said
[ "$(wc -l </tmp/its)" -gt 50 ] || fail 'few calls' /tmp/its
diff /tmp/its /tmp/ours || fail 'not the same'
