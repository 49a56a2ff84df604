# SPDX-License-Identifier: GPL-2.0
#@ slow
# ssltext: what openssl's server and client write and read, compared with what was given to them;
# ssllatency: as many calls that succeed.
#@ needs: openssl
for tool in ssltext ssllatency; do
	"$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/$tool.kp" >module 2>said ||
		fail "$tool does not compile" said
	cp "$(cat module)" $tool.ko
done
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 \
	-subj /CN=localhost 2>log ||
	fail 'the certificate' log
cat >guest <<'SH'
cd "$1" || exit 1
printf 'a line of text\n' >short
seq 1000 | tr '\n' ' ' | head -c 700 >long
echo >>long
cat >talk <<'T'
has_lines() { for i in $(seq 1200); do [ "$(wc -l <"$1")" -ge "$2" ] && break; sleep 0.05; done; }
: >at-server
: >at-client
(has_lines at-server 1; cat answer; has_lines at-client 1; sleep 600) |
	openssl s_server -quiet -accept 127.0.0.1:4433 -key key.pem -cert certificate.pem >at-server 2>said &
server=$!
for i in $(seq 1200); do grep -q ':1151 .* 0A ' /proc/net/tcp && break; sleep 0.05; done
(cat short; has_lines at-client 1; cat long; has_lines at-server 2) |
	bash -c 'echo $$ >client
		[ ! -e go ] || read -r _ <go
		exec openssl s_client -quiet -no_ign_eof -connect 127.0.0.1:4433' >at-client 2>>said
kill $server
T
printf 'an answer\n' >answer
"$PROBERUN" -o seen -c 'bash talk' ssltext.ko || exit 1
cat short long | cmp -s - at-server && cmp -s answer at-client ||
	{ cat at-server at-client said; exit 1; }
# A call in a line, in any order: the other side may have read a text before the call that wrote it
# returns.
in_lines() { awk '/^---/ && NR > 1 { print "" } { printf "%s|", $0 } END { print "" }' | sort; }
{
	for what in 'short 15 bytes' 'answer 10 bytes' 'long 701 bytes, the first 500'; do
		for verb in writes reads; do
			echo "--- openssl $verb ${what#* }:"
			head -c 500 "${what%% *}"
			echo
		done
	done
} | in_lines >wanted
sed 's/^--- openssl [0-9]*/--- openssl/' seen | in_lines >got
cmp -s got wanted || { diff -u wanted got; exit 1; }

"$PROBERUN" -o calls -c 'bash talk' ssllatency.ko || exit 1
for call in SSL_write SSL_read; do
	[ "$(awk -v call=$call '$1 ~ "^" call { n += $2 - $3 } END { print n }' calls)" = 3 ] ||
		{ echo "not three calls of $call"; cat calls; exit 1; }
done
awk '$1 == "SSL_do_handshake" { ok = $2 > $3 && $4 > 0 && $4 <= $5 && $5 <= $6 }
	END { exit !ok }' calls ||
	{ echo 'no handshake'; cat calls; exit 1; }

. "$TOP/testsuite/expect.sh"
mkfifo go
rm client
bash talk &
talk=$!
wait_for 'the client' [ -s client ]
declare -A with=([pid]="only_pid=$(cat client)" [named]='only_name=openssl distribution=1'
	[none]=only_name=nobody [tables]='argv_1=1 argv_2=2') session
for name in "${!with[@]}"; do
	"$PROBERUN" -v -o $name ssllatency.ko ${with[$name]} 2>$name.said &
	session[$name]=$!
done
wait_armed "${!with[@]}"
echo >go
wait $talk
wait "${session[tables]}" || fail 'ssllatency 1 2' tables tables.said
unset "session[tables]"
kill -INT "${session[@]}"
for name in "${!session[@]}"; do wait "${session[$name]}" || fail $name $name.said; done
leave_out_steps "${!with[@]}"
# One is to be empty, and tables of the first two seconds may be.
sed -i '/\[E_NO_HITS\]$/,+1d' {none,tables}.said
cat ./{pid,named,none,tables}.said
successes() { awk '$1 == "SSL_write" { w = $2 - $3 } $1 == "SSL_read" { r = $2 - $3 }
	END { print w + 0, r + 0 }' "$1"; }
# The client wrote two texts and read one.
[ "$(successes pid)" = '2 1' ] || fail 'ssllatency -p' pid
[ "$(successes named)" = '3 3' ] && awk '
	$1 == "SSL_read" { calls = $2 }
	/^SSL_/ { on = /^SSL_read,/ }
	on && /\|/ && !/value/ { n += $NF }
	END { exit !n || n != calls }' named || fail 'ssllatency -n -d' named
[ "$(wc -l <none)" = 1 ] || fail 'ssllatency -n nobody' none
[ "$(grep -c '^FUNCTION' tables)" = 2 ] || fail 'ssllatency 1 2' tables
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" >said 2>&1 ||
	fail "status $?" said
[ ! -s said ] || fail 'it says' said
