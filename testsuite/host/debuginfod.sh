# SPDX-License-Identifier: GPL-2.0
# Separate debug files: by build-id and .gnu_debuglink in the directories of --debuginfo, and from a
# debuginfod server of Debian's on this machine; servers that refuse, are silent, or are slow.
#@ needs: target debuginfod perl
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO DEBUGINFOD_URLS
export DEBUGINFOD_CACHE_PATH=$PWD/client
program=$PWD/run/target
mkdir -p run files client
gcc -std=gnu11 -O2 -g -o full "$TOP/testsuite/programs/target.c" 2>log || fail 'the program' log
objcopy --only-keep-debug full files/target.debug
strip -o run/target full
id=$(readelf -n full | sed -n 's/.*Build ID: //p')

# A parameter of a static function is known, and a static function that is not in .dynsym.
uses() { # WHAT OPTION...
	"$PROBEC" "${@:2}" -w -p2 -r "$TARGET" -e \
		"probe process(\"$program\").function(\"work\").call { println(\$a) exit() }" >got \
		2>said ||
		fail "$1" said
	"$PROBEC" "${@:2}" -w -r "$TARGET" -l "process(\"$program\").function(\"factorial\").call" \
		>got 2>said || fail "$1: symbols" said
}
lacks() { # WHAT OPTION...
	refused E_NO_MATCH "$1" "$PROBEC" "${@:2}" -p2 -r "$TARGET" \
		-e "probe process(\"$program\").function(\"work\") { println(\$a) exit() }"
}
lacks 'no debug file'
mkdir -p "tree/.build-id/${id:0:2}"
cp files/target.debug "tree/.build-id/${id:0:2}/${id:2}.debug"
uses 'a directory by build-id' --debuginfo="$PWD/tree"
uses 'a list of directories' --debuginfo="$PWD/none:$PWD/tree"
lacks 'another directory' --debuginfo="$PWD/client"
lacks 'no search' --debuginfo=
mkdir -p "paths$PWD/run"
cp files/target.debug "paths$PWD/run/target.debug"
(cd files && objcopy --add-gnu-debuglink=target.debug ../run/target) 2>log || fail 'objcopy' log
uses 'a directory by .gnu_debuglink' --debuginfo="$PWD/paths"
lacks 'a link without its file'
cp files/target.debug run
uses 'a file beside the program'
lacks 'a file beside the program, and no search' --debuginfo=
rm run/target.debug

# A server.
port=$((20000 + $$ % 20000))
get() { # PATH: the status of the server
	exec 3<>"/dev/tcp/127.0.0.1/$port" || return
	printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&3
	head -n 1 <&3 | tr -d '\0' | cut -d' ' -f2
	exec 3>&-
} 2>/dev/null
debuginfod -F -p "$port" -d "$PWD/base" -t 1 --disable-source-scan files >server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for ((i = 0; i < 300; i++)); do
	[ "$(get "/buildid/$id/debuginfo")" != 200 ] || break
	sleep 0.1
done
[ "$i" -lt 300 ] || fail 'the server does not serve' server.log
DEBUGINFOD_URLS=http://127.0.0.1:$port uses 'a debuginfod server'
ls client/"$id"/debuginfo >log 2>&1 || fail 'nothing was fetched' log
DEBUGINFOD_URLS=http://127.0.0.1:$port lacks 'a server, and no search' --debuginfo=
kill $server
wait $server 2>/dev/null

# It was kept. A server that is not there matters only for what was not fetched.
DEBUGINFOD_URLS=http://127.0.0.1:$port uses 'what was fetched before'
rm -r client
DEBUGINFOD_URLS=http://127.0.0.1:$port lacks 'no server'
grep -q "warning: the debug information of $program can't be fetched: .*refused" said ||
	fail 'no server:' said
grep -q "= DEBUGINFOD_URLS names 'http://127.0.0.1:$port'" said || fail 'the next step' said
[ "$(grep -c "can't be fetched" said)" = 1 ] || fail 'it is said twice' said

cat >server.pl <<'END'
use IO::Socket::INET;
my ($port, $file) = @ARGV;
$SIG{PIPE} = 'IGNORE';
my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 5, ReuseAddr => 1) or die;
while (my $client = $listen->accept) {
	my $asked = <$client> or next;
	while (my $line = <$client>) { last if $line =~ /^\r/ }
	if (!$file) { sleep 1000 }
	if ($file eq 'endless') {
		print $client "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
		1 while print $client "x" x 65536;
		next;
	}
	open my $f, '<', $file; binmode $f; local $/; my $data = <$f>;
	print $client "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\nContent-Length: " . length($data) . "\r\n\r\n";
	$client->flush;
	for my $i (0 .. 9) {
		print $client substr($data, int(length($data) * $i / 10), int(length($data) * ($i + 1) / 10) - int(length($data) * $i / 10));
		$client->flush;
		select undef, undef, undef, 0.5;
	}
	close $client;
}
END
serve() { # [FILE]
	perl server.pl "$port" "$@" >server.log 2>&1 &
	server=$!
	for ((i = 0; i < 100; i++)); do (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
}
port=$((port + 1))
serve
DEBUGINFOD_TIMEOUT=2 DEBUGINFOD_URLS=http://127.0.0.1:$port lacks 'a silent server'
grep -q "can't be fetched: " said || fail 'a silent server:' said
kill $server
port=$((port + 1))
serve endless
DEBUGINFOD_MAXSIZE=20000000 DEBUGINFOD_URLS=http://127.0.0.1:$port lacks 'an answer without an end'
grep -q "can't be fetched: the server sends more than 20 MB" said || fail 'no end:' said
kill $server
rm -r client # which says now that no server has it
port=$((port + 1))
serve files/target.debug
DEBUGINFOD_URLS=http://127.0.0.1:$port "$PROBEC" -r "$TARGET" -l "process(\"$program\").function(\"work\").call" >got 2>said || fail 'a slow server' said
grep -q "fetching the debug information of $program: [0-9]* of [0-9]* kB" said || fail 'no message of a slow server' said
grep -q 'target.c' got || fail 'a slow server:' got
exit 0
