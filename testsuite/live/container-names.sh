# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# Names of containers and pods from files as podman, containerd, CRI-O and docker leave them, in
# output, JSON and metrics; names that two of them have, hostile ones, and unknown ones; --container
# and --pod.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
folder=$(mktemp -d /run/names.XXXXXX) && cd "$folder" || exit 1
made=()
clean() {
	cd /
	find "$folder/cg" -mindepth 1 -depth -type d -exec rmdir {} +
	umount "$folder/cg"
	rm -r "$folder" "${made[@]}"
}
trap 'clean 2>/dev/null' EXIT
mkdir cg && mount -t cgroup2 none cg || fail 'no cgroups'
id() { printf "%064x" "$1" | tr 0 a; }
pod=5d1e0c6a-8d4b-4f0e-9a51-3f1d5c8e7b
# write FILE: from standard input
write() {
	mkdir -p "${1%/*}"
	made+=("$1")
	cat >"$1"
}
mkdir -p /var/log/pods/shop_web-7d9f_${pod}01 /var/log/pods/a_twin_${pod}02 \
	/var/log/pods/b_twin_${pod}03 /var/log/pods/odd
made+=(/var/log/pods/shop_web-7d9f_${pod}01 /var/log/pods/a_twin_${pod}02
	/var/log/pods/b_twin_${pod}03 /var/log/pods/odd)
tasks=/run/containerd/io.containerd.runtime.v2.task/k8s.io
write "$tasks/$(id 1)/config.json" <<'J'
{"ociVersion":"1.0.2","process":{"env":["X=\"io.kubernetes.cri.container-name\":\"no\""]},
 "annotations":{"io.kubernetes.cri.container-type":"container",
 "io.kubernetes.cri.container-name":"nginx","io.kubernetes.cri.sandbox-name":"web-7d9f"}}
J
storage=/var/lib/containers/storage/overlay-containers
write $storage/containers.json <<J
[{"id":"$(id 2)","names":["db"],"metadata":"{\"name\":\"x\",\"names\":[\"y\"]}"},
 {"id":"$(id 3)"},{"id":"$(id 4)","names":["bad\u001bname"]}]
J
write /run/containers/storage/overlay-containers/"$(id 5)"/userdata/config.json <<'J'
{"annotations": {"io.kubernetes.container.name": "cache", "io.kubernetes.pod.name": "twin"}}
J
write /var/lib/docker/containers/"$(id 6)"/config.v2.json <<'J'
{"ID":"x","Config":{"Labels":{"Name":"label"}},"Name":"/mail","Driver":"overlay2"}
J
write /var/lib/docker/containers/"$(id 7)"/config.v2.json <<'J'
{"Name":"/db"}
J
groups=(kubepods.slice/kubepods-pod${pod//-/_}01.slice/cri-containerd-"$(id 1)".scope
	machine.slice/libpod-"$(id 2)".scope machine.slice/libpod-"$(id 3)".scope
	machine.slice/libpod-"$(id 4)".scope
	kubepods.slice/kubepods-pod${pod//-/_}02.slice/crio-"$(id 5)".scope
	system.slice/docker-"$(id 6)".scope system.slice/docker-"$(id 7)".scope
	kubepods/burstable/pod${pod}03/"$(id 8)" machine.slice/libpod-conmon-"$(id 6)".scope)
# Each writes as often as its number says.
for i in "${!groups[@]}"; do
	mkdir -p "cg/${groups[i]}"
	{
		echo "echo \$\$ >$folder/cg/${groups[i]}/cgroup.procs"
		echo "exec dd if=/dev/zero of=/dev/null bs=1 count=$((i + 1)) status=none"
	} >"load$i"
done
cat >load <<'L'
for i in 0 1 2 3 4 5 6 7; do sh load$i; done
L
run() { "$PROBERUN" "$@" -c 'sh load' "$MODULE" >o 2>e; }
run || fail 'the status' e
[ ! -s e ] || fail 'messages' e
LC_ALL=C sort >wanted <<W
web-7d9f/nginx: 1
/db@$(id 2 | cut -c 1-12): 2
/$(id 3): 3
/bad: 4
twin@${pod:0:12}/cache: 5
/mail: 6
/db@$(id 7 | cut -c 1-12): 7
twin@${pod:0:12}/$(id 8): 8
in shop
in a
in b
nginx 1
in shop 1
text 1
by a function 6
twins 13
a part 5
in none 0
by its id 11
before 15
W
LC_ALL=C sort o | diff wanted - >said || fail 'the names' said
run --format=json || fail 'JSON: the status' e
grep -q '"value":"nginx"},{"expr":' o && grep -q '"text":"in shop' o || fail 'JSON' o
! grep -q "$(printf '\035')" o && ! grep -q u001d o || fail 'a mark in JSON' o

# A container that begins later is known within a second or two.
late=/var/lib/docker/containers/$(id 9)/config.v2.json
mkdir -p "${late%/*}" cg/late/docker-"$(id 9)".scope
made+=("${late%/*}")
cat >begin <<L
echo \$\$ >$folder/cg/late/docker-$(id 9).scope/cgroup.procs
echo '{"Name":"/late"}' >$late
while [ ! -e $folder/over ]; do dd if=/dev/zero of=/dev/null bs=1 count=1 status=none; done
L
"$PROBERUN" -c 'sh begin' "$MODULE" >o 2>e || fail 'late: the status' e
: >over
grep -qx 'nginx 0' o || fail 'late' o

# The filters. The script of the module has no filter.
"$PROBERUN" --container nginx "$MODULE" >said 2>&1 && fail 'a module without a filter'
grep -q 'was not built for limiting its hits .*\[E_CGROUP\]' said ||
	fail 'without a filter' said
script='probe kernel.function("vfs_write") { if (execname() == "dd") n++ } global n'
module=$("$PROBEC" -w -p4 --container=nginx -e "$script" 2>said) || fail 'no module' said
cp "$module" filter.ko
# only OPTION COUNT
only() {
	"$PROBERUN" "$1" -c 'sh load' filter.ko >o 2>e || fail "$1: the status" e
	grep -qx "n=$2" o || fail "$1: not $2" o e
}
only --container=nginx 1
only --container=mail 6
only --container="$(id 8)" 8
only --pod=web-7d9f 1
# refuses WORDS OPTION
refuses() {
	"$PROBERUN" "$2" -T 1 filter.ko >said 2>&1 && fail "$2: status 0" said
	grep -q "$1.*\[E_CGROUP\]" said || fail "$2" said
}
refuses "several containers on this machine have the name 'db'" --container=db
refuses "several pods on this machine have the name 'twin'" --pod=twin
refuses "no container of that name or id runs on this machine: 'nobody'" --container=nobody
"$PROBERUN" --container=a --pod=b filter.ko >said 2>&1 && fail 'two filters'
grep -q 'only one of --cgroup, --container and --pod \[E_OPTION\]' said || fail 'two filters' said
exit 0
