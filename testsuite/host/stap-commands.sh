# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Command lines as SystemTap's documents have them - the manual pages, the language reference, the
# Beginners Guide and the .meta files of its examples - with probec in place of stap. Those without
# a pass run up to pass 2. The kernel is named by SYSTEMTAP_RELEASE.
# shellcheck shell=bash disable=SC2154
export SYSTEMTAP_RELEASE=$TARGET
cache=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
mkdir bin
# shellcheck disable=SC2016
stap='exec "$PROBEC" --no-config ${pass:+"$pass"} "$@"'
printf '#!/bin/sh\n%s\n' "$stap" >bin/stap
chmod +x bin/stap
export PATH=$PWD/bin:$PATH

# run PASS: runs the lines of the input; the first word of one that fails by name is "not".
lines=0
run() {
	local line
	export pass=$1
	while IFS= read -r line; do
		lines=$((lines + 1))
		if [ "${line#not }" != "$line" ]; then
			! bash -c "${line#not }" >said 2>&1 </dev/null || fail "passes: $line" said
			grep -q '^ *= ' said || fail "no next step: ${line#not }" said
		else
			bash -c "$line" >said 2>&1 </dev/null || fail "$line" said
		fi
	done
}

run '' <<'END'
stap -V
stap -l 'syscall.*'
stap -L 'kernel.function("vfs_read")'
stap -L 'kernel.tracepoint("sched_switch")'
stap -l 'kernel.tracepoint("*")'
stap -p1 -vv -e 'probe begin { }' > /dev/null
stap -k --vp 0003 -p4 -e 'probe begin { exit() }'
stap -e 'probe vfs.read {exit()}' -m simple -p4
not stap --runtime=dyninst -e 'probe process.function("*") { println(pn(), ":", $$parms) }' -c 'ls'
not stap -e 'probe begin { printf("Hello from TestVM!\n"); exit() }' --remote=libvirt://TestVM
END
run -p2 <<'END'
stap -v -e 'probe vfs.read {printf("read performed\n"); exit()}'
stap -e 'probe syscall.* { }'
stap -e 'global x probe oneshot { for(i=1;i<=5;i++) x<<<i println(@variance(x)) }'
stap -e 'global x probe oneshot { for(i=1;i<=5;i++) x<<<i println(@variance(x,1)) }'
stap -e 'probe begin{printf("%b%b", 0xc0dedbad, 0x12345678);exit()}'
stap -e 'probe kernel.function("vfs_read") {printf("%s\n", $$parms); exit(); }'
stap -e 'probe kernel.function("vfs_read") {printf("%s\n", $$parms$); exit(); }'
stap -e 'probe kernel.function("vfs_read") {printf("%s\n", $$parms$$); exit(); }'
stap -e 'probe process.syscall, process.end { printf("%s %d %s\n", execname(), pid(), pp())}' -c ls
stap --all-modules -e 'probe begin { exit() }'
stap -g --suppress-time-limits -e 'probe begin { exit() }'
stap -t -e 'probe vfs.read { }'
stap -F -o /tmp/pfaults.log -S 1,2 -e 'probe begin { }'
stap -DMAXACTION=100000 -e 'probe begin { exit() }'
END

# Its examples, where Debian's package systemtap-doc is at hand.
for dir in /usr/share/systemtap/examples "$cache/systemtap-doc/usr/share/systemtap/examples"; do
	[ ! -d "$dir" ] || examples=$dir
done
[ -n "${examples:-}" ] || exit 0
find "$examples" -name '*.stp' -exec ln -s {} . \;
run -p2 <<'END'
stap helloworld.stp
stap --all-modules dropwatch.stp
stap -F iotime.stp
stap inodewatch.stp 0x8 0x05 1078319
stap inodewatch2.stp 0x08 0x01 100
stap accept2close-nd.stp
stap ansi_colors.stp
stap connect_stat.stp 127.0.0.1
stap cycle_thief.stp
stap errsnoop.stp
stap forktracker.stp
stap func_time_stats.stp 'syscall.read'
stap ioblktime.stp
stap iostats.stp
stap key.stp
stap net_xmit_json.stp
stap overcommit.stp
stap procmod_watcher.stp
stap pstree.stp
stap rwtime-nd.stp
stap sched_switch.stp
stap sig_by_pid.stp
stap sigmon.stp SIGKILL
stap slowvfs.stp
stap spawn_seeker.stp
stap syscallsbypid.stp
stap tcp_connections.stp
stap thread-times.stp
stap disktop.stp
stap -g ttyspy.stp
END
[ $lines -ge 50 ] || fail "$lines lines"
