# SPDX-License-Identifier: GPL-2.0
# Variables of the kernel by name alone: refused if its symbols are known and none has that name.
# A target that an older proberun captured has no names of data, so nothing is known.
#@ needs: target
# shellcheck shell=bash disable=SC2154
python3 - "$TARGET" <<'PYTHON' || fail 'the targets'
import re, sys
text = open(sys.argv[1], 'rb').read()
had = re.search(rb'^section data (\d+)\n', text, re.M)
old = text[:had.start()] + text[had.end() + int(had.group(1)) + 1:] if had else text
names = b'init_task\njiffies_64\nonly_here\n'
assert old.endswith(b'\nend\n')
open('old', 'wb').write(old)
open('new', 'wb').write(old[:-4] + b'section data %d\n%s\nend\n' % (len(names), names))
PYTHON
run() { "$PROBEC" -p2 -r "./$1" -e "probe begin { $2 }" >said 2>&1; }
accepted() { run "$@" || fail "$1: $2" said; }
unknown() {
	run "$@" && fail "accepted by $1: $2" said
	grep -q "kernel .* has no variable '[a-z_]*' \[E_UNKNOWN_CONTEXT_VARIABLE\]" said ||
		fail "$1: $2" said
	grep -q '&@var' <(grep '^ *= ' said) && fail "offers &@var: $2" said
}
accepted old 'println(&@var("nosuch"))'
accepted new 'println(&@var("only_here"), &@var("vfs_read"), &@var("runqueues") > 0)'
unknown new 'println(&@var("nosuch"))'
unknown new 'println(&@var("nosuch@mm/nosuch.c"))'
unknown new 'println(@var("nosuch"))'
unknown new 'println(@var("nosuch")->member)'
# The address of a variable is defined if it would be accepted and the names are known.
for case in 'new only_here 1' 'new vfs_read 1' 'new nosuch 0' 'old only_here 0' 'old vfs_read 1'; do
	read -r kernel name defined <<<"$case"
	branches=('nosuch()' 'exit()')
	[ "$defined" = 0 ] || branches=('exit()' 'nosuch()')
	accepted "$kernel" \
		"if (@defined(&@var(\"$name\"))) ${branches[0]}; else ${branches[1]}"
done
# The type of a variable that exists can be named.
run new 'println(@var("only_here"))' && fail 'a variable without a type' said
grep -q '&@var("only_here")' said || fail 'no type is asked for' said
