# SPDX-License-Identifier: GPL-2.0
#@ needs: perl strace
# Tools: opensnoop statsnoop syncsnoop dcsnoop vfsstat vfscount
#
# The tools for files, all of them at once on one load: compared with what strace, on the same load,
# says of each process.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir -p /tmp/files
mount -t tmpfs files /tmp/files
cd /tmp/files
trap 'cd /; umount /tmp/files' EXIT
# The process stops itself until the sessions are there.
cat >work <<'PL'
use IO::Handle; use POSIX ();
kill STOP => $$;
mkdir 'dir';
POSIX::mkfifo('fifo', 0600);
for my $n (1 .. 7) {
	sysopen(my $f, "dir/made-$n", POSIX::O_CREAT | POSIX::O_RDWR, 0600) or die;
	syswrite($f, 'x' x 100) for 1 .. $n;
	sysseek($f, 0, 0);
	1 while sysread($f, my $text, 64);
	$f->sync if $n < 4;
}
stat 'dir/made-1'; lstat 'dir/made-2'; stat 'dir/missing-1';
open my $none, '<', 'dir/missing-2';
# openat2() with a struct open_how, and creat().
my ($path, $how, $new) = ('dir/made-1', pack('x24'), 'dir/created');
syscall 437, -100, $path, $how, 24;
syscall 85, $new, 0600;
system 'cat', 'dir/made-7', '/no/such/file';
system 'sync', '-d', 'dir/made-3';
system 'sync';
system 'stat', '-f', 'dir';
system 'ls', 'dir/missing-3';
PL
touch trace
strace -f -q -y -s 300 -o trace -e 'trace=%file,%desc,sync,syncfs,msync' perl work >answers 2>&1 &
load=$!
wait_for 'the load' grep -qs 'stopped by SIGSTOP' trace
pid=$(sed -n 's/^\([0-9]*\) .*stopped by SIGSTOP.*/\1/p' trace)
begin_session opensnoop opensnoop
begin_session statsnoop statsnoop
begin_session syncsnoop syncsnoop
begin_session dcsnoop dcsnoop all=1
begin_session vfsstat vfsstat only_pid="$pid"
begin_session vfscount vfscount only_pid="$pid"
begin_session open-failed opensnoop only_name=cat failed=1 timestamps=1 show_uid=1 extended=1
begin_session open-full opensnoop only_tid="$pid" only_uid=0 full=1
begin_session open-nobody opensnoop only_uid=12345
begin_session stat-failed statsnoop only_name=ls failed=1 timestamps=1
begin_session sync-named syncsnoop only_name=sync
begin_session sync-long syncsnoop least=60000000
begin_session sync-plain syncsnoop no_files=1
begin_session miss-named dcsnoop only_name=ls
for name in "${!session[@]}"; do
	[ "$name" = vfscount ] || wait_for "the head of $name" [ -s "$name" ]
done
wait_sessions
kill -CONT "$pid"
wait "$load"
sleep 1.1
end_sessions

# Keep the calls after the stop.
join_calls trace
sed -i '1,/stopped by SIGSTOP/d' trace
awk '{ print $1 }' trace | sort -u >pids
same() { # TOOL: lines of wanted, and those of got about the processes of the load
	awk 'NR == FNR { ours[$1] = 1; next } $1 in ours' pids got | sort >"$1.got"
	sort wanted >"$1.wanted"
	diff "$1.wanted" "$1.got" >"$1.diff" || fail "$1: strace (<) and it (>)" "$1.diff" trace
	[ -s "$1.wanted" ] || fail "$1: nothing happened" trace
}

perl -ne 'next unless /^(\d+) +(?:open(?:at2?)?|creat)\(/;
	next unless /^(\d+) +\w+\((?:AT_FDCWD[^,]*, )?"([^"]*)".*?\) += (-?\d+)/;
	my ($pid, $path, $fd) = ($1, $2, $3);
	print "$pid $fd ", / ENOENT / ? 2 : 0, " $path\n"' trace >wanted
awk '{ print $1, $(NF - 2), $(NF - 1), $NF }' opensnoop >got
same opensnoop
grep -q ' -1 2 /no/such/file$' opensnoop.got || fail 'not the missing file' opensnoop.got

perl -ne 'next unless /^(\d+) +(stat|lstat|newfstatat|statx|statfs)\(/;
	next unless /\((?:(?:AT_FDCWD|\d+)[^,]*, )?"([^"]+)".*\) += (-?\d+)/;
	my ($path, $ret) = ($1, $2);
	/^(\d+) +(\w+)/; print "$1 $2 ", -$ret * 2, " $path\n"' trace >wanted
awk '{ print $1, $(NF - 2) == "fstatat" ? "newfstatat" : $(NF - 2), $(NF - 1), $NF }' statsnoop >got
same statsnoop
grep -q ' 2 dir/missing-1$' statsnoop.got || fail 'not the missing file' statsnoop.got

