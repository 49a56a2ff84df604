# SPDX-License-Identifier: GPL-2.0
# Files that the last version wrote or took are read as doc/architecture.md, "Files of other
# versions", promises: testsuite/formats/VERSION has some of each version.
# shellcheck shell=bash
for files in "$TOP"/testsuite/formats/*; do
	"$PROBEC" diff "$files/run.json" "$files/run.json" >out 2>&1 || fail 'a saved run' out
	sed 's/"value":100/"value":150/' "$files/run.json" >other.json
	"$PROBEC" diff "$files/run.json" other.json >out 2>&1
	grep -q '^calls .*100 .*150' out || fail 'the values of a saved run' out
	"$PROBEC" flame "$files/stacks.folded" >out 2>said || fail 'saved stacks' said
	grep -q 'write' out || fail 'the frames of saved stacks' out
	"$PROBEC" -r "$files/target" -l 'kernel.function("vfs_*")' >out 2>&1
	printf 'kernel.function("%s")\n' vfs_read vfs_write >wanted
	cmp -s wanted out || fail 'a target' out
	# A policy is only read where other users could not have written it, and the files that it
	# names are not on this machine.
	"$TOP/probec-grant" --check "$files/policy" >out 2>&1
	grep error: out | grep -vE 'not exist|belongs to|can be written|is not a path' >wrong &&
		fail 'a policy' wrong
done
# Another version of the format is refused by name.
sed '1s/2/3/' "$TOP/testsuite/formats/0.1/target" >target
"$PROBEC" -r "$PWD/target" -l 'kernel.function("vfs_*")' >out 2>&1 && fail 'a later format' out
grep -q 'probec-target\|version' out || fail 'the reason' out
