# SPDX-License-Identifier: GPL-2.0
#@ slow
# A session whose process is given too little: closed standard descriptors, resource limits. It runs
# if it can; otherwise the error names what is missing and the next step, and nothing is left.
. "$TOP/testsuite/expect.sh"
. ./lacking
good 'nothing missing' "${session[@]}"

# Closed standard descriptors.
good 'closed input' bash -c 'exec "$@" <&-' closed "${session[@]}"
"${session[@]}" -o out <&- >&- 2>&- || fail "all closed: status $?"
[ "$(tail -n 1 out)" = 'end 111' ] || fail 'all closed: not to its end' out
ended_clean 'all closed'
bash -c 'exec "$@" >&-' closed "${session[@]}" >said 2>&1 && fail 'closed output: status 0' said
grep -q 'could not be written: Bad file descriptor \[E_IO\]' said ||
	fail 'closed output: not said' said
ended_clean 'closed output'
rm out
"${session[@]}" -o out <&- >&- 2>&- &
wait_for 'a session' grep -qs begin out
{ kill -KILL $! && wait $!; } 2>/dev/null
nothing_left 'killed with all closed'

# Too little of a resource: a proper error, wherever it occurs.
limited() { # LETTER NUMBER...: the last number suffices
	local n status refusals=0 letter=$1
	shift
	for n in "$@"; do
		(ulimit -"$letter" "$n" && exec "${session[@]}") >said 2>&1
		status=$?
		# 127: too little even to start a program.
		case $status in
		0 | 127) ;;
		1) grep -q '\[E_' said && refusals=$((refusals + 1)) ||
			fail "ulimit -$letter $n: no words" said ;;
		*) fail "ulimit -$letter $n: status $status" said ;;
		esac
		nothing_left "ulimit -$letter $n"
	done
	[ "$status" = 0 ] || fail "ulimit -$letter $n is not enough" said
	[ "$refusals" -gt 0 ] || fail "ulimit -$letter: never too little: the test shows nothing"
}
limited v 5000 9000 15000 25000 1000000
limited n 4 5 20
mkdir -p groups && mount -t cgroup2 cgroup2 groups && echo +pids >groups/cgroup.subtree_control &&
	mkdir groups/few &&
	echo 1 >groups/few/pids.max || fail 'no group of processes'
refused_clean E_NO_MEMORY 'no process for the guardian' 'process' sh -c \
	"echo \$\$ >groups/few/cgroup.procs; exec $PROBERUN /run/starts.ko"
rmdir groups/few
umount groups

good 'all is there again' "${session[@]}"
