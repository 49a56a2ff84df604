# SPDX-License-Identifier: GPL-2.0
#@ slow
# The tools for the C library, compared with other counts: mallocs with those of a library that
# counts the calls, mallocsites with those of a program that counts its own, gethostlatency with
# getent, mutexes with a program that knows when its thread waited.
#@ needs: perl strace
programs=$TOP/testsuite/programs
gcc -std=gnu11 -O2 -pthread -o allocates "$programs/allocates.c" 2>log || fail 'allocates' log
gcc -std=gnu11 -O2 -pthread -o contends "$programs/contends.c" 2>log || fail 'contends' log
gcc -std=gnu11 -O2 -pthread -shared -fPIC -o count.so "$programs/count-mallocs.c" 2>log ||
	fail 'count' log
gcc -std=gnu11 -O1 -o looks "$programs/looks.c" 2>log || fail 'looks' log
for pie in pie no-pie; do
	gcc -std=gnu11 -O2 -g -fno-builtin -fno-optimize-sibling-calls -$pie -o sites-$pie \
		"$programs/allocsites.c" 2>log || fail 'allocsites' log
done
tool() { # NAME PROBEC-OPTION...
	"$PROBEC" "${@:2}" -w -p4 -r "$TARGET" "$TOP/tools/$1.kp" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
# A busy machine must not end the session: the subject is numbers of calls.
tool mallocs -D MAXLOAD=100 -c /bin/sh
tool mallocsites -c /bin/sh
tool gethostlatency
tool mutexes -c /bin/sh
cat >allocate.pl <<'PL'
my %h = map { $_ => "x" x $_ } 1 .. 1000;
our @kept = map { "x" x ($_ % 100) } 1 .. 12000;
delete $h{$_} for 1 .. 300;
if (my $pid = fork) { waitpid $pid, 0 } else { my %g = map { $_ => 1 } 1 .. 3000; delete $h{$_} for 301 .. 1000 }
PL
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
for run in ./allocates 'perl allocate.pl' \
	'bash -c "for i in {1..50}; do x[i]=\$i; done; (echo \${x[@]}) >/dev/null"' \
	'bash -c "for i in {1..50}; do x[i]=\$i; done; exec perl -e 1"'; do
	: >told
	"$PROBERUN" -o seen -c "LD_PRELOAD=./count.so $run 9>>told" mallocs.ko || exit 1
	[ -s told ] || { echo "$run told nothing"; exit 1; }
	check "blocks of $run" \
		"$(awk 'NF == 6 && $1 + 0 { print $1, $3, $4, $5, $6 }' seen | sort)" "$(sort told)"
done

for program in sites-pie sites-no-pie; do
	"$PROBERUN" -o seen -c "./$program >told" mallocsites.ko || exit 1
	awk -v program=$program '$2 == program && NF == 5' seen |
		while read -r _ _ calls bytes address; do
		# The address is after the call.
		echo \
			"$(addr2line -f -e $program $(printf 0x%x $((address - 1))) | head -n 1) $calls $bytes"
	done >places
	check "places of $program" \
		"$(awk '{ calls[$1] += $2; bytes[$1] += $3 } END { for (f in calls) print f, calls[f], bytes[f] }' places | sort)" "$(sort told)"
	check "how many places $program has" "$(wc -l <places)" 5
done

echo '127.0.0.7 one.example two.example' >>/etc/hosts
echo 'hosts: files' >/etc/nsswitch.conf
# An answer that takes at least 0.2 s: strace holds the program up where it opens the file.
"$PROBERUN" -o seen -c 'getent ahosts one.example; getent ahosts none.example; getent hosts two.example
	strace -o /dev/null -P /etc/hosts -e inject=openat:delay_enter=200000 getent ahosts two.example' gethostlatency.ko >got || exit 1
check 'names' "$(awk '$3 == "getent" && $6 != "two.example" { print $5, $6 }' seen)" 'found one.example
unknown none.example'
check 'a slow answer' \
	"$(awk '$5 == "found" && $6 == "two.example" { n++; ms = $4 } END { print n, (ms >= 200) }' seen)" '2 1'
check 'the number of names' "$(awk '$3 == "getent"' seen | wc -l)" \
	"$(sed -n 's/^\([0-9]*\) names, microseconds:/\1/p' seen)"

echo 'gethostbyname("$_.example") for qw(one none)' >names.pl
# perl calls gethostbyname_r(), which gethostbyname() of the library calls as well.
"$PROBERUN" -o seen -c './looks >told; perl names.pl' gethostlatency.ko >got || exit 1
check 'names by gethostbyname and its relatives' \
	"$(awk 'NF == 6 && $1 + 0 { print $3, $5, $6 }' seen)" "$(cat told)
perl found one.example
perl unknown none.example"

cat >look.pl <<'PL'
use Socket qw(getaddrinfo);
open my $go, "<", $ARGV[0] and <$go> if @ARGV;
getaddrinfo("one.example");
open my $done, ">", "done";
PL
"$PROBERUN" -o seen -c 'getent ahosts one.example; perl look.pl
	strace -o /dev/null -P /etc/hosts -e inject=openat:delay_enter=3000000 \
		getent ahosts two.example' \
	gethostlatency.ko only_name=getent min_ms=2000 timestamps=1 >got || exit 1
answers() { sed -n '2,/^$/p' seen | grep .; }
check 'names with -n, -m and -T' "$(answers | awk '{ print ($1 ~ /^[0-9:]+$/), $4, $6, $7 }')" \
	'1 getent found two.example'
rm done
mkfifo go
perl look.pl go &
looker=$!
"$PROBERUN" -o seen -c 'getent ahosts two.example; echo >go
	until [ -e done ]; do sleep 0.05; done' \
	gethostlatency.ko only_pid=$looker >got || exit 1
check 'names with -p' "$(answers | awk '{ print $1, $3, $5, $6 }')" "$looker perl found one.example"

"$PROBERUN" -o seen -c './contends 100 >told' mutexes.ko || exit 1
read -r mutex locked waits held <told
row=$(grep " $mutex " seen) || { echo "$mutex is not there"; cat seen; exit 1; }
read -r pid name at locks waited us longest <<<"$row"
check 'the mutex' "$at $locks $waited" "$mutex $locked $waits"
[ "$us" -ge $((held / 1000 - waits)) ] ||
	{ echo "it waited $us us, and was held $held ns"; exit 1; }
"$PROBERUN" -o seen -c './contends 20 >told' mutexes.ko top=1 min_us=1 || exit 1
read -r mutex _ waits _ <told
check 'mutexes with -n 1' "$(awk '{ print $3, $5 }' seen)" "MUTEX WAITS
$mutex $waits"
"$PROBERUN" -o seen -c './contends 20 >told' mutexes.ko min_us=600000000 || exit 1
check 'mutexes with -m' "$(awk '{ print $3 }' seen)" MUTEX
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
sed -i '/\[E_NO_HITS\]$/,+1d' said # of tables that are to be empty
[ ! -s said ] || fail 'it says' said
