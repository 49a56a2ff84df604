# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# How sessions of probec --remote fail and end, by an ssh that runs its command here: every host
# that failed is reported with its reason, the others go on, and no host keeps a file or a session.
# See testsuite/remote.sh for what each host does.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/remote.sh"
export TMPDIR=$PWD/tmp
mkdir tmp

# One of many fails; the others do not notice.
fails() { # HOST REASON [OPTION]...
	run_on "says-a,$1" "${@:3}"
	[ "$status" = 1 ] || fail "$1: status $status" said
	grep -q "^probec: error: $1: .*$2.* \[E_REMOTE\]$" said || fail "$1: the reason" said
	[ "$(grep -c E_REMOTE said)" = 1 ] || fail "$1: others" said
	[ "$(grep -c '^says-a: ' out)" = 3 ] || fail "$1: the other host" out said
	wait_for "$1: the end of its files" no_files
}
fails refuses-a 'ssh: connect to host refuses-a port 22: Connection refused'
grep -q '^refuses-a: first line$' said || fail 'what ssh said before' said
fails silent-a 'ssh ended with status 3 before the host answered'
fails fails-a 'its session failed with status 1'
grep -q '^fails-a: probec: error: reason \[E_ARM\]$' said || fail 'the message of the session' said
fails full-a 'the bundle cannot be stored: head: .*: No space left on device'
fails junk-a 'its uname -r is not the name of a kernel'
fails path-a 'its uname -r is not the name of a kernel'
# Its input ends and its shell gets a signal at once, so that traps interrupt each other.
for _ in {1..8}; do fails arm-a "its processor is 'aarch64'"; done
fails flood-a 'it prints a lot, but no answer'
fails old-a 'the script could not be built for its kernel 2.4.18'
fails old-a 'no -r is for its kernel 2.4.18' -r "$TARGET"
fails other-a "its kernel is a different build of $release"
fails says-user-refused 'sudo: a password is required'
grep -q 'NOPASSWD' said || fail 'sudo: the next step' said
rm -f dies-a.died
fails dies-a 'the connection was lost'
wait_for 'its session hears of it' grep -qsx dies-a lost
grep -q '^dies-a: begun$' out || fail 'what it had said before' out
grep -v E_REMOTE said | LC_ALL=C grep -q '[^[:print:][:space:]]' && fail 'binary messages' said
PROBEC_SSH=/nonexistent/ssh run_on says-a
[ "$status" = 1 ] && grep -q "'/nonexistent/ssh' is not installed" said || fail 'no ssh' said

# begin NAME HOSTS: a session in the background, which has begun on all hosts that wait.
has_begun() { [ "$(grep -c ': *begun$' "$1.out")" = "$2" ]; }
begin() {
	rm -f lost
	"$remote" --remote "$2" -w script.kp >"$1.out" 2>"$1.said" &
	session=$!
	wait_for "$1: its sessions" has_begun "$1" "$(grep -o -e waits -e stuck <<<"$2" | wc -l)"
}
said_last() { [ "$(grep -c ': *last words$' "$1.out")" = "$2" ] || fail "$1" "$1.out" "$1.said"; }

# ^C, as a signal and as a terminal sends it: all sessions end in an orderly way.
for how in process group; do
	set -m
	begin "int" waits-a,waits-b
	set +m
	[ "$how" = group ] && kill -INT -- "-$session" || kill -INT "$session"
	wait "$session" || fail "^C: status $?" int.said
	said_last int 2
	wait_for 'the files' no_files
	[ ! -e lost ] || fail '^C: a connection was lost' lost
done

# A host that does not answer ends as well, and is the only one that failed.
begin hangs waits-a,hangs-a
wait_for 'the other host is asked' test -e hangs-a.asked
kill -TERM "$session"
wait "$session"
[ $? = 1 ] || fail 'a host that does not answer: its status' hangs.said
said_last hangs 1
grep -q '^probec: error: hangs-a: it was killed before its session began' hangs.said &&
	[ "$(grep -c E_REMOTE hangs.said)" = 1 ] || fail 'a host that does not answer' hangs.said

# probec is killed, both its processes or one, and the reader of its output goes away.
both_lost() { [ "$(sort -u lost 2>/dev/null | wc -l)" = 2 ]; }
begin killed waits-a,waits-b
child=$(pgrep -P "$session")
# In this order, because the child of a dead parent ends in an orderly way.
{ kill -KILL "$child" "$session"; wait "$session"; } 2>/dev/null
wait_for 'sessions hear of a killed probec' both_lost
wait_for 'the files' no_files
begin child waits-a,waits-b
kill -KILL "$(pgrep -P "$session")"
wait "$session" 2>/dev/null && fail 'a killed child: status 0'
wait_for 'sessions hear of a killed child' both_lost
begin parent waits-a,waits-b
child=$(pgrep -P "$session")
{ kill -KILL "$session"; wait "$session"; } 2>/dev/null
wait_for 'the child ends' test ! -e "/proc/$child"
wait_for 'the files' no_files
"$remote" --remote waits-a -w script.kp 2>said | read -r line
[ "${PIPESTATUS[0]}" = 0 ] || fail 'a reader that goes away' said
wait_for 'the files' no_files

# Two signals: the connections are closed, whatever the sessions do about it.
begin two waits-a,stuck-a
has_ended() { kill -INT "$session" 2>/dev/null; [ ! -e "/proc/$child" ]; }
child=$(pgrep -P "$session")
kill -INT "$session"
wait_for 'the one that listens' grep -q 'last words' two.out
kill -0 "$session" || fail 'it does not wait for the other one' two.said
wait_for 'the second signal' has_ended
wait "$session"
[ $? = 1 ] && grep -q 'stuck-a: the connection was closed' two.said || fail 'two signals' two.said
wait_for 'the session hears of it' grep -qsx stuck-a lost
[ -z "$(find tmp -type f)" ] || fail 'bundles are left here'
exit 0
