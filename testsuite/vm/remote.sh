# SPDX-License-Identifier: GPL-2.0
# probec --remote over a real ssh: two servers in one machine are two hosts of one kernel. What each
# counts is exact and so are their sums, a full disk and a lost connection end one of them, and
# nothing stays on any.
# ./check does not install openssh-server, which would start to serve: this runs where it is there.
#@ needs: sshd ssh
#@ slow
#@ seconds: 900
needs_static_proberun
cat >count.kp <<'X'
global writes, sizes, odd
probe begin { odd["\xff"] = 1 odd["\xfe"] = 2 }
probe kernel.function("ksys_write") {
	if (pid() != target()) next
	writes[execname()]++
	sizes <<< $count
}
X
cat >wait.kp <<'X'
global n
probe begin { println("begun") }
probe kernel.function("ksys_write") { n++ }
probe end { printf("%s\n", n >= 0 ? "last words" : "") }
X
# Compiled here, where it is faster.
for script in count wait; do
	"$PROBEC" -w -p4 -r "$TARGET" "$script.kp" >/dev/null 2>said || fail "$script" said
done
cat >guest <<'X'
. "$TOP/testsuite/expect.sh"
ip link set lo up
rm -f ~root/.bashrc # of this machine, in the overlay: it may take long
mkdir -p /run/sshd full noexec
mount -t tmpfs -o size=100k full full && mount -t tmpfs -o noexec noexec noexec || exit 1
ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f server || exit 1
server() { # NUMBER TMPDIR WRITES
	cat >"sshd$1" <<S
Port 220$1
ListenAddress 127.0.0.1
HostKey $PWD/server
AuthorizedKeysFile $PWD/key.pub
PidFile $PWD/sshd$1.pid
StrictModes no
UsePAM no
PermitRootLogin yes
SetEnv TMPDIR=$2 COUNT=$3 LC_ALL=C
S
	cat >>config <<S
Host host$1
	HostName 127.0.0.1
	Port 220$1
	User root
	IdentityFile $PWD/key
	UserKnownHostsFile $PWD/known
	StrictHostKeyChecking no
S
	/usr/sbin/sshd -f "$PWD/sshd$1" || exit 1
}
server 1 /run/tmp1 700
server 2 "$PWD/noexec" 300
server 3 "$PWD/full" 1
server 4 /run/tmp4 1
mkdir /run/tmp1 /run/tmp4
export PROBEC_SSH="ssh -F $PWD/config"
run() { "$PROBEC" -w -r "$TARGET" "$@"; }
# The directories of this machine in /tmp are seen here as well; those have no such file.
nothing_stays() {
	! pgrep -x proberun-guard && ! grep -q '^probec_' /proc/modules &&
		[ -z "$(find /run/tmp1 /run/tmp4 /run/noexec /run/full -name 'probec.*'
			find /tmp /var/tmp /dev/shm "$HOME" -maxdepth 2 -path '*/probec.*/run')" ]
}
clean() { wait_for "$1: the end on all hosts" nothing_stays; }

# The command writes as often as it is told, and each session sees that of its own host.
cat >dd.sh <<'S'
exec dd if=/dev/zero of=/dev/null bs=2 count=$COUNT status=none
S
run --remote host1,host2 -c "sh $PWD/dd.sh" count.kp >out 2>said || fail 'two hosts' out said
LC_ALL=C grep -v '|\|~\|odd\|^host[12]: *$' out | sort >sorted
diff - sorted <<S || fail 'what they counted' out said
host1: sizes @count=700 @min=2 @avg=2 @max=2 @sum=1400
host1: writes["dd"]=700
host2: sizes @count=300 @min=2 @avg=2 @max=2 @sum=600
host2: writes["dd"]=300
S
clean 'two hosts'
run --remote host1,host2 --merge -c "sh $PWD/dd.sh" count.kp >out 2>said || fail 'merged' out said
LC_ALL=C grep -v '|\|~\|^$' out | sort | LC_ALL=C sed 's/"[^d].*"/"?"/' >sorted
diff - sorted <<S || fail 'sums' out said
odd["?"]=2
odd["?"]=4
sizes @count=1000 @min=2 @avg=2 @max=2 @sum=2000
writes["dd"]=1000
S
# The merged globals of one host are shown as the session itself shows them.
run --remote host1 -c "sh $PWD/dd.sh" count.kp 2>said | sed 's/^host1: //' | grep -v odd >plain
run --remote host1 --merge -c "sh $PWD/dd.sh" count.kp 2>said | grep -v odd | diff plain - ||
	fail 'one host'
[ "$(grep -c '|@' plain)" -ge 1 ] || fail 'no histogram' plain
clean 'two hosts'

# A host whose disk is full, and one without a server.
sed 's/^Host host4/Host nobody/; s/Port 2204/Port 1/' config >>both && cat both >>config
run --remote host1,host3,nobody -T 1 wait.kp >out 2>said && fail 'a full disk: status 0' said
grep -q 'host3: the bundle cannot be stored: head: .*No space left on device' said &&
	grep -q 'nobody: .*Connection refused' said && [ "$(grep -c E_REMOTE said)" = 2 ] ||
	fail 'a full disk' said
grep -q '^host1:  *last words$' out || fail 'the other host' out said
clean 'a full disk'

# begin: a session that waits on two hosts.
has_begun() { [ "$(grep -c 'begun$' out)" = 2 ]; }
begin() {
	: >out
	"$PROBEC" -w -r "$TARGET" --remote host1,host4 wait.kp >out 2>said &
	session=$!
	wait_for 'the sessions begin' has_begun
}
modules() { grep -c '^probec_' /proc/modules; }
has_modules() { [ "$(modules)" = "$1" ]; }

# The connection of one host is lost: its session ends, that of the other one goes on.
begin
has_modules 2 || fail "$(modules) modules"
kill -KILL "$(pgrep -f "^sshd: root@notty" -P "$(cat sshd4.pid)")"
wait_for 'the session without a connection ends' has_modules 1
wait_for 'its file' eval '[ -z "$(find /run/tmp4 -name "probec.*")" ]'
kill -INT "$session"
wait "$session"
[ $? = 1 ] || fail 'a lost connection: its status' said
grep -q 'host4: the connection was lost .*E_REMOTE' said && [ "$(grep -c E_REMOTE said)" = 1 ] ||
	fail 'a lost connection' said
grep -q '^host1: last words$' out || fail 'the host that goes on' out said
clean 'a lost connection'

# ^C, and the death of probec.
begin
kill -INT "$session"
wait "$session" || fail '^C: status' said
[ "$(grep -c 'last words$' out)" = 2 ] || fail '^C' out said
clean '^C'
begin
{ kill -KILL "$(pgrep -P "$session")" "$session"; wait "$session"; } 2>/dev/null
clean 'a killed probec'
echo whole
X
"$TOP/lab/run" "$KERNEL" -- env TOP="$TOP" PROBEC="$PROBEC" TARGET="$TARGET" \
	PROBEC_CACHE="${PROBEC_CACHE:-$HOME/.cache/probec}" \
	bash -c "cp '$PWD'/*.kp '$PWD/guest' /run && cd /run && bash guest" >out 2>&1 ||
	fail "status $?" out
grep -qx whole out || fail 'it did not end' out
exit 0
