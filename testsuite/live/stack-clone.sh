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
#include <unistd.h>
static void *nothing(void *arg) { return arg; }
__attribute__((noinline)) int asks(pthread_t *thread)
{
	return pthread_create(thread, NULL, nothing, NULL) + 1;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	int n = 5, last = 0;

	while (!last && n == 5) {
		last = argc < 2 || access(argv[1], F_OK) == 0;
		n = 0;
		for (int i = 0; i < 5; i++) {
			n += asks(&thread);
			pthread_join(thread, NULL);
			usleep(1000);
		}
	}
	return n != 5;
}
END
gcc -O2 -pthread -o "$folder/clones" "$folder/clones.c" 2>log || fail gcc log
# All five stacks are whole; on PREEMPT_RT, five that come later.
cd "$folder" || exit 1
is_realtime || : >go
"$PROBERUN" -o out "$MODULE" -c "$folder/clones $folder/go" 2>err & session=$!
[ -e go ] || wait_for 'a whole stack' grep -q ' : _start+' out
: >go
wait $session || fail status out err
awk '{ line[NR] = $0; before[NR] = n } / : _start\+/ { n++ }
	END { for (i = 1; i <= NR; i++) if (before[i] >= n - 5) print line[i] }' out >five
[ "$(grep -c ' : asks+' five)" = 5 ] && [ "$(grep -c ' : main+' five)" = 5 ] &&
	[ "$(grep -c ' : _start+' five)" = 5 ] || fail 'where threads are made' out err
is_realtime || ! grep -q incomplete err || fail 'stacks that end early' err out
