# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# A process that is hit before the loader has read its files may run an interpreter or not: that the
# frames of its script are not there is reported. The loader may be fast, so one of ten must be hit
# before that.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
echo '#include <unistd.h>
int number = NUMBER;
int main(void) { lseek(0, 0, SEEK_CUR); return 0; }' >early.c
for i in 0 1 2 3 4 5 6 7 8 9; do gcc -static -DNUMBER=$i -o early$i early.c || exit 1; done
"$PROBERUN" -v "$MODULE" >out 2>early.said &
session=$!
wait_armed early
for i in 0 1 2 3 4 5 6 7 8 9; do ./early$i; done
kill -INT $session
wait $session || fail 'the status' early.said
[ "$(cat out)" = 10 ] || fail 'other hits' out
grep -q "did not know the process's code yet" early.said || fail 'not a word' early.said