perl -ne 'next unless /^(\d+) +(sync|syncfs|fsync|fdatasync|msync)\((?:\d+<(.*?)>)?.*\) += 0/;
	print "$1 $2 0", $3 ? " $3" : "", "\n"' trace >wanted
awk '{ print $2, $4, $6 $7 ? $6 : "", $7 }' syncsnoop | sed 's/ *$//' >got
same syncsnoop
awk '$2 ~ /^[0-9]/ { print $2, $4, $6 }' syncsnoop | sort >wanted
awk '$2 ~ /^[0-9]/ { print $2, $4, $6 $7 }' sync-plain | sort | diff wanted - >difference ||
	fail 'syncsnoop without files' difference
awk '$4 == "fsync" && $5 !~ /^[0-9]+$/ { exit 1 }' syncsnoop || fail 'no latency' syncsnoop

count() { grep -cE "^$pid +($1)\\(" trace; }
made() { grep -cE "^$pid +(openat\\(.*made-.*O_CREAT|creat\\()" trace; }
opened() { grep -cE "^$pid +(openat2?|creat)\\(.* = [0-9]" trace; }
awk '$2 ~ /^[0-9]/ { for (i = 2; i <= 6; i++) n[i] += $i }
	END { print n[2], n[3], n[4], n[5], n[6] }' vfsstat >got
echo "$(count 'read|pread64') $(count write) $(count fsync) $(opened) $(made)" >wanted
diff wanted got >difference || fail 'vfsstat: strace (<) and it (>)' difference vfsstat
[ "$(cut -d ' ' -f 2- wanted)" = '28 3 '"$(opened)"' 8' ] || fail 'the load' wanted
awk '{ n[$1] = $2 } END { print n["vfs_read"], n["vfs_write"] }' vfscount >got
echo "$(count 'read|pread64') $(count write)" | diff - got >difference ||
	fail 'vfscount: strace (<) and it (>)' difference vfscount
grep -q '^vfs_mkdir  *1$' vfscount || fail 'not the directory' vfscount

# A file that is made is a miss, one that is there is none, and every lookup is a reference.
misses() { awk -v p="$1" '$4 == "M" && $5 == p' dcsnoop | grep -c .; }
asked() { grep -cE "\\((AT_FDCWD[^,]*, )?\"$1\"" trace; }
[ "$(misses /dir/made-7) $(misses /dir/missing-2) $(misses /dir/missing-3)" = \
	"1 $(asked dir/missing-2) $(asked dir/missing-3)" ] || {
	grep -E '(made|missing)-' dcsnoop
	fail 'misses, or not' trace
}
awk '$3 == "cat" && $4 == "R" && $5 == "/dir/made-7"' dcsnoop | grep -q . ||
	fail 'references' dcsnoop

# With options, a tool shows those of its lines that they select, with more columns.
selected() { # NAME TOOL CONDITION COLUMNS
	awk 'NR == FNR { ours[$1] = 1; next } $1 in ours || $2 in ours' pids "$2" | awk "$3" |
		awk "{ print $4 }" | sort >"$1.wanted"
	sed 1d "$1" | awk 'NR == FNR { ours[$1] = 1; next }
			$1 in ours || $2 in ours || $3 in ours' pids - |
		sed 's/^[0-2][0-9]:[0-5][0-9]:[0-5][0-9] //' >"$1.lines"
	awk "{ print $5 }" "$1.lines" | sort | diff "$1.wanted" - >difference &&
		[ -s "$1.wanted" ] || fail "$2 without options (<), $1 (>)" difference
}
selected open-failed opensnoop '$2 == "cat" && $(NF - 2) == -1' '$1, $3, $4, $5' '$2, $4, $5, $7'
awk 'NR > 1 && !($1 ~ /^..:..:..$/ && $2 == 0 && $7 == "O_RDONLY" || $7 == "O_RDONLY|O_CLOEXEC") {
	exit 1 }' open-failed || fail 'opensnoop -TUe' open-failed
perl -ne 'print "$1\n" if /^'"$pid"' +(?:open|openat|openat2|creat)\(.* = \d+<([^>]*)>$/' \
	trace >wanted
sed 1d open-full | awk -v p="$pid" '$1 == p && $3 >= 0 { print $NF }' | diff wanted - >difference &&
	[ -s wanted ] || fail 'opensnoop -F: strace -y (<) and it (>)' difference
[ "$(wc -l <open-nobody)" = 1 ] || fail 'opensnoop -u' open-nobody
selected stat-failed statsnoop '$2 == "ls" && $4 != 0' '$1, $3, $4, $5' '$1, $3, $4, $5'
selected sync-named syncsnoop '$3 == "sync"' '$2, $4, $6, $7' '$1, $3, $5, $6'
[ "$(wc -l <sync-long)" = 1 ] || fail 'syncsnoop -m' sync-long
selected miss-named dcsnoop '$3 == "ls" && $4 == "M"' '$2, $5' '$1, $4'
