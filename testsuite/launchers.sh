# SPDX-License-Identifier: GPL-2.0
# For tests of programs that start sessions on many machines: real ones, whose hosts are this
# machine under several names, in namespaces of their own. testsuite/remote.sh has what a session
# does; the names of hosts decide it. Sourced.
# shellcheck shell=bash disable=SC2154

# in_namespaces FILE: runs that script in namespaces whose processes end with it. Programs that look
# for addresses take a network without any but 127.0.0.1 for none.
in_namespaces() {
	unshare -n -m -p -f --kill-child --mount-proc true 2>/dev/null ||
		{ echo 'no namespaces'; exit 77; }
	# shellcheck disable=SC2016
	unshare -n -m -p -f --kill-child --mount-proc bash -c '
		ip link set lo up && ip address add 10.9.9.1/24 dev lo || exit
		[ ! -e /root/.bashrc ] || mount --bind /dev/null /root/.bashrc || exit
		. "$TOP/testsuite/expect.sh"; . "$0"' "$1" </dev/null
}

# serve_ssh HOST...: a sshd for each, and ./config for ssh.
serve_ssh() {
	local host port=2200
	ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f server ||
		fail 'no keys'
	mkdir -p /run/sshd
	for host; do
		port=$((port + 1))
		mkdir -p "hosts/$host"
		cat >"sshd.$host" <<S
Port $port
ListenAddress 127.0.0.1
HostKey $PWD/server
AuthorizedKeysFile $PWD/key.pub
PidFile $PWD/sshd.$host.pid
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
Subsystem sftp internal-sftp
SetEnv HOST=$host TMPDIR=$PWD/hosts/$host PLACE=$PWD PATH=$PWD/bin:$PATH RELEASE=$release NOTES=
S
		cat >>config <<S
Host $host
	HostName 127.0.0.1
	Port $port
	User root
	HostKeyAlias test
	IdentityFile $PWD/key
	UserKnownHostsFile $PWD/known
	StrictHostKeyChecking no
	LogLevel ERROR
S
		/usr/sbin/sshd -f "sshd.$host" || fail "no sshd for $host"
	done
}

# serve_slurm HOST...: a controller, and a slurmd for each.
serve_slurm() {
	local host machine port=17000
	export SLURM_CONF=$PWD/slurm/slurm.conf
	machine=$(hostname -s)
	mkdir -p slurm/state
	head -c 1024 /dev/urandom >slurm/key && chmod 400 slurm/key
	munged -F --force --key-file=slurm/key --socket=slurm/munge --pid-file=slurm/munged.pid \
		--log-file=slurm/munged.log --seed-file=slurm/seed >slurm/munged.out 2>&1 &
	cat >"$SLURM_CONF" <<S
ClusterName=test
SlurmctldHost=$machine(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$PWD/slurm/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool.%n
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
SlurmctldPort=16817
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE OverSubscribe=FORCE:8
S
	echo IgnoreSystemd=yes >slurm/cgroup.conf
	for host; do
		port=$((port + 1))
		echo "NodeName=$host NodeHostname=$machine NodeAddr=127.0.0.1 Port=$port CPUs=1"
	done >>"$SLURM_CONF"
	slurmctld -D >slurm/slurmctld.out 2>&1 &
	for host; do slurmd -D -N "$host" >"slurm/slurmd.$host.out" 2>&1 & done
	wait_for 'the nodes of Slurm' nodes_idle $#
}
nodes_idle() { [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" = "$1" ]; }
