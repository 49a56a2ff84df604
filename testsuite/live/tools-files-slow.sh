#@ needs: perl strace
# Tools: fileslower filetop filelife mountsnoop
#
# The tools for single files and for mounts, on one load: compared with what the load does, with
# strace, and with /proc.
. "$TOP/testsuite/expect.sh"
mkdir -p /tmp/files
mount -t tmpfs files /tmp/files
cd /tmp/files
mkdir mounted
trap 'cd /; umount /tmp/files' EXIT
cat >work <<'SH'
echo $$ >self
dd if=/dev/zero of=large bs=64k count=40 status=none
dd if=large of=/dev/null bs=32k status=none
touch short; sleep 0.2; rm short
touch old-name; mv old-name new-name; rm new-name
rm before
mount -t tmpfs -o size=64k second mounted
umount mounted
umount mounted
true
SH
touch before
tools="fileslower filetop filelife mountsnoop"
declare -A with=([fileslower]=least=0 [filetop]='every=2 left=1') session
for tool in $tools; do
	# shellcheck disable=SC2086
	"$PROBERUN" -o "$tool" "$TOOLS/$tool.ko" ${with[$tool]:-} 2>"$tool.said" &
	session[$tool]=$!
done
for tool in fileslower filelife mountsnoop; do wait_for "the head of $tool" [ -s "$tool" ]; done
wait_for 'all sessions' [ "$(grep -c '^probec' /proc/modules)" -ge 4 ]
strace -f -q -s 300 -o trace -e trace=mount,umount2,execve bash work >answers 2>&1 ||
	fail 'work' answers
wait "${session[filetop]}" || fail "filetop: status $?" filetop.said
for tool in fileslower filelife mountsnoop; do kill -INT "${session[$tool]}"; done
for tool in fileslower filelife mountsnoop; do
	wait "${session[$tool]}" || fail "$tool: status $?" "$tool.said"
done
for tool in $tools; do [ ! -s "$tool.said" ] || fail "$tool says" "$tool.said"; done

# 40 writes of 64 KiB to the file, and as many reads as 32 KiB and the end take.
awk '$2 == "dd" && $7 ~ /files\/large$/ { n[$4, $5]++; if ($6 !~ /^[0-9]+$/) bad = 1 }
	END { exit bad || n["W", 65536] != 40 || n["R", 32768] != 81 }' fileslower ||
	fail 'not what dd did' fileslower
! grep -q '/dev/zero' fileslower || fail 'a device' fileslower
awk '$2 == "dd" && $NF == "/large" { r += $3; w += $4; rk += $5; wk += $6 }
	END { exit r != 81 || w != 40 || rk != 2560 || wk != 2560 }' filetop ||
	fail 'not what dd did' filetop

[ "$(awk '/\/short$/ && $3 == "rm" && $4 >= 200 && $4 < 5000' filelife | grep -c .)" = 1 ] ||
	fail 'the age of a file' filelife
! grep -qE '/(old-name|new-name|before)$' filelife || fail 'a file with another name' filelife

perl -ne 'print "$1 $2($3\n" if /^(\d+) +(u?mount)2?\((.*)/' trace |
	sed 's/ *= -1 EINVAL.*/ = -22/; s/) *= /) = /; s/, "size=64k")/)/' >wanted
awk 'NR == FNR { ours[$1] = 1; next } $2 in ours' <(awk '{ print $1 }' trace | sort -u) mountsnoop |
	sed 's/^[^ ]* *\([0-9]*\) *[0-9]* *[0-9]* */\1 /' >got
diff wanted got >difference || fail 'mountsnoop: strace (<) and it (>)' difference mountsnoop
[ "$(grep -c . wanted)" -ge 3 ] || fail 'nothing was mounted' trace
number=$(readlink /proc/self/ns/mnt | tr -dc 0-9)
awk -v n="$number" 'NR > 1 && $4 != n { exit 1 }' mountsnoop ||
	fail "not namespace $number" mountsnoop
