# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the tracepoints of io_uring have other names and arguments
# Tools that follow requests to their answers: iouring, compared with a program that counts its own
# requests and their times; dns, compared with a name server that says what it was asked, and with
# what getent, perl and a program with Go's own resolver were told. Where the kernel lacks something
# for iouring, by the list for its series, it is refused.
#@ needs: perl gcc go
# shellcheck source=testsuite/live.sh
. "$TOP/testsuite/live.sh"
gcc -std=gnu11 -O2 -o rings "$TOP/testsuite/programs/rings.c" 2>log || fail rings log
CGO_ENABLED=0 GOFLAGS=-mod=mod GOCACHE=$PWD/go-cache go build -o asks \
	"$TOP/testsuite/programs/asks.go" 2>log || fail asks log
compile() { # NAME
	"$PROBEC" -w -p4 -r "$TARGET" -c /bin/true "$TOP/tools/$1.kp" >module 2>said
}
tool() { # NAME
	compile "$1" || fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
if [ -z "$(why_not tools/iouring "$("$TOP/lab/run" --release "$KERNEL")" "$TOP")" ]; then
	tool iouring
elif compile iouring || ! grep -q ' error: .* \[E_' said; then
	fail 'iouring is not refused' said
fi
tool dns
# A name server: answers A of one.example, has no other type for it, knows no other name, and does
# not answer questions about two.example.
cat >server.pl <<'PL'
use Socket;
use Time::HiRes qw(sleep);
socket my $s, PF_INET, SOCK_DGRAM, 0;
bind $s, pack_sockaddr_in(53, inet_aton("127.0.0.1")) or die "bind: $!";
open my $log, ">", "asked"; select $log; $| = 1; select STDOUT;
open my $ready, ">", "ready"; close $ready;
while (my $from = recv $s, my $q, 512, 0) {
	my ($id, @labels, $p) = (unpack("n", $q));
	for ($p = 12; (my $n = ord substr $q, $p, 1); $p += $n + 1) {
		push @labels, substr $q, $p + 1, $n;
	}
	my $type = unpack "n", substr $q, $p + 1, 2;
	my $name = join ".", @labels;
	next if $name eq "two.example";
	print $log "$name $type\n";
	my $known = $name eq "one.example";
	my $found = $known && $type == 1;
	sleep 0.1 if $name eq "slow.example";
	send $s, pack("nnnnnn", $id, 0x8180 | ($known ? 0 : 3), 1, $found, 0, 0) .
		substr($q, 12, $p + 5 - 12) .
		($found ? pack("nnnNn", 0xc00c, 1, 1, 60, 4) . inet_aton("127.0.0.7") : ""),
		0, $from;
}
PL
# Sends a question itself, and says how long the answer took, in microseconds.
cat >question.pl <<'PL'
use Socket;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
my ($name, $type, $wait) = @ARGV;
socket my $s, PF_INET, SOCK_DGRAM, 0;
my $start = clock_gettime(CLOCK_MONOTONIC);
send $s, pack("nnnnnn", 77, 0x100, 1, 0, 0, 0) .
	join("", map { chr(length) . $_ } split /\./, $name) . pack("Cnn", 0, $type, 1), 0,
	pack_sockaddr_in(53, inet_aton("127.0.0.1"));
exit unless $wait;
recv $s, my $answer, 512, 0;
print int((clock_gettime(CLOCK_MONOTONIC) - $start) * 1e6), "\n";
PL
# Asks the C library, by getaddrinfo(), and says what it was told.
cp -L "$(command -v perl)" lookup
cat >lookup.pl <<'PL'
use Socket qw(getaddrinfo);
for (@ARGV) {
	my ($error) = getaddrinfo($_);
	print "lookup - ", $error ? "unknown" : "found", " $_\n";
}
PL
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
of_rings() {
	"$PROBERUN" -o seen -c './rings >told & until [ -s told ]; do sleep 0.05; done' \
		iouring.ko || exit 1
	kill "$(pidof rings)"
	check 'requests by operation' \
		"$(awk '$1 ~ /^[A-Z]+$/ && $2 + 0 { print $1, $2, $3 }' seen | sort)" \
		"$(awk '{ print $1, $2, $3 }' told | sort)"
	check 'the reads that stay open' "$(awk '$1 == "READ" { print $7 }' seen)" 2
	check 'the times of timeouts' "$(awk 'NR == FNR { told[$1] = $4; next }
		$1 == "TIMEOUT" { print ($5 >= 30000 && $5 <= $6 && $6 <= told[$1]) }' told seen)" 1
}
[ ! -e iouring.ko ] || of_rings

echo 'nameserver 127.0.0.1' >resolv.conf
mount --bind resolv.conf "$(readlink -f /etc/resolv.conf)" || exit 1
echo 'hosts: files dns' >/etc/nsswitch.conf
ip link set lo up 2>/dev/null || ifconfig lo up
perl server.pl &
server=$!
until [ -e ready ]; do sleep 0.05; done
"$PROBERUN" -o seen -c 'perl question.pl one.example 1 1 >/dev/null
	perl question.pl one.example 28 1 >/dev/null
	perl question.pl slow.example 16 1 >slow; perl question.pl two.example 15
	./asks one.example none.example >answers
	./lookup lookup.pl one.example none.example >told; getent hosts none.example; :' \
	dns.ko >got || exit 1
kill $server
lines() { awk -v via="$1" '$3 == via { print $2, $5, $6 ($6 == "no" ? " " $7 : ""), $NF }' seen; }
check "questions by packets" "$(lines udp | grep -E '^(perl|asks) ' | sort)" "$(sort <<'END'
perl A found one.example
perl AAAA no data one.example
perl TXT unknown slow.example
perl MX no answer two.example
asks A found one.example
asks A unknown none.example
END
)"
check 'questions by getaddrinfo()' "$(lines libc | grep '^lookup')" "$(cat told)"
check 'questions by gethostbyname2()' "$(lines libc | grep '^getent' | sort -u)" \
	'getent - unknown none.example'
# All that the server was asked, and no more.
check 'the number of questions' "$(lines udp | grep -vc two.example)" "$(wc -l <asked)"
check 'the time of an answer' "$(awk -v told="$(cat slow)" '$NF == "slow.example" {
	print ($4 >= 100 && $4 * 1000 <= told) }' seen)" 1
check 'what Go was told' "$(cat answers)" 'one.example 127.0.0.7
none.example unknown'
SH
"$TOP/lab/run" "$KERNEL" -- env TOP="$TOP" PROBERUN="$PROBERUN" bash guest "$PWD" >out 2>&1 ||
	fail "status $?" out
