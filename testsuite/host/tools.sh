# SPDX-License-Identifier: GPL-2.0
# Tools as commands: found by name in the user's, the system's and probec's directories, listed,
# described by --help and by a man page that is made from the same comment.
#@ needs: root
# The page of $tool: no warnings, no long lines, all sections, each option and argument of --help.
check_page() {
	LC_ALL=C groff -man -Tascii -ww -rLL=80n page >shown 2>said && [ ! -s said ] ||
		fail "$file: warnings about its man page" said
	# Without the codes of bold and underlined text.
	sed -i 's/\x1b\[[0-9;]*m//g; s/.\x08//g' shown
	awk 'length > 80' shown | grep . && fail "$file: its man page is wider than 80 columns"
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLE 'SEE ALSO'; do
		grep -qx "$section" shown || fail "$file: no section $section" shown
	done
	sed -n '/^\(Arguments\|Options\):/,/^Options of/s/^  *\([-[A-Z][^ ]*\).*/\1/p' help |
		tr -d ',' >words
	while read -r word; do
		grep -qF -- "$word" shown || fail "$file: its man page lacks $word" shown
	done <words
}

# A condition applies to one probe point: if only the last one of a list has one, it was meant for
# all of them.
check_conditions() {
	"$PROBEC" -p1 "$tool" >tree 2>/dev/null ||
		"$PROBEC" -p1 "$tool" vfs_read vfs_write >tree 2>/dev/null || return 0
	awk '/^probe / { inside = 1; bare = 0 }
		inside && / \{$/ { if (bare && / if \(/) { print; bad = 1 } inside = 0 }
		inside && !/ if \(/ { bare = 1 }
		END { exit bad }' tree >bare || fail "$file: points without the condition" bare
}

shopt -s nullglob
tools=()
for tool in "$TOP"/tools/*.kp; do
	tools+=("$tool")
done
[ ${#tools[@]} -gt 20 ] || fail 'no tools'
"$PROBEC" tools >list 2>said && [ ! -s said ] || fail 'probec tools' said
awk 'length > 80' list | grep . && fail 'a line of the list is too long'
for tool in "${tools[@]}"; do
	file=${tool##*/}
	name=${file%.kp}
	[ -x "$tool" ] && head -n 1 "$tool" | grep -qx '#! /usr/bin/env -S probec' ||
		fail "$file cannot be run as a command"
	title=$(sed -n "2s/^# $name - //p" "$tool")
	[ -n "$title" ] || fail "$file: the second line is not '# $name - what it does'"
	grep -qxF "$(printf '%-16s %s' "$name" "$title")" list || fail "$file is not listed" list
	"$PROBEC" "$tool" --help >help 2>said && [ ! -s said ] || fail "$file --help" said
	[ "$(head -n 3 help | tail -n 1 | cut -d' ' -f1-2)" = "Usage: $file" ] ||
		fail "$file --help: the usage" help
	grep -qE '^Examples?:$' help || fail "$file: its description has no example" help
	[ "$(sed -n '/^Usage/,/^Example/p' help | wc -l)" -gt 4 ] || [ "$name" = bashreadline ] ||
		fail "$file: its description says nothing" help
	awk 'length > 100' help | grep . && fail "$file --help is too wide"

	check_conditions
	"$TOP/tools/tool-man" "$tool" >page || fail "$file: no man page"
	! command -v groff >/dev/null || check_page
done
cut -d' ' -f1 list | LC_ALL=C sort -c || fail 'the list is not sorted' list
[ "$(wc -l <list)" = ${#tools[@]} ] || fail 'the list has other lines' list

# By name, with and without .kp; a file of that name counts; a directory does not.
used() { "$PROBEC" -p1 "$@" 2>&1; }
used reads | grep -q vfs_read || fail 'reads'
mkdir reads
used reads.kp | grep -q vfs_read || fail 'reads.kp'
used reads | grep -q vfs_read || fail 'reads, where a directory has that name'
echo 'probe begin { println("mine") exit() }' >reads.kp
used reads.kp | grep -q mine || fail 'a file of the name of a tool'
used reads | grep -q vfs_read || fail 'a tool beside a file'
show "$PROBEC" raeds
show "$PROBEC" ./profile
show "$PROBEC" nonesuch
show "$PROBEC" tools reads

# The user's directory comes first, then the system's; not if others can write to it.
place=$(mktemp -d /tmp/probec.tools.XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
export XDG_DATA_HOME=$place/home XDG_DATA_DIRS=$place/one:$place/two
for dir in home one two; do
	mkdir -p "$place/$dir/probec/tools"
	printf '# own - %s\n\nprobe begin { println("in %s") exit() }\n' "$dir" "$dir" \
		>"$place/$dir/probec/tools/own.kp"
done
lists() { "$PROBEC" tools 2>&1 | grep '^own '; }
used own | grep -q 'in home' && lists | grep -q ' home$' || fail 'the tool of the user'
chmod g+w "$place/home/probec/tools/own.kp"
used own >said
grep -q "the tool '.*home.*' is not used" said && grep -q 'in one' said ||
	fail 'a tool that others may write' said
chmod o+w "$place/one/probec/tools"
used own >said
grep -q "directory of tools '.*one.*' is not used" said && grep -q 'in two' said ||
	fail 'a directory that others may write' said
lists | grep -q ' two$' || fail 'the list has a tool that is not used'
