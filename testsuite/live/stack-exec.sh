# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# A program that executes itself, at the same addresses: it has a stack before, and after, but none
# in between, where its registers are still those of before and the memory is the new one's.
# Each: the kernel maps a program in its own order.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d /tmp/stack-exec.XXXXXX)
trap 'rm -rf $folder' EXIT
cat >"$folder/execs.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char left[12];

	snprintf(left, sizeof(left), "%d", atoi(argv[1]) - 1);
	return *left == '-' ? 0 : execl(argv[0], argv[0], left, NULL);
}
END
gcc -static -no-pie -o "$folder/execs" "$folder/execs.c" 2>log || fail gcc log
"$PROBERUN" -o out "$MODULE" -c "exec $folder/execs 20" 2>err || fail status out err
grep -qx 'before 20 20 20' out || fail 'before' out err
grep -qxE 'after (20|21) \1 \1' out || fail 'after' out err
grep -qxE 'between (40|42) 0 0' out || fail 'between' out err
