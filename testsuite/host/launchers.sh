# SPDX-License-Identifier: GPL-2.0
#@ needs: target root unshare sshd ssh clush nodeset pdsh ansible-playbook
#@ needs: srun slurmctld slurmd munged
# Sessions of --remote and bundles by the programs that start things on many machines: ssh,
# ClusterShell with a tree of gateways, pdsh, Ansible and Slurm as Debian has them, and a stand-in
# for kubectl. The sessions are shell scripts; vm/launchers has real ones.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/launchers.sh"
cat >inside <<'INSIDE'
. "$TOP/testsuite/remote.sh"
. "$TOP/testsuite/launchers.sh"
release=${TARGET##*/}
serve_ssh says-1 says-2 says-3 fails-1
serve_slurm says-1 says-2 fails-1 waits-1 waits-2
export PROBEC_SSH="ssh -F $PWD/config"

# ---- node sets ----
export CLUSTERSHELL_CFGDIR=$PWD/clustershell
mkdir clustershell
cat >clustershell/groups.conf <<'S'
[Main]
default: local
[local]
map: sed -n 's/^$GROUP: //p' $CFGDIR/groups
S
printf 'web: says-[1-2]\nnone:\n' >clustershell/groups
says() { # HOST...: what they say, in the order of the hosts
	local host width=0
	for host; do [ ${#host} -le $width ] || width=${#host}; done
	for host; do
		printf "%-$((width + 2))s%s\n" "$host:" one "$host:" "$host two" "$host:" three
	done
}
# shows WHAT HOSTS HOST...: with --remote HOSTS, these say what they say.
shows() {
	run_on "$2" "${options[@]}"
	[ "$status" = 0 ] || fail "$1: status $status" said
	sort out | diff <(says "${@:3}" | sort) - >d || fail "$1: the output" d said
	wait_for "$1: the end of the files of hosts" no_files
}
options=()
shows 'a range' 'says-[1-3]' says-1 says-2 says-3
shows 'a group' @web says-1 says-2
shows 'an operator' 'says-[1-3]!says-2' says-1 says-3
shows 'a set and names, one of them twice' 'says-3,@web,says-[2-3]' says-1 says-2 says-3
run_on 'root@says-[1-2]'
[ "$status" = 0 ] && [ "$(grep -c '^root@says-[12]: ' out)" = 6 ] ||
	fail 'users of a range' out said
refuses() { # PATTERN HINT HOSTS [PATH]
	rm -f ./*.asked
	PATH=${4:-$PATH} "$remote" -w script.kp --remote "$3" >said 2>&1 &&
		fail "accepted: $3" said
	grep -q "$1.*\[E_OPTION\]" said && grep -q "^ *= .*$2" said || fail "$3" said
}
refuses "no host is in '@none'" 'nodeset -LL' @none
refuses "'says-\[1-3' is not a node set: .*missing bracket" 'nodeset(1)' 'says-[1-3'
refuses "is not a node set: .*range" 'nodeset(1)' 'says-[a-b]'
mkdir few
refuses "is a node set, and nodeset of ClusterShell is not installed" clustershell 'says-[1-3]' \
	"$PWD/few"

# ---- --ssh as a template ----
cat >bin/kubectl <<'S'
#!/bin/bash
[ $# = 7 ] && [ "$1 $2 $4 $5 $6" = 'exec -i -- sh -c' ] || { echo "words: $*" >&2; exit 2; }
export HOST=$3 TMPDIR=$PLACE/hosts/$3 PATH=$PLACE/bin:$PATH
mkdir -p "$TMPDIR"
case $3 in
refuses-*) echo "Error from server (NotFound): pods \"$3\" not found" >&2; exit 1 ;;
silent-*) exit 3 ;;
esac
shift 4
"$@" || { echo "command terminated with exit code $?" >&2; exit 1; }
S
chmod +x bin/kubectl
# A job of Slurm has the environment of srun, and of its host only the name.
slurm="srun -w {} env HOST={} TMPDIR=$PWD/hosts/{} PATH=$PWD/bin:$PATH"
mkdir -p hosts/{says-1,says-2,fails-1,waits-1,waits-2}
for launcher in "$PWD/bin/kubectl exec -i {} --" "$slurm"; do
	name=${launcher%% *} name=${name##*/}
	options=(--ssh "$launcher")
	shows "$name" says-1,says-2 says-1 says-2
	run_on says-1,fails-1 "${options[@]}"
	[ "$status" = 1 ] && [ "$(grep -c E_REMOTE said)" = 1 ] &&
		[ "$(grep -c '^says-1: ' out)" = 3 ] &&
		grep -q "^fails-1: probec: error: reason \[E_ARM\]$" said &&
		grep -q "fails-1: $name ended with status 1: its session failed" said ||
		fail "$name: a session that fails" out said
done
options=(--ssh "$PWD/bin/kubectl exec -i {} --")
run_on says-1,refuses-1,silent-1,full-1,old-1 "${options[@]}"
[ "$status" = 1 ] && [ "$(grep -c E_REMOTE said)" = 4 ] && [ "$(grep -c '^says-1: ' out)" = 3 ] &&
	grep -q 'refuses-1: Error from server (NotFound): pods "refuses-1" not found' said &&
	grep -q 'silent-1: kubectl ended with status 3 before the host answered' said &&
	grep -q "= try the same with '[^ ]*kubectl exec -i silent-1 -- true'" said &&
	grep -q 'full-1: the bundle cannot be stored' said &&
	grep -q 'old-1: the script could not be built' said ||
	fail 'hosts that fail in each phase' out said
run_on says-1,nosuch-1 --ssh "$slurm"
[ "$status" = 1 ] && grep -q 'nosuch-1: srun: error: .*[Ii]nvalid node name' said ||
	fail 'a host that Slurm does not know' said
for word in ssh /usr/bin/ssh; do
	"$remote" -w script.kp --remote says-1 --ssh "$word {}" >said 2>&1 && fail 'ssh {}' said
	grep -q 'which ssh would join into one line \[E_OPTION\]' said || fail 'ssh {}' said
done

# ^C, and an end by the launcher's own kill.
begun() { [ "$(grep -c ': *begun$' out)" = 2 ]; }
begin() {
	rm -f lost
	"$remote" --remote 'waits-[1-2]' --ssh "$slurm" -w script.kp >out 2>said &
	session=$!
	wait_for "$1: its sessions" begun
}
begin '^C'
kill -INT $session
wait $session || fail "^C: status $?" said
[ "$(grep -c ': *last words$' out)" = 2 ] && [ ! -e lost ] || fail '^C' out said
wait_for '^C: the files' no_files
begin 'scancel'
scancel -w waits-1 --state=running
wait_for 'the session that was cancelled' grep -q 'CANCELLED\|Terminated\|STEP' said
kill -INT $session
wait $session
[ $? = 1 ] && [ "$(grep -c E_REMOTE said)" = 1 ] &&
	grep -q '^probec: error: waits-1: srun ended' said &&
	grep -qx 'waits-2: last words' out || fail 'a job that was cancelled' out said
wait_for 'scancel: the files' no_files

# ---- bundles ----
cat >place/static-proberun <<'S'
#!/bin/bash
case ${HOST:=$SLURMD_NODENAME} in fails-*) echo 'probec: error: reason [E_ARM]' >&2; exit 1 ;; esac
echo "$HOST counted $*"
exit 0
S
"$remote" bundle -w -r "$TARGET" script.kp -o reads.run >said 2>&1 || fail 'the bundle' said
counted() { # WHAT STATUS PREFIX...: what the hosts have printed
	[ "$status" = "$2" ] || fail "$1: status $status" out said
	grep -o 'says-[123]\(: says-[123]\)\? counted[^"]*' out | sort >sorted
	printf '%s\n' "${@:3}" | diff - sorted >d || fail "$1: the output" d out said
}

# ClusterShell: a file for all, and a tree with a gateway to two of them.
export CLUSTERSHELL_GW_PYTHON_EXECUTABLE=/usr/bin/python3
clush=(clush -q -S -o "-F $PWD/config")
run() { "$@" >out 2>said; status=$?; }
run "${clush[@]}" -w @web,fails-1 --copy reads.run --dest "$PWD/there.run"
[ "$status" = 0 ] && cmp -s reads.run there.run || fail 'clush --copy' out said
run "${clush[@]}" -w @web,fails-1 "$PWD/there.run -T 10"
counted 'clush' 1 'says-1: says-1 counted -T 10' 'says-2: says-2 counted -T 10'
grep -q 'fails-1: probec: error: reason' said || fail 'clush: the host that fails' said
printf '[routes]\n%s: says-1\nsays-1: says-[2-3]\n' "$(hostname -s)" >clustershell/topology.conf
run "${clush[@]}" -w 'says-[2-3]' "$PWD/there.run -T 10"
counted 'clush by a gateway' 0 'says-2: says-2 counted -T 10' 'says-3: says-3 counted -T 10'
rm clustershell/topology.conf

# pdsh, whose copies need pdcp on each host.
export PDSH_RCMD_TYPE=ssh PDSH_SSH_ARGS_APPEND="-F $PWD/config"
rm there.run
run pdcp -w 'says-[1-3]' reads.run "$PWD/there.run"
[ "$status" = 0 ] && cmp -s reads.run there.run || fail 'pdcp' out said
run pdsh -S -w 'says-[1-3],fails-1' "sudo -n $PWD/there.run"
counted 'pdsh' 1 'says-1: says-1 counted ' 'says-2: says-2 counted ' 'says-3: says-3 counted '
grep -q 'fails-1: probec: error: reason' said || fail 'pdsh: the host that fails' said

# Ansible.
export ANSIBLE_SSH_ARGS="-F $PWD/config" ANSIBLE_REMOTE_TEMP=$PWD/home/there
export ANSIBLE_NOCOLOR=1 LC_ALL=C.UTF-8
mkdir home
printf '[web]\nsays-1\nsays-2\nfails-1\n' >inventory
cat >reads.yml <<'S'
- hosts: web
  gather_facts: false
  vars: { ansible_ssh_use_tty: false }
  tasks:
    - name: Count reads for ten seconds
      ansible.builtin.script: reads.run --format=json
      register: reads
    - ansible.builtin.debug:
        msg: "{{ reads.stdout_lines }}"
S
run env HOME="$PWD/home" ansible-playbook -i inventory reads.yml
counted 'ansible' 2 'says-1 counted --format=json' 'says-2 counted --format=json'
grep -q 'stderr": "probec: error: reason' out || fail 'ansible: messages among the output' out
grep -q 'fails-1 .*failed=1' out || fail 'ansible: the host that fails' out

# Slurm copies the file itself.
run srun -l -w 'says-[1-2],fails-1' --bcast="$PWD/slurm/reads.run" reads.run -T 10
counted 'srun' 1 'says-1 counted -T 10' 'says-2 counted -T 10'
grep -q 'probec: error: reason' said || fail 'srun: the host that fails' said
# ^C of the launcher, and its own way to end a job. The session ends as proberun does: on SIGTERM
# with its last words, and when nobody reads its output.
cat >place/static-proberun <<'S'
#!/bin/bash
HOST=${HOST:-$SLURMD_NODENAME}
trap 'echo "$HOST last words"; rm "$PLACE/$HOST.runs"; exit 0' TERM INT HUP
: >"$PLACE/$HOST.runs"
python3 -c 'import select; p = select.poll(); p.register(1, 0); p.poll()' &
wait $!
rm "$PLACE/$HOST.runs"
exit 0
S
"$remote" bundle -w -r "$TARGET" script.kp -o wait.run >said 2>&1 || fail 'the bundle' said
both_run() { [ -e says-1.runs ] && [ -e says-2.runs ]; }
none_runs() { [ ! -e says-1.runs ] && [ ! -e says-2.runs ]; }
ends() { # WHAT END COMMAND...: END, a command, ends the launcher
	"${@:3}" >out 2>said &
	launcher=$!
	wait_for "$1: the sessions" both_run
	eval "$2"
	wait_for "$1: their ends" none_runs
	wait $launcher
}
set -m # otherwise, SIGINT is ignored in what a shell starts in the background
ends 'clush, ^C' 'kill -INT $launcher' "${clush[@]}" -w 'says-[1-2]' "$PWD/wait.run"
ends 'pdsh, ^C' 'kill -INT $launcher' pdsh -b -w 'says-[1-2]' "$PWD/wait.run"
ends 'scancel' 'scancel -u root' srun -w 'says-[1-2]' ./wait.run
[ "$(grep -c 'last words$' out)" = 2 ] || fail 'scancel: the last words' out said
exit 0
INSIDE
in_namespaces "$PWD/inside"
