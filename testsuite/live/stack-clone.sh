# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# Where a thread makes another one, libc's call frame information ends before the instruction of the
# system call, and the stack goes on to the function that asked for the thread.
. "$TOP/testsuite/expect.sh"
[ "$(uname -m)" = x86_64 ] || { echo 'on arm64 such stacks end at the call'; exit 77; }
folder=$(mktemp -d /tmp/stack-clone.XXXXXX)
trap 'rm -rf $folder' EXIT
cat >"$folder/clones.c" <<'END'
#include <pthread.h>
static void *nothing(void *arg) { return arg; }
__attribute__((noinline)) int asks(pthread_t *thread)
{
	return pthread_create(thread, NULL, nothing, NULL) + 1;
}
int main(void)
{
	pthread_t thread;
	int n = 0;

	for (int i = 0; i < 5; i++) {
		n += asks(&thread);
		pthread_join(thread, NULL);
	}
	return n != 5;
}
END
gcc -O2 -pthread -o "$folder/clones" "$folder/clones.c" 2>log || fail gcc log
"$PROBERUN" -o out "$MODULE" -c "$folder/clones" 2>err || fail status out err
[ "$(grep -c ' : asks+' out)" = 5 ] && [ "$(grep -c ' : main+' out)" = 5 ] &&
	[ "$(grep -c ' : _start+' out)" = 5 ] || fail 'where threads are made' out err
! grep -q incomplete err || fail 'stacks that end early' err out
