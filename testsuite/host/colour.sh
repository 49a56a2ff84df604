# SPDX-License-Identifier: GPL-2.0
# Messages on a terminal have colours unless NO_COLOR, TERM=dumb or --color disables them; messages
# in a file never have colours.
# shellcheck shell=bash disable=SC2154
echo 'probe begin { println(x) y = }' >slip.kp
said() { # COMMAND...: prints its output on a terminal
	env -u NO_COLOR TERM=xterm script -qec "$*" /dev/null </dev/null | tr -d '\r'
}
esc=$'\e'
said "$PROBEC" -p1 slip.kp >terminal
grep -qF "slip.kp:1:30: ${esc}[1;31merror:${esc}[0m expected an expression before '}' [E_SYNTAX]" \
	terminal || fail 'the word error' terminal
grep -qF "      |                              ${esc}[32m^${esc}[0m" terminal ||
	fail 'the underline' terminal
"$PROBEC" -p1 slip.kp 2>file
sed "s/$esc\[[0-9;]*m//g" terminal | cmp -s - file ||
	fail 'a file has other words than a terminal' file

plain() { # WHAT COMMAND...
	local what=$1
	shift
	said "$@" | cmp -s - file || fail "$what: coloured"
}
plain NO_COLOR NO_COLOR=1 "$PROBEC" -p1 slip.kp
plain TERM=dumb TERM=dumb "$PROBEC" -p1 slip.kp
plain --color=never "$PROBEC" --color=never -p1 slip.kp
"$PROBEC" --color=always -p1 slip.kp 2>always
cmp -s always terminal || fail --color=always always
