# SPDX-License-Identifier: GPL-2.0
# For live/syscall-strace.sh and live/syscall32-strace.sh, which source it: system calls of a
# program as strace shows them and as the script does.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"

# same_calls PROGRAM LEAST: at least so many calls are the same (compare_calls.pl). Standard input
# has the accepted differences that only one interface has; those of both are below.
same_calls() {
	local names domain
	{
		cat
		cat <<-'KNOWN'
			statx:3              AT_STATX_SYNC_AS_STAT is 0
			remap_file_pages:5   MAP_FILE is 0
			personality:1        PER_LINUX is 0
			pkey_alloc:2         PKEY_UNRESTRICTED is 0
			futex_wake:4         FUTEX2_SIZE_U8 is 0
			futex_wait:4         FUTEX2_SIZE_U8 is 0
			lsm_get_self_attr:1  LSM_ATTR_UNDEF is 0
			lsm_set_self_attr:1  LSM_ATTR_UNDEF is 0
			ioctl:2              a request of 0, taken apart
			quotactl:1           commands of quotas are numbers
			quotactl_fd:2        commands of quotas are numbers
			ioprio_set:3         the class and the priority are one number
			io_uring_register:2  operations of io_uring are numbers
			add_key:5            special keyrings are numbers
			request_key:4        special keyrings are numbers
			fanotify_mark:4      FAN_NOFD is -1
			membarrier:3         shown by strace for a flag only
			umask:result         octal
			membarrier:result    hexadecimal
			modify_ldt:result    an int, which the kernel does not extend
		KNOWN
	} >/tmp/known
	# Calls with zeros change the mode of standard input, and the names of the machine.
	: >/tmp/empty
	names=$(uname -n) domain=$(cat /proc/sys/kernel/domainname)
	"$PROBERUN" -o /tmp/ours -c "strace -o /tmp/theirs $1 </tmp/empty >/dev/null" \
		"$MODULE" 2>/tmp/said || fail 'the session' /tmp/said
	# ftrace of 5.10 can't trace the file that has this call.
	grep -q 'sys_perf_event_open$' /sys/kernel/tracing/available_filter_functions ||
		sed -i '/^perf_event_open(/d' /tmp/theirs
	echo "$names" >/proc/sys/kernel/hostname
	echo "$domain" >/proc/sys/kernel/domainname
	perl "$TOP/testsuite/compare_calls.pl" /tmp/theirs /tmp/ours /tmp/known "$2" \
		>/tmp/differ 2>&1
	[ ! -s /tmp/differ ] || fail 'not the same:' /tmp/differ
}
