# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc unshare
# Programs on a file system that is a process of their user, which answers nothing any more: their
# stacks end where that file begins, and the session ends. The same for the folder in which the
# names of code are looked up that a process has made.
. "$TOP/testsuite/expect.sh"
source=$PWD/silent-files.c dir=/run/silent-files
clean() {
	kill -KILL $(jobs -p)
	wait
	umount -l "$dir/on"
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir -p $dir/on && cd $dir || exit 1
gcc -O2 -o silent "$source" 2>log && gcc -O2 -DLOOP -o loop "$source" 2>log || fail 'gcc' log
[ -c /dev/fuse ] || { echo 'no FUSE'; exit 77; }

begin() { # USER: mounts it for that user, and starts a program on it and one that has it as /tmp
	: >mounted
	: >of_file
	: >of_loop
	./silent loop on "$1" >mounted 2>&1 &
	server=$!
	wait_for 'the file system' grep -q mounted mounted
	on/file >of_file &
	unshare -m sh -c 'mount --bind on /tmp && exec ./loop' >of_loop &
	wait_for 'the programs' grep -q loops of_file
	wait_for 'the programs' grep -q loops of_loop
}
end() {
	{ kill -KILL $server; wait $server; kill -KILL $(jobs -p); wait; } 2>/dev/null
	umount -l on
}
# stacks: a session, until both programs have had stacks that libc begins.
both() {
	grep -q '^stack of file' out && grep -q '^stack of loop' out &&
		[ "$(grep -c 'getppid.*libc' out)" -ge 20 ]
}
has_ended() { ! kill -0 "$session" 2>/dev/null; }
stacks() {
	: >out
	"$PROBERUN" "$MODULE" >out 2>said &
	session=$!
	wait_for "stacks, $1" both
	kill -INT $session
	wait_for "the end, $1" has_ended
	wait $session || fail "$1: status" said out
	unloaded "$1"
}
of_file() { awk '/^stack of/ { name = $3 } name == "file"' out; }

# FUSE that root has mounted is read as any other.
begin 0
stacks "root's"
tail -n 20 out >last
of_file | grep -q ': main+.*/file\]$' || fail "root's file has no names" last
end
begin 1000
kill -USR1 $server
stacks 'silent'
of_file | grep -q 'main' && fail 'a file of a user was read' out
awk '/^stack of/ { name = $3 } name == "loop"' out | grep -q ': main+.*/loop\]$' ||
	fail 'the other program has no names' out
end
exit 0
