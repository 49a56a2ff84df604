# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# Tools that show system calls, on a program of 32 bits whose calls are known.
# Tools: killsnoop statsnoop setuids mountsnoop syncsnoop fdleak execsnoop
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
mkdir -p /tmp/tools-32bit/on32
cd /tmp/tools-32bit || exit 1
trap 'cd /; rm -r /tmp/tools-32bit' EXIT
gcc -m32 -O1 -ffreestanding -nostdlib -static -fno-pie -no-pie -fno-stack-protector -o tools32 \
	"$TOP/testsuite/programs/tools32.c" 2>said || fail gcc said
# The lines of the program, without those columns that the sed SCRIPT removes.
shows() { # SCRIPT TOOL ARGUMENT...
	local script=$1 tool=$2
	shift 2
	"$PROBERUN" "$TOOLS/$tool.ko" "$@" -c 'exec ./tools32' >out 2>said && [ ! -s said ] ||
		fail "$tool $*" out said
	grep tools32 out | sed "s/^[0-9:]*  *//; s/tools32  *//; s/  */ /g; $script" >got
	diff wanted got >difference ||
		fail "$tool: what the program did (<) and $tool (>)" difference out
}
cat >wanted <<'END'
kill 0 - 0
tgkill 0 - 0
pidfd_send_signal 0 - 0
END
shows 's/^[0-9]* //; s/ [1-9][0-9]* 0$/ 0/; s/ 0 [^ ]* 0$/ 0 - 0/' killsnoop
cat >wanted <<'END'
stat64 0 /etc/passwd
lstat64 2 /no/such
fstatat64 0 /etc/group
statx 0 /etc/hosts
statfs 0 /proc
END
shows 's/^[0-9]* //' statsnoop
cat >wanted <<'END'
0 setuid 0 0
0 setreuid -1, 0 0
0 setreuid32 -1, 0 0
0 setresuid32 0, -1, 0 0
0 setgid32 0 0
END
shows '' setuids groups=1
cat >wanted <<'END'
mount("none", "on32", "tmpfs", 0) = 0
mount("none", "on32", "tmpfs", 0) = 0
umount("on32") = 0
umount2("on32", MNT_DETACH) = 0
END
shows 's/^[0-9]* [0-9]* [0-9]* //' mountsnoop
cat >wanted <<'END'
fsync 0 /tmp/tools-32bit/file32
fdatasync 0 /tmp/tools-32bit/file32
sync 0 
END
shows 's/^[0-9]* //; s/ [0-9]* 0 / 0 /' syncsnoop
cat >wanted <<'END'
-2 /no/such /no/such a b c
END
shows 's/^[0-9]* [0-9]* //; /tools32$/d' execsnoop failed=1
"$PROBERUN" "$TOOLS/fdleak.ko" -c 'exec ./tools32' >out 2>said || fail fdleak out said
awk '/^left_open\["tools32","file"/ { on = 1 }
	on && /@count=/ { sub(/.*@count=/, ""); n += $1; on = 0 }
	END { exit n != 2 }' out || fail 'fdleak: two descriptors stay open' out
