# SPDX-License-Identifier: GPL-2.0
# Data that a terminal could take for a command is escaped on a terminal, or with --escape; output
# of ansi_... functions and of the script's formats is not.
# Once: the loader and the terminal do the work.
. "$TOP/testsuite/expect.sh"
cd /tmp
esc=$(printf '\033') word=$(printf '\033]0;\303\251\007')
red="${esc}[31m${esc}[1mliteral${esc}[0m"
session() { "$PROBERUN" "$@" "$MODULE" "word=$word" >o 2>e; }
shown() { # WHAT DATA LAST: the output has the data in this form
	grep -qF "$red $2" o && grep -qF "|$3|" o || fail "$1: print" o
	grep -qF "WARNING: from $2" "${4:-e}" || fail "$1: warn()" e
	[ "$(grep -cF "$2" o)" -ge 2 ] || fail "$1: system()" o
	grep -qF 'error: at \x1b]0;é\x07 [E_SCRIPT]' "${4:-e}" || fail "$1: a message" e
}
session && fail 'no error'
shown 'to a file' "$word" "$esc"
session --escape=always
shown always '\x1b]0;é\x07' '\x1b'
session --escape never
shown never "$word" "$esc"
terminal() { script -qc "$PROBERUN $1 $MODULE \"\$(cat word)\"" o </dev/null >/dev/null; }
printf 'word=%s' "$word" >word
terminal ''
shown 'a terminal' '\x1b]0;é\x07' '\x1b' o
terminal --escape=never
shown 'a terminal and never' "$word" "$esc" o
session --escape=always --format csv
grep -qF '\x1b]0;é\x07' o && ! grep -q "$esc" o || fail csv o
session --escape=always --format json
grep -qF '\u001b]0;é\u0007' o || fail json o
refused E_OPTION '--escape=some' "$PROBERUN" --escape=some "$MODULE"
