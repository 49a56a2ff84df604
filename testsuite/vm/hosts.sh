# SPDX-License-Identifier: GPL-2.0
# probec --remote with three guests as hosts, each with a sshd, a user who is not root, and sudo;
# two have the kernel under test and one has another. Counts and sums are exact; hosts that have no
# disk, no module or no right are reported; one falls silent, one is stopped, and one dies during a
# session. Whatever happens, the other hosts go on, and nothing stays on any host that lives.
# ./check does not install openssh-server, which would start to serve: this runs where it is there.
#@ needs: sshd ssh sudo useradd pgrep
#@ slow
#@ seconds: 1500
other=$("$TOP/lab/run" --kernels | grep -vx "$KERNEL" | head -n 1)
[ -n "$other" ] || { echo 'no second kernel'; exit 77; }
needs_static_proberun
LAB_QUIET=1 "$TOP/lab/run" --target "$other" >other_target || fail "$other has no target"
kernels=("$KERNEL" "$KERNEL" "$other") counts=(700 300 200)
cat >count.kp <<'X'
global writes, sizes
probe kernel.function("ksys_write") {
	if (execname() != "dd" || $count != 2) next
	writes[execname()]++
	sizes <<< $count
}
X
cat >wait.kp <<'X'
global n
probe begin { printf("begun %d %s\n", remote_id(), remote_uri()) }
probe kernel.function("ksys_write") { n++ }
probe end { printf("%s\n", n >= 0 ? "last words" : "") }
X
for script in count wait; do
	"$PROBEC" -w -p2 -r "$TARGET" "$script.kp" >/dev/null 2>said || fail "$script" said
done

# ---- the guests ----
# The folders that keep files until the end are the guest's own: it sees this machine's otherwise.
cat >guest <<'X'
root=$1 files=$2 count=$3
modprobe -d "$root" virtio_net && ip link set eth0 up &&
	ip address add 10.0.2.15/24 dev eth0 || exit
cp "$files/server" "$files/key.pub" /run || exit
echo "$count" >/run/count
echo "127.0.0.1 $(hostname)" >>/etc/hosts
cd /run || exit
for folder in /tmp /var/tmp /home; do mount -t tmpfs -o mode=1777 none $folder || exit; done
useradd -m -p '*' -s /bin/sh deploy && useradd -m -p '*' -s /bin/sh guest || exit
mkdir -p /etc/sudoers.d sshd
echo 'deploy ALL=(root) NOPASSWD: /usr/bin/sh' >/etc/sudoers.d/probec
chmod 440 /etc/sudoers.d/probec
rm -f /root/.bashrc # of this machine: it may take long
cat >config <<S
HostKey /run/server
AuthorizedKeysFile /run/key.pub
PidFile /run/sshd.pid
StrictModes no
UsePAM no
PermitRootLogin yes
S
# The command writes as often as this host is told.
cat >write.sh <<'S'
dd if=/dev/zero of=/dev/null bs=2 count="$(cat /run/count)" status=none
S
cat >write-wait.sh <<'S'
sh /run/write.sh
: >/run/written
until [ -e /run/go ]; do sleep 0.2; done
S
# A session must end here while nothing reaches this host. The card returns in any case.
cat >silence.sh <<'S'
sleep 2
ip link set eth0 down
for _ in $(seq 1200); do
	sleep 0.5
	grep -q '^probec_' /proc/modules || { echo alone >/run/ended; break; }
done
ip link set eth0 up
S
# Prints what a session may leave behind.
cat >left.sh <<'S'
grep -o '^probec_[^ ]*' /proc/modules
cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions
find /tmp /var/tmp /dev /dev/shm /root /home /run -maxdepth 2 -name '*probec[-_.]*'
pgrep -l '^proberun'
S
exec /usr/sbin/sshd -D -f /run/config
X
ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f server ||
	fail 'no keys'
