# SPDX-License-Identifier: GPL-2.0
# A session that shows nothing of hits says so, and why; one that shows something does not.
# Tools: opensnoop
. "$TOP/testsuite/expect.sh"
says() { # TEXT OPTION...
	"$PROBERUN" "${@:2}" >got 2>said || fail "status $?" said
	grep -q "$1.*\[E_NO_HITS\]" said || fail "not '$1'" said
}
cd /tmp || exit 1
says '0 hits: none of the 1 place was reached' -c true "$MODULE"
says '0 of [1-9][0-9]* hits* matched' -c 'cat /etc/passwd' \
	"$TOOLS/opensnoop.ko" only_name=nosuch
"$PROBERUN" -c 'cat /etc/passwd >/dev/null' "$TOOLS/opensnoop.ko" >got 2>said ||
	fail "status $?" said
grep -q /etc/passwd got || fail 'no line' got
! grep -q E_NO_HITS said || fail 'a note about nothing' said
rm got said
