# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# -l, -L and --dump-... on a kernel that is not running. What is listed can be compiled.
# shellcheck shell=bash disable=SC2154
export PROBEC_DEBUGINFO=
list() { show "$PROBEC" -r "$TARGET" "$@" | sed "s|$TARGET|TARGET|; s|${TARGET##*/}|RELEASE|"; }

# Probe points of the kernel, suffixes, braces; forms whose argument the pattern omits.
list -l 'kernel.function("vfs_read*")'
list -l 'kernel.{function("vfs_read"),function("vfs_write").return}'
list -l 'kernel.function("vfs_read").call'
list -l 'timer.ms(5)'
list -l 'timer.ms(5).**'
list -l 'timer.m*'
list -l 'end'

# Values: types in the kernel's notation; the return value only if the function has one.
list -L 'kernel.function("vfs_readl*")'
list -L 'kernel.function("vfs_readlink").return'
list -L 'kprobe.function("vfs_readlink")'

# Aliases: their points, values, the user's own; a suffix applies to their points.
list -L 'vfs.{read,write}'
list -l 'vfs.rea*.return'
list -l 'vfs.read.return.maxactive(5)'
list -L 'mine.*' -e 'probe mine.a = timer.s(1) { x = "x"; y = 1 } probe mine.b = mine.none ?, timer.s(2) { z = 1 }
	probe mine.c = kernel.function("nosuch") { } private probe _mine = begin { }'

# ** matches across dots, also as a part of a component; * does not.
dots='probe a.b.c = begin {} probe a.b = begin {} probe a.bc.d = begin {} probe a.c = begin {} probe ab.c = begin {}'
list -l 'a.b**' -e "$dots"
list -l 'a.b*' -e "$dots"
list -l 'a**c' -e "$dots"
list -l 'timer.prof**hz'
list -l 'sys**execve'

# Patterns that match nothing, are misspelt, are rejected, or are no probe point.
list -l 'kernel.function("zzz*")'
list -l 'vfs.zz*'
list -l 'kernel.functio("vfs_read")'
list -l 'process.*'
list -l 'begin { } probe end'
list -l ''
list -l 'begin' -L 'end'
list -l begin --format csv

# Formats for programs.
list --format json -l 'timer.s*'
list --format json -L 'vfs.read' | sed 's/,{"name":"inode".*"\$file"/ ... {"name":"$file"/'

# The complete list is sorted, without duplicates, in the language's notation, and long enough.
"$PROBEC" -r "$TARGET" -l 'kernel.function("*")' >all || fail 'all functions' all
LC_ALL=C sort -uc all || fail 'the functions are not sorted'
[ "$(wc -l <all)" -gt 20000 ] || fail "$(wc -l <all) functions"
! grep -vE '^kernel\.function\("[A-Za-z_0-9.]+"\)$' all || fail 'no function'
"$PROBEC" -r "$TARGET" -L 'kernel.function("*")' | cut -d' ' -f1 | uniq | cmp - all ||
	fail '-L has other functions than -l'
"$PROBEC" -r "$TARGET" -l '**' >points || fail '**' points
grep -qx 'kernel.function(string)' points && grep -qx syscall.read points &&
	grep -qx vfs.read.return points || fail '**' points
"$PROBEC" -r "$TARGET" -l '*' | grep -q '[.]' && fail "'*' is one component"
# A reader that closes the pipe after one line only ends the listing.
"$PROBEC" -r "$TARGET" -l 'kernel.function("*")' | head -n 1

# --lines without debug information names the next step; with it, it lists lines that a probe
# accepts.
refused E_NO_DEBUGINFO 'no debug information' "$PROBEC" -r "$TARGET" --lines vfs_read
unset PROBEC_DEBUGINFO
if "$PROBEC" -r "$TARGET" --lines vfs_read >lines 2>said; then
	grep -q '^[^ ]*fs/read_write.c' lines || fail 'no file' lines
	sed -n 's/^ *\([0-9][0-9]*\).*/\1/p' lines >numbers
	sort -nuc numbers || fail 'the lines are not in order' lines
	[ "$(wc -l <numbers)" -gt 5 ] || fail 'few lines' lines
	"$PROBEC" -r "$TARGET" --check -e \
		"probe kernel.statement(\"vfs_read@fs/read_write.c:$(tail -n 1 numbers)\") { }" ||
		fail 'a line that is listed'
	# Values that are not available at a place are not listed there.
	place="kernel.statement(\"vfs_read@fs/read_write.c:$(head -n 1 numbers)\")"
	"$PROBEC" -r "$TARGET" -L "$place" >values || fail '-L of a line'
	grep -q ' \$file:struct file\*' values || fail '-L without a value' values
	"$PROBEC" -r "$TARGET" --check -e \
		"probe $place { println($(grep -o '\$[a-z]*' values | paste -sd,)) }" ||
		fail 'a value that is listed' values
	"$PROBEC" -r "$TARGET" --format json --lines vfs_read |
		grep -c '^{"file":"fs/read_write.c","line":[0-9]*,"function":"' |
		cmp - <(wc -l <numbers) || fail 'other lines in json'
else
	grep -q E_NO_DEBUGINFO said || fail --lines said
fi

"$PROBEC" -r "$TARGET" --dump-functions >functions || fail --dump-functions functions
grep -x -e 'execname:.*' -e 'tokenize:.*' -e 'warn:.*' functions
! grep -e unknown -e '^_' functions || fail 'functions without a type, or private'
# Functions that need something which the kernel lacks do not take the types from others. A member
# that is not known may have any type, unless its use shows which.
mkdir own
cat >own/own.kp <<'END'
function own_lacks() { return @cast(0, "struct no_such_type")->member }
function own_lacks_text() { return @cast(0, "struct no_such_type")->member$ }
function own_lacks_used() { return 1 + own_lacks_number() }
function own_lacks_number() { return @cast(0, "struct no_such_type")->member }
function own_nothing() { println(@cast(0, "struct no_such_type")->member) }
function own_whole(n) { return sprint(n + 1) }
probe own.point = kernel.function("vfs_readlink") { size = $buflen; lacks = own_lacks() }
END
"$PROBEC" -r "$TARGET" -I own --dump-functions >with_own || fail '-I own --dump-functions' with_own
grep '^own_' with_own
grep -v '^own_' with_own | cmp - functions || fail 'other types beside own functions' with_own
list -I own -L own.point
"$PROBEC" -r "$TARGET" --dump-probe-types | grep 'timer.s('
"$PROBEC" -r "$TARGET" --dump-probe-aliases | grep '^vfs.read'