free_port() { # a port at which nothing listens
	local port
	while port=$((20000 + RANDOM % 12000)); do
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
	done
	echo "$port"
}
guests=()
end_guests() { kill "${guests[@]}" 2>/dev/null; wait "${guests[@]}" 2>/dev/null; }
trap end_guests EXIT
# The clock of a stopped guest goes on, which its watchdogs would take for a processor that hangs.
start_guest() { # NUMBER
	local port release root
	port=$(free_port)
	release=$("$TOP/lab/run" --release "${kernels[$1 - 1]}")
	root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$release/root
	[ -d "$root" ] || root=/
	"$TOP/lab/run" --timeout 1400 --forward "$port" \
		--append 'nowatchdog rcupdate.rcu_cpu_stall_suppress=1' "${kernels[$1 - 1]}" -- \
		bash "$PWD/guest" "$root" "$PWD" "${counts[$1 - 1]}" >"guest$1" 2>&1 &
	guests+=($!)
	for user in deploy guest root; do
		cat >>config <<S
Host $user$1
	HostName 127.0.0.1
	Port $port
	User $user
	HostKeyAlias host$1
	IdentityFile $PWD/key
	UserKnownHostsFile $PWD/known
	StrictHostKeyChecking no
	LogLevel ERROR
	ServerAliveInterval 15
	ConnectTimeout 10
S
	done
}
machine() { pgrep -P "${guests[$1 - 1]}" -x 'qemu-system-.*'; }
on() { ssh -F config "root$1" "${@:2}" </dev/null; }
answers() { on "$1" true 2>/dev/null; }
for i in 1 2 3; do start_guest $i; done
for i in 1 2 3; do
	wait_for "the sshd of guest $i" answers $i
	on $i sh /run/left.sh >before$i
done

# ---- the sessions ----
export PROBEC_SSH="ssh -F $PWD/config"
hosts=deploy1,deploy2,deploy3
run() { "$PROBEC" -w "$@" >out 2>said; }
is_clean() { on "$1" sh /run/left.sh 2>&1 | cmp -s - "before$1"; }
clean() { # WHAT NUMBER...
	local i
	for i in "${@:2}"; do
		wait_for "$1: the end on host $i" is_clean "$i"
	done
}
begin() { # HOSTS [OPTION]...
	: >out
	"$PROBEC" -w --remote "$@" >out 2>said &
	session=$!
}
# Each knows which host it is.
has_begun() { [ "$(grep -cE '^(deploy[1-3]): begun [0-2] \1$' out)" = "$1" ]; }
finish() { # SIGNAL, or 0: leaves the status of the session in $status
	[ "$1" = 0 ] || kill "-$1" "$session"
	wait "$session"
	status=$?
}
# reported HOST PATTERN: the only error is that of this host; the two others have their last words.
reported() {
	[ "$status" = 1 ] && [ "$(grep -c E_REMOTE said)" = 1 ] &&
		grep -q "$1: .*$2.*E_REMOTE" said ||
		fail "$1: status $status, and not '$2'" said out
}
# An ssh for each host runs until its connection ends, which takes a minute if nothing tells it.
noticed() { # WHAT: one of three has ended
	local _
	for _ in $(seq 300); do
		[ "$(pgrep -fc -- "-F $PWD/config -T .* deploy")" != 2 ] || return 0
		sleep 1
	done
	fail "$1 is not noticed" said
}

run --remote $hosts -c 'sh /run/write.sh' count.kp || fail 'three hosts' said out
grep -v '|\|~\|: *$' out | sort >sorted
diff - sorted <<S || fail 'what they counted' out said
deploy1: sizes @count=700 @min=2 @avg=2 @max=2 @sum=1400
deploy1: writes["dd"]=700
deploy2: sizes @count=300 @min=2 @avg=2 @max=2 @sum=600
deploy2: writes["dd"]=300
deploy3: sizes @count=200 @min=2 @avg=2 @max=2 @sum=400
deploy3: writes["dd"]=200
S
clean 'three hosts' 1 2 3
run --remote $hosts --merge -c 'sh /run/write.sh' count.kp || fail 'merged' said out
grep -v '|\|~\|^$' out | sort >sorted
diff - sorted <<S || fail 'sums' out said
sizes @count=1200 @min=2 @avg=2 @max=2 @sum=2400
writes["dd"]=1200
S
clean 'merged' 1 2 3

