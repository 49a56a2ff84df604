# SPDX-License-Identifier: GPL-2.0
# Bundles by ClusterShell, pdsh and Slurm, and --remote by srun: what sessions count is exact, and
# they leave nothing. Two hosts are one machine under two names. host/launchers has the rest, with
# sessions that are shell scripts.
# ./check does not install these programs: this runs where they are there.
#@ needs: sshd ssh clush pdsh srun slurmctld slurmd munged
#@ slow
#@ seconds: 900
needs_static_proberun
cat >count.kp <<'X'
global writes
probe kernel.function("ksys_write") { if (pid() == target()) writes[execname()]++ }
X
"$PROBEC" bundle -w -r "$TARGET" count.kp -o count.run >said 2>&1 || fail 'the bundle' said
cat >guest <<'X'
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/launchers.sh"
ip link set lo up && ip address add 10.9.9.1/24 dev lo || exit
rm -f ~root/.bashrc # of this machine, in the overlay: it may take long
if ! mountpoint -q /sys/fs/cgroup; then # for slurmd
	mount -t cgroup2 none /sys/fs/cgroup && mkdir /sys/fs/cgroup/system.slice || exit
fi
release='' hosts='host[1-2]'
serve_ssh host1 host2
serve_slurm host1 host2
export PDSH_RCMD_TYPE=ssh PDSH_SSH_ARGS_APPEND="-F $PWD/config"
clush=(clush -q -S -o "-F $PWD/config" -w "$hosts")
echo 'exec dd if=/dev/zero of=/dev/null bs=2 count=300 status=none' >dd.sh

# counted WHAT COMMAND...: each host has counted what its own command has written.
counted() {
	"${@:2}" >out 2>said || fail "$1: status $?" out said
	[ "$(grep -c 'writes\["dd"\]=300$' out)" = 2 ] || fail "$1" out said
	unloaded "$1"
}
counted clush "${clush[@]}" "$PWD/count.run -c 'sh $PWD/dd.sh'"
counted pdsh pdsh -S -w "$hosts" "$PWD/count.run -c 'sh $PWD/dd.sh'"
counted srun srun -w "$hosts" ./count.run -c "sh $PWD/dd.sh"
counted '--remote by srun' "$PROBEC" -w -r "$TARGET" --remote host1,host2 --ssh 'srun -w {}' \
	-c "sh $PWD/dd.sh" count.kp
# The directories of this machine in /tmp are seen here as well; those have no such file.
[ -z "$(find /tmp /dev/shm /run -maxdepth 2 -path '*/probec.*/run')" ] || fail 'files are left'
echo whole
X
"$TOP/lab/run" --timeout 800 "$KERNEL" -- env TOP="$TOP" PROBEC="$PROBEC" TARGET="$TARGET" \
	PROBEC_CACHE="${PROBEC_CACHE:-$HOME/.cache/probec}" \
	bash -c "cp '$PWD'/*.kp '$PWD'/*.run '$PWD/guest' /run && cd /run && bash guest" \
	>out 2>&1 || fail "status $?" out
grep -qx whole out || fail 'it did not end' out
exit 0
