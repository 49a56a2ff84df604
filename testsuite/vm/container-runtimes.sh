# SPDX-License-Identifier: GPL-2.0
# Containers of podman and containerd by their names: what each wrote is counted below its own name,
# and --container NAME and --pod NAME count that one alone. live/container-names has files of the
# other runtimes. And a session in a container of podman that may do what the DaemonSet's may
# (packaging/kubernetes).
#@ needs: podman containerd ctr runc busybox
#@ slow
#@ seconds: 1500
cat >script.kp <<'X'
global bytes
probe begin { println("begun") }
probe kernel.function("vfs_write")
{
	if (execname() == "head" && container() != "")
		bytes[container_name(), pod_name()] += $count
}
probe end
{
	foreach ([c, p] in bytes)
		printf("%s %s %d\n", c, p == "" ? "-" : p, bytes[c, p])
}
X
build all "$(cat script.kp)"
build one "$(cat script.kp)" --container=any
needs_static_proberun
"$PROBEC" bundle -w -r "$TARGET" script.kp -o all.run >said 2>&1 || fail 'the bundle' said
cat >guest <<'X'
. "$TOP/testsuite/expect.sh"
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup || exit 1
mkdir -p image/bin && cp "$(command -v busybox)" image/bin/ || exit 1
ln -s busybox image/bin/head && ln -s busybox image/bin/sleep || exit 1
tar -C image -cf image.tar . || exit 1
for t in /var/lib/containers /var/lib/containerd /run/containers; do
	mkdir -p $t && mount -t tmpfs none $t || exit 1
done
mkdir -p /etc/containers /etc/cni/net.d
echo '{ "default": [ { "type": "insecureAcceptAnything" } ] }' >/etc/containers/policy.json
podman=(podman --storage-driver=vfs --cgroup-manager=cgroupfs --events-backend=file --runtime=runc)
"${podman[@]}" import image.tar local/box >said 2>&1 || fail 'podman import' said
containerd >log 2>&1 &
daemon=$!
wait_for 'containerd' test -S /run/containerd/containerd.sock
# An image of one layer, as OCI has it.
sum() { sha256sum "$1" | cut -d ' ' -f 1; }
mkdir -p oci/blobs/sha256
put() { cp "$1" oci/blobs/sha256/"$(sum "$1")"; }
put image.tar
layer=$(sum image.tar)
cat >config <<C
{"architecture":"amd64","os":"linux","config":{},
 "rootfs":{"type":"layers","diff_ids":["sha256:$layer"]}}
C
put config
type=application/vnd.oci.image
# entry TYPE FILE: the words of a manifest about it.
entry() {
	printf '"mediaType":"%s","digest":"sha256:%s","size":%d' "$type.$1" "$(sum "$2")" \
		"$(stat -c %s "$2")"
}
cat >manifest <<C
{"schemaVersion":2,"mediaType":"$type.manifest.v1+json",
 "config":{$(entry config.v1+json config)},"layers":[{$(entry layer.v1.tar image.tar)}]}
C
put manifest
cat >oci/index.json <<C
{"schemaVersion":2,"manifests":[{$(entry manifest.v1+json manifest),
 "annotations":{"io.containerd.image.name":"local/box:1"}}]}
C
echo '{"imageLayoutVersion":"1.0.0"}' >oci/oci-layout
tar -C oci -cf oci.tar . && ctr -n k8s.io images import --snapshotter native oci.tar >said 2>&1 ||
	fail 'ctr images import' said
echo "$SECONDS s: images"

for name in first second; do
	# A container of --rm is in another list of podman's.
	rm=$([ $name = first ] || echo --rm)
	"${podman[@]}" run -d --network=none --name $name $rm local/box /bin/sleep 100000 \
		>said 2>&1 || fail "podman run $name" said
	echo "$SECONDS s: $name"
