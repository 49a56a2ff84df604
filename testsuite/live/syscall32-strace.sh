#@ needs: gcc strace perl
# argstr and retstr of nearly all calls of the 32-bit interface are as strace shows the same calls
# of the same 32-bit program (compare_calls.pl). Accepted differences are listed below, and in
# doc/language.md.
. "$TOP/testsuite/expect.sh"
gcc -m32 -O1 -std=gnu11 -w -ffreestanding -nostdlib -static -fno-pie -no-pie -fno-stack-protector \
	-idirafter "/usr/include/$(gcc -print-multiarch)" -o /tmp/calls32 syscall32-strace.c \
	2>/tmp/said || fail gcc /tmp/said
# Calls with zeros change the mode of standard input, and the names of the machine.
: >/tmp/empty
names=$(uname -n) domain=$(cat /proc/sys/kernel/domainname)
"$PROBERUN" -o /tmp/ours32 -c 'strace -o /tmp/theirs32 /tmp/calls32 </tmp/empty >/dev/null' \
	"$MODULE" 2>/tmp/said || fail 'the session' /tmp/said
echo "$names" >/proc/sys/kernel/hostname
echo "$domain" >/proc/sys/kernel/domainname
cat >/tmp/known <<'KNOWN'
fcntl=fcntl64
statx:3              AT_STATX_SYNC_AS_STAT is 0
mmap2:4              MAP_FILE is 0
remap_file_pages:5   MAP_FILE is 0
personality:1        PER_LINUX is 0
ioctl:2              a request of 0, taken apart
quotactl:1           commands of quotas are numbers
quotactl_fd:2        commands of quotas are numbers
ioprio_set:3         the class and the priority are one number
io_uring_register:2  operations of io_uring are numbers
add_key:5            special keyrings are numbers
request_key:4        special keyrings are numbers
fanotify_mark:4      FAN_NOFD is -1
membarrier:3         shown by strace for a flag only
preadv:2             a vector that the kernel follows
truncate:2           a signed offset, unsigned in strace
ipc:1                a version and a call of ones
umask:result         octal
membarrier:result    hexadecimal
modify_ldt:result    an int, which the kernel does not extend
KNOWN
perl "$TOP/testsuite/compare_calls.pl" /tmp/theirs32 /tmp/ours32 /tmp/known 800 >/tmp/differ 2>&1
[ ! -s /tmp/differ ] || fail 'not the same:' /tmp/differ
