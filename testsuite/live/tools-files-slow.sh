# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
#@ needs: perl strace
# Tools: fileslower filetop filelife mountsnoop
#
# The tools for single files and for mounts, on one load: compared with what the load does, with
# strace, and with /proc.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir -p /tmp/files
mount -t tmpfs files /tmp/files
cd /tmp/files
mkdir mounted many
trap 'cd /; umount /tmp/files' EXIT
mkfifo go
cat >work <<'SH'
echo $$ >self
read -r _ <go
echo text | cat >/dev/null
for n in {1..30}; do cat /proc/self/maps >/dev/null; done
for n in {1..100}; do echo text >many/$n; done
dd if=/dev/zero of=large bs=64k count=40 status=none
dd if=large of=/dev/null bs=32k status=none
perl vectors.pl
begin=$EPOCHREALTIME
touch short; sleep 0.2; rm short
echo "$begin $EPOCHREALTIME" >lived
touch old-name; mv old-name new-name; rm new-name
rm before
mount -t tmpfs -o size=64k second mounted
umount mounted
umount mounted
: >last
exec rm last
SH
cat >vectors.pl <<'PL'
my ($readv, $writev) = `uname -m` =~ /x86/ ? (19, 20) : (65, 66);
open my $file, "+>", "vectors" or die;
my ($one, $two) = ("x" x 1000, "y" x 500);
my $parts = pack "P Q P Q", $one, 1000, $two, 500;
syscall $writev, fileno $file, $parts, 2 for 1 .. 7;
sysseek $file, 0, 0;
syscall $readv, fileno $file, $parts, 2 for 1 .. 8;
PL
touch before
tools="fileslower filetop filelife mountsnoop"
declare -A with=([fileslower]=least=0 [filetop]='every=3 rows=1000')
for tool in $tools; do
	# shellcheck disable=SC2086
	begin_session "$tool" "$tool" ${with[$tool]:-}
done
strace -f -q -s 300 -o trace -e trace=mount,umount2,fsmount,move_mount,execve \
	bash work >answers 2>&1 &
load=$!
wait_for 'the load' [ -s self ]
self=$(cat self)
declare -A more=(
	[slower-all]="fileslower least=0 all=1"
	[slower-self]="fileslower least=0 all=1 only_pid=$self"
	[top-all]='filetop every=3 all=1 by_calls=1 rows=2'
	[life-self]="filelife only_pid=$self"
	[mount-failed]='mountsnoop failed=1 timestamps=1'
	[mount-self]="mountsnoop only_pid=$self")
begin_sessions more
wait_sessions
echo >go
wait $load || fail 'work' answers
# The end shows the last, partial interval as well.
end_sessions

# 40 writes of 64 KiB to the file, and as many reads as 32 KiB and the end take.
awk '$2 == "dd" && $7 ~ /files\/large$/ { n[$4, $5]++; if ($6 !~ /^[0-9]+$/) bad = 1 }
	END { exit bad || n["W", 65536] != 40 || n["R", 32768] != 81 }' fileslower ||
	fail 'not what dd did' fileslower
! grep -q '/dev/zero' fileslower || fail 'a device' fileslower
awk '$2 == "dd" && $NF == "/large" { r += $3; w += $4; rk += $5; wk += $6 }
	END { exit r != 81 || w != 40 || rk != 2560 || wk != 2560 }' filetop ||
	fail 'not what dd did' filetop
# Seven calls of writev(), then eight of readv(), of which the last one is at the end.
awk '$2 == "perl" && $7 ~ /files\/vectors$/ { n[$4, $5]++ }
	END { exit n["W", 1500] != 7 || n["R", 1500] != 7 || n["R", 0] != 1 }' fileslower &&
	awk '$2 == "perl" && $NF == "/vectors" { r += $3; w += $4; rk += $5; wk += $6 }
		END { exit r != 8 || w != 7 || rk < 9 || rk > 10 || wk < 9 || wk > 10 }' filetop ||
	fail 'readv() and writev()' fileslower filetop
# The dentries of files below /proc are freed with the process, and new files get the memory.
awk '$NF ~ "^/many/" && $3 == 0 && $4 == 1 { n++ }
	$NF ~ /maps$/ && $4 != 0 || $NF ~ "^/many/" && $2 != "bash" { bad = 1 }
	END { exit bad || n != 100 }' filetop || fail 'names of other files' filetop

most=$(awk '{ print int(($2 - $1) * 1000) + 1 }' lived)
[ "$(awk -v most="$most" '/\/short$/ && $3 == "rm" && $4 >= 200 && $4 <= most' filelife |
	grep -c .)" = 1 ] ||
	fail 'the age of a file' filelife
! grep -qE '/(old-name|new-name|before)$' filelife || fail 'a file with another name' filelife

perl -ne 'print "$1 $2($3\n" if /^(\d+) +(u?mount|fsmount|move_mount)2?\((.*)/' trace |
	sed 's/ *= -1 EINVAL.*/ = -22/; s/) *= /) = /; s/, "size=64k")/)/' >wanted
awk 'NR == FNR { ours[$1] = 1; next } $2 in ours' <(awk '{ print $1 }' trace | sort -u) mountsnoop |
	sed 's/^[^ ]* *\([0-9]*\) *[0-9]* *[0-9]* */\1 /' >got
diff wanted got >difference || fail 'mountsnoop: strace (<) and it (>)' difference mountsnoop
[ "$(grep -c . wanted)" -ge 3 ] || fail 'nothing was mounted' trace
number=$(readlink /proc/self/ns/mnt | tr -dc 0-9)
awk -v n="$number" 'NR > 1 && $4 != n { exit 1 }' mountsnoop ||
	fail "not namespace $number" mountsnoop

# The file that dd reads is a device, and what the shell itself reads and writes are pipes.
[ "$(awk '$2 == "dd" && $4 == "R" && $7 == "/dev/zero"' slower-all | wc -l)" = 40 ] ||
	fail 'fileslower -a' slower-all
awk -v self="$self" 'NR > 1 && $3 != self { exit 1 }' slower-self &&
	grep -q ' R .*/files/work$' slower-self || fail 'fileslower -p' slower-self
awk '$1 == "PID" { n = 0 }
	$1 != "PID" && NF > 5 {
		n++; calls = $3 + $4; if (n > 1 && calls > last) bad = 1; last = calls
	}
	n > 2 { bad = 1 }
	n == 2 { two = 1 }
	END { exit bad || !two }' top-all || fail 'filetop -a -s -r 2' top-all
[ "$(sed 1d life-self | awk '{ print $2, $3, $NF }')" = "$self rm /last" ] ||
	fail 'filelife -p' life-self
awk '/ = -22$/ { $1 = $1; print }' mountsnoop >wanted
sed 1d mount-failed | sed 's/^[0-2][0-9]:[0-5][0-9]:[0-5][0-9] //' | awk '{ $1 = $1; print }' |
	diff wanted - >difference && [ -s wanted ] || fail 'mountsnoop -x -T' difference
[ "$(wc -l <mount-self)" = 1 ] || fail 'mountsnoop -p' mount-self