done
# The name of a container of Kubernetes is an annotation; its id and its control group are as the
# kubelet wants them.
uid=5d1e0c6a-8d4b-4f0e-9a51-3f1d5c8e7b21
id=$(printf %064d 7)
mkdir -p /var/log/pods/shop_web-7d9f_$uid
ctr -n k8s.io run -d --snapshotter native --cgroup /kubepods/burstable/pod$uid/"$id" \
	--annotation io.kubernetes.cri.container-name=nginx local/box:1 "$id" /bin/sleep 100000 \
	>said 2>&1 || fail 'ctr run' said log
echo "$SECONDS s: nginx"

first() { "${podman[@]}" exec first /bin/head -c 100 /bin/busybox; }
second() { "${podman[@]}" exec second /bin/head -c 200 /bin/busybox; }
nginx() { ctr -n k8s.io task exec --exec-id x "$id" /bin/head -c 300 /bin/busybox; }
# session WANTED "WRITER..." MODULE [OPTION]...: they write while it runs.
session() {
	local writer
	: >out
	"$PROBERUN" "${@:4}" "$3" >out 2>messages &
	session=$!
	wait_for 'the session' grep -q begun out
	for writer in $2; do $writer >said 2>&1 || fail "$writer" said; done
	kill -INT $session
	wait $session || fail 'the status' messages
	[ ! -s messages ] || fail 'messages' messages
	sort out | sed /begun/d >got
	printf "$1" | diff - got >said || fail "${*:3}" said
	echo "$SECONDS s: ${*:3}: $(tr '\n' ';' <got)"
}
session 'first - 100\nnginx web-7d9f 300\nsecond - 200\n' 'first second nginx' all.ko
session 'second - 200\n' 'first second' one.ko --container=second
session 'nginx web-7d9f 300\n' 'nginx first' one.ko --pod=web-7d9f
# In a container: podman stop sends SIGTERM. The files are those that the first process sees, which
# is in the lab's own root here.
for d in var/log/pods run/containerd run/containers var/lib/containers; do
	mkdir -p "/proc/1/root/${d%/*}"
	ln -s "$(sed 's|[^/]*/|../|g; s|[^/]*$||' <<<"$d")root/$d" "/proc/1/root/$d"
done
"${podman[@]}" run -d --privileged --pid=host --network=host --read-only --name prober \
	-v "$PWD/all.run:/all.run:ro" local/box /all.run >said 2>&1 || fail 'podman run prober' said
begun() { "${podman[@]}" logs prober 2>&1 | grep -q begun; }
wait_for 'the session in a container' begun
first >said 2>&1 && second >said 2>&1 && nginx >said 2>&1 || fail 'writers' said
"${podman[@]}" stop -t 100 prober >said 2>&1 || fail 'podman stop' said
"${podman[@]}" logs prober >out 2>&1
printf 'first - 100\nnginx web-7d9f 300\nsecond - 200\n' >wanted
sort out | sed /begun/d | diff - wanted >said || fail 'in a container' said out
[ "$("${podman[@]}" inspect --format '{{.State.ExitCode}}' prober)" = 0 ] || fail 'its status'
! grep -q '^probec_' /proc/modules || fail 'a module stays' /proc/modules
echo "$SECONDS s: in a container"
"${podman[@]}" rm -f -t 0 first second >said 2>&1 || fail 'podman rm' said
"$PROBERUN" --container=first one.ko >said 2>&1 && fail 'a container that has gone'
grep -q "no container of that name or id runs on this machine: 'first'" said || fail 'gone' said
ctr -n k8s.io task kill -s KILL "$id"
kill $daemon
echo whole
X
"$TOP/lab/run" --timeout 1400 --memory 2G "$KERNEL" -- env TOP="$TOP" PROBERUN="$PROBERUN" \
	bash -c "mkdir /run/t && cp '$PWD'/{guest,*.ko,all.run} /run/t && cd /run/t && bash guest" \
	>out 2>&1 || fail "status $?" out
grep -qx whole out || fail 'it did not end' out
exit 0