# A user who may not use sudo.
run --remote deploy1,guest2,deploy3 -c 'sh /run/write.sh' count.kp
status=$?
reported guest2 'sudo: a password is required'
grep -q 'NOPASSWD' said || fail 'no next step' said
grep -qx 'deploy1: writes\["dd"\]=700' out && grep -qx 'deploy3: writes\["dd"\]=200' out ||
	fail 'beside a host without rights' out

# A module for one of the two kernels only.
run -r "$TARGET" --remote $hosts -c 'sh /run/write.sh' count.kp
status=$?
reported deploy3 'kernel'
grep -qx 'deploy1: writes\["dd"\]=700' out && grep -qx 'deploy2: writes\["dd"\]=300' out ||
	fail 'beside a host without a module' out
clean 'no module' 1 2 3

# A full disk.
on 2 mount -t tmpfs -o size=100k full /tmp || fail 'no full disk'
run --remote $hosts -c 'sh /run/write.sh' count.kp
status=$?
reported deploy2 'No space left on device'
grep -qx 'deploy1: writes\["dd"\]=700' out && grep -qx 'deploy3: writes\["dd"\]=200' out ||
	fail 'beside a full disk' out
clean 'a full disk' 1 2 3
on 2 umount /tmp

# The network of one host is silent. It is reported, and the session there ends by itself; the
# other hosts go on.
begin $hosts wait.kp
wait_for 'the sessions begin' has_begun 3
on 3 'setsid sh /run/silence.sh >/dev/null 2>&1 &'
noticed 'the silence'
finish INT
reported deploy3 'the connection was lost'
[ "$(grep -c '^deploy[12]: last words$' out)" = 2 ] || fail 'beside a silent host' out
wait_for 'the network of host 3' answers 3
[ "$(on 3 cat /run/ended)" = alone ] || fail 'the session of the silent host did not end by itself'
clean 'silence' 1 2 3

# A machine that is stopped, and goes on later.
begin $hosts wait.kp
wait_for 'the sessions begin' has_begun 3
kill -STOP "$(machine 2)"
noticed 'the stop'
finish INT
kill -CONT "$(machine 2)"
reported deploy2 'the connection was lost'
[ "$(grep -c '^deploy[13]: last words$' out)" = 2 ] || fail 'beside a stopped host' out
clean 'a stopped host' 1 2 3

# A machine that dies: the sums are those of the other two.
begin $hosts --merge -c 'sh /run/write-wait.sh' count.kp
for i in 1 2 3; do
	wait_for "the writes of host $i" on $i test -e /run/written
done
kill -KILL "$(machine 3)"
noticed 'the death'
for i in 1 2; do on $i touch /run/go; done
finish 0
reported deploy3 'the connection was lost'
grep -v '|\|~\|^$' out | sort >sorted
diff - sorted <<S || fail 'the sums of two' out said
sizes @count=1000 @min=2 @avg=2 @max=2 @sum=2000
writes["dd"]=1000
S
clean 'a dead host' 1 2

# ^C, and the death of probec.
begin deploy1,deploy2 wait.kp
wait_for 'the sessions begin' has_begun 2
finish INT
[ "$status" = 0 ] && [ "$(grep -c 'last words$' out)" = 2 ] || fail "^C: status $status" out said
clean '^C' 1 2
begin deploy1,deploy2 wait.kp
wait_for 'the sessions begin' has_begun 2
{ kill -KILL $(pgrep -P "$session") "$session"; wait "$session"; } 2>/dev/null
clean 'a killed probec' 1 2

# The kernels have reported nothing.
for i in 1 2; do
	on $i 'kill $(cat /run/sshd.pid)'
	wait "${guests[i - 1]}" || fail "guest $i: status $?" guest$i
done
