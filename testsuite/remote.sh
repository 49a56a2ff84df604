# SPDX-License-Identifier: GPL-2.0
# For tests of probec --remote: hosts that are directories of this one, and sessions that are shell
# scripts, so that no module is loaded. Sourced.
# shellcheck shell=bash disable=SC2154,SC2034
release=${TARGET##*/}
mkdir place hosts bin
install -m 755 "$PROBEC" place/
for part in runtime tapsets tools lab proberun; do ln -s "$TOP/$part" place; done
remote=$PWD/place/probec
export PLACE=$PWD PROBEC_SSH=$PWD/ssh

# The session, instead of the static proberun. What it does depends on the name of its host. It ends
# before the shell reads the modules that follow.
cat >place/static-proberun <<'X'
#!/bin/bash
[[ $* =~ ^--remote-end=[0-9]+:[^\ ]*"${HOST#*-}"$ ]] || echo "other arguments: $*" >&2
say_end() { # WORDS: if the other end asks for it; after a lost connection, a file says so
	while read -r -n 1 byte; do [ "$byte" != s ] || { echo "$1"; exit 0; }; done
	echo "$HOST" >>"$PLACE/lost"
	exit 0
}
case $HOST in
says-*) printf 'one\n%s two\nthree' "$HOST"; echo "a message" >&2 ;;
fails-*) echo one; echo 'probec: error: reason [E_ARM]' >&2; exit 1 ;;
much-*) seq 100000 | sed "s/$/ $HOST/" ;;
waits-*) echo begun; say_end 'last words' ;;
stuck-*) echo begun; while read -r -n 1 byte; do :; done; echo "$HOST" >>"$PLACE/lost" ;;
dies-*) echo begun; : >"$PLACE/$HOST.died"; say_end never ;;
triggers-*) # when the others run
	for other in $TRIGGERED; do
		while [ ! -e "$PLACE/$other.runs" ]; do sleep 0.05; done
	done
	printf '\001snapshot\n' >&2
	say_end 'last words' ;;
follows-*) # the second request does not come
	: >"$PLACE/$HOST.runs"
	while read -r -n 1 byte; do
		case $byte in r) echo taken ;; s) exit ;; esac
	done ;;
json-*) echo '{"type":"print","text":"x"}'; echo '{}'; echo 'no object' ;;
csv-*) printf 'name,n\na,1\n"b\n\n""c""",2\n\nwhat\nx\n' ;;
folded-*) echo 'main;read 3' ;;
evil-*)
	printf '{"host":"says-a","type":"print"}\n{"a":1}{"b":2}\n{"x":"\e[2J\xc2\x9b1m"}\n'
	printf '{"c":"\x7f\xc2\x9b1m"}\n\e[2Jtext\xc2\x9b\n'
	printf '\e]0;title\a message\n' >&2 ;;
quotes-*) printf 'name,n\n\e[2Ja,1\n"b\nsays-a,forged\n' ;;
quoted-*) printf 'name,n\na,1\n'; yes '"""' | head -c 20000001; printf 'b,2\n' ;;
esac
exit 0
X
# Hosts differ by tools in front of their PATH.
cat >bin/uname <<'X'
#!/bin/bash
case $HOST$1 in
junk-*-r) head -c 4000 /dev/urandom ;;
path-*-r) echo ../../etc ;;
old-*-r) echo 2.4.18 ;;
arm-*-m) echo aarch64 ;;
*-m) echo x86_64 ;;
*) echo "$RELEASE" ;;
esac
X
cat >bin/id <<'X'
#!/bin/bash
case $HOST in *-user*) echo 1000 ;; *) echo 0 ;; esac
X
cat >bin/sudo <<'X'
#!/bin/bash
[ "$1" = -n ] && shift || exit 3
[[ $HOST != *-refused ]] || { echo 'sudo: a password is required' >&2; exit 1; }
echo "$HOST" >>"$PLACE/sudos"
exec "$@"
X
cat >bin/head <<'X'
#!/bin/bash
case $HOST in
full-*) exec -a head /usr/bin/head "$@" >/dev/full ;;
*-busybox) exec busybox head "$@" ;;
esac
exec /usr/bin/head "$@"
X
cat >bin/date <<'X'
#!/bin/bash
now=$(/usr/bin/date +%s)
case $HOST in
*-ahead) echo $((now + 100)).000000000 ;;
*-coarse) echo "$now.%N" ;;
*) exec /usr/bin/date "$@" ;;
esac
X
cat >bin/od <<'X'
#!/bin/bash
case $HOST in
other-*) echo 04 00 00 00 02 00 00 00 03 00 00 00 47 4e 55 00 ab cd 00 00 ;;
*) [ -z "$NOTES" ] || echo "$NOTES" ;;
esac
X
# The ssh: it takes the options of the real one, and runs the command by the shell of the host.
cat >ssh <<'X'
#!/bin/bash
printf '%s\n' "${*:1:4}" >>"$PLACE/words"
while [ "$1" != -- ]; do shift; done
export HOST=$2 TMPDIR=$PLACE/hosts/$2 PATH=$PLACE/bin:$PATH
shift 2
mkdir -p "$TMPDIR"
: >"$PLACE/$HOST.asked"
case $HOST in
refuses-*) echo "first line" >&2
	echo "ssh: connect to host $HOST port 22: Connection refused" >&2; exit 255 ;;
silent-*) exit 3 ;;
motd-*) echo 'Welcome!'; echo 'Have fun' >&2; HOST=says-${HOST#motd-} ;;
flood-*) head -c 1000000 /dev/zero | tr '\0' x ;;
hangs-*) exec sleep 1000 ;;
esac
case $HOST in
dies-*) # its session says when
	sh -c "$*" <&0 &
	while [ ! -e "$PLACE/$HOST.died" ]; do sleep 0.05; done
	exit 255 ;;
*-fish) exec fish -c "$*" ;;
*-zsh) exec zsh -c "$*" ;;
*-bash) exec bash -c "$*" ;;
esac
exec sh -c "$*"
X
chmod +x ssh bin/* place/static-proberun
export RELEASE=$release NOTES=
echo 'global n probe begin { n++ }' >script.kp

# run_on HOSTS [OPTION]...: leaves out, said and $status.
run_on() {
	rm -f ./*.asked lost words
	"$remote" --remote "$1" -w "${@:2}" script.kp >out 2>said
	status=$?
}
# expect WHAT STATUS OUTPUT [MESSAGES]: what run_on left.
expect() {
	[ "$status" = "$2" ] || fail "$1: status $status" out said
	diff <(printf '%s' "$3") out >d || fail "$1: the output" d said
	[ $# = 3 ] || diff <(printf '%s' "$4") said >d || fail "$1: the messages" d
	wait_for "$1: the end of the files of hosts" no_files
}
no_files() { [ -z "$(find hosts -name 'probec.*')" ]; }
