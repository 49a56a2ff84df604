# A machine that lacks something: sessions run where they can, else the refusal names what is missing and what to do,
# and nothing is left.
. "$TOP/testsuite/expect.sh"
cp "$MODULE" /run/starts.ko
cd /tmp
while :; do cat /etc/hostname >/dev/null; sleep 0.05; done &
trap 'kill %1' EXIT
session=("$PROBERUN" /run/starts.ko)
# The command in a mount namespace of its own, after SHELL has changed it.
apart() { # SHELL COMMAND...
	local shell=$1
	shift
	unshare -m bash -c "$shell
exec \"\$@\"" apart "$@"
}
good() { # WHAT COMMAND...
	local what=$1
	shift
	"$@" >said 2>&1 || fail "$what: status $?" said
	[ "$(tail -n 1 said)" = 'end 111' ] || fail "$what: not to its end" said
	ended_clean "$what"
}
refused_clean() { # ID WHAT PATTERN COMMAND...
	local pattern=$3
	refused "$1" "$2" "${@:4}"
	grep -qE "$pattern" said || fail "$2: not said: $pattern" said
	ended_clean "$2"
}
remember
good 'nothing missing' "${session[@]}"

# What is mounted.
good 'no debugfs, no tracefs' apart 'umount -l /sys/kernel/debug /sys/kernel/tracing' "${session[@]}"
refused_clean E_IO 'no /sys' 'mount -t sysfs' apart 'mount -t tmpfs tmpfs /sys' "${session[@]}"
refused_clean E_IO 'no /proc' 'mount -t proc' apart 'mount -t tmpfs tmpfs /proc' "${session[@]}"
good 'an empty /dev' apart 'mount -t tmpfs tmpfs /dev' "${session[@]}"
good 'a read-only /dev' apart 'mount -t tmpfs -o ro tmpfs /dev' "${session[@]}"
refused_clean E_LOAD 'nowhere to make a node' 'make device nodes' apart 'cp /run/starts.ko /mnt
	for d in /dev /run /tmp; do mount -t tmpfs -o ro tmpfs $d; done' "$PROBERUN" /mnt/starts.ko
refused_clean E_LOAD 'nodes of no effect' 'Permission denied' apart 'cp /run/starts.ko /mnt
	for d in /dev /run /tmp; do mount -t tmpfs -o nodev tmpfs $d; done' "$PROBERUN" /mnt/starts.ko

# Killed where there is no /dev/null.
apart 'mount -t tmpfs tmpfs /dev' "$PROBERUN" /run/starts.ko >said 2>&1 &
wait_for 'a session' grep -q begin said
{ kill -KILL $! && wait $!; } 2>/dev/null
nothing_left 'killed without /dev/null'

# Standard descriptors that are closed.
good 'closed input' bash -c 'exec "$@" <&-' closed "${session[@]}"
"${session[@]}" -o out <&- >&- 2>&- || fail "all closed: status $?"
[ "$(tail -n 1 out)" = 'end 111' ] || fail 'all closed: not to its end' out
ended_clean 'all closed'
bash -c 'exec "$@" >&-' closed "${session[@]}" >said 2>&1 && fail 'closed output: status 0' said
grep -q 'could not be written: Bad file descriptor \[E_IO\]' said || fail 'closed output: not said' said
ended_clean 'closed output'
rm out
"${session[@]}" -o out <&- >&- 2>&- &
wait_for 'a session' grep -qs begin out
{ kill -KILL $! && wait $!; } 2>/dev/null
nothing_left 'killed with all closed'

# Rights.
refused_clean E_SYMBOL 'no CAP_SYSLOG' 'CAP_SYSLOG' setpriv --bounding-set=-syslog "${session[@]}"
refused_clean E_LOCKDOWN 'no CAP_SYS_MODULE' 'CAP_SYS_MODULE' setpriv --bounding-set=-sys_module "${session[@]}"
refused_clean E_LOAD 'no CAP_MKNOD and no node' 'Operation not permitted' \
	apart 'mount -t tmpfs tmpfs /dev' setpriv --bounding-set=-mknod "${session[@]}"

# Too few of what a process may have: refused in words, wherever it hits.
limited() { # LETTER NUMBER...: the last one suffices
	local n status refusals=0 letter=$1
	shift
	for n in "$@"; do
		(ulimit -"$letter" "$n" && exec "${session[@]}") >said 2>&1
		status=$?
		# 127: not even enough to start a program.
		case $status in
		0 | 127) ;;
		1) grep -q '\[E_' said && refusals=$((refusals + 1)) || fail "ulimit -$letter $n: no words" said ;;
		*) fail "ulimit -$letter $n: status $status" said ;;
		esac
		nothing_left "ulimit -$letter $n"
	done
	[ "$status" = 0 ] || fail "ulimit -$letter $n is not enough" said
	[ "$refusals" -gt 0 ] || fail "ulimit -$letter: never too little: the test shows nothing"
}
limited v 5000 9000 15000 25000 1000000
limited n 4 5 20
mkdir -p groups && mount -t cgroup2 cgroup2 groups && echo +pids >groups/cgroup.subtree_control && mkdir groups/few &&
	echo 1 >groups/few/pids.max || fail 'no group of processes'
refused_clean E_NO_MEMORY 'no process for the guardian' 'process' sh -c "echo \$\$ >groups/few/cgroup.procs; exec $PROBERUN /run/starts.ko"
rmdir groups/few
umount groups

good 'all is there again' "${session[@]}"
