# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc unshare
# A program in a file system that only its namespace has, below whose root it has gone, so that no
# table of mounts has it: the file is not read. It may be an interpreter, so each stack of a script
# that is empty is reported, as long as the process is not known, and when it is.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
echo '#include <unistd.h>
int main(void) {
	while (access("done", F_OK) != 0) { lseek(0, 0, SEEK_CUR); usleep(10000); }
	return 0;
}' >unread.c
gcc -static -o unread unread.c || exit 1
mkdir on ends
cat >enter <<'SH2'
mount -t tmpfs none on
mkdir on/root on/root/ends
mount --bind ends on/root/ends
cp unread on/root
exec ./begin
SH2
cat >begin.c <<'C'
#include <unistd.h>
int main(void) { return chroot("on/root") || chdir("/ends") || execl("/unread", "unread", NULL); }
C
gcc -o begin begin.c 2>/dev/null || exit 1
"$PROBERUN" -o out "$MODULE" -c 'unshare -m --propagation private sh enter' 2>said &
session=$!
wait_for 'a stack of the known process' grep -q 'there is no call frame information' out
: >ends/done
wait $session || fail 'the status' said
hits=$(sed -n 's/^hits //p' out)
number() { sed -n "s/^probec: warning: \([0-9]*\) stacks\? $1.*/\1/p" said; }
unread=$(number 'may lack frames of scripts: a file with code of the process is not read')
early=$(number "of processes .* incomplete: the loader did not know the process's code yet")
# A hit that comes early takes two stacks, which are both reported.
[ -n "$unread" ] && [ $((unread + ${early:-0} / 2)) = "$hits" ] ||
	fail 'not each is reported' out said
