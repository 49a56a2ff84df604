# SPDX-License-Identifier: GPL-2.0
#@ needs: g++ objcopy addr2line python3 dwz
#@ seconds: 300
# Source lines and inlined functions where parts of the debug information are in other files: those
# that dwz shares, and .dwo files, which addr2line does not read: it is asked about the same code
# without them. And where these files are missing, or have been replaced by others.
. "$TOP/testsuite/lines.sh"

two_units whole -g -O2
two_units split -g -O2 -gsplit-dwarf
two_units split4 -g -O3 -gsplit-dwarf -gdwarf-4
two_units whole4 -g -O3 -gdwarf-4
same_code whole split
same_code whole4 split4
for name in near far; do
	cp whole $name
done
cp whole4 near4
cp whole4 far4
dwz -r -m common near near4 2>log && [ -s common ] || fail 'dwz' log
mkdir else && dwz -m else/common -M "$PWD/else/common" far far4 2>log || fail 'dwz, absolute' log
readelf -SW near far | grep -c gnu_debugaltlink | grep -qx 2 || fail 'dwz has moved nothing'
compared split=whole split4=whole4 near=whole far=whole

# .dwo files that were moved beside the program.
mkdir moved
mv split4-*.dwo moved/ && mv split4 moved/
cp lined moved/ && ln -s "$PROBEC" moved/probec && cp whole4 moved/ && cd moved || exit 1
compared split4=whole4
cd .. || exit 1

# A compilation directory that is relative, as reproducible builds have it.
mkdir -p from/objects
cp -r "$lines_source" from/lines.cc
(
	cd from && lines_source=lines.cc
	relative=(-g -O2 -fdebug-prefix-map="$PWD"=.)
	two_units objects/moved "${relative[@]}" -gsplit-dwarf
	two_units objects/judged "${relative[@]}"
	mv objects/moved objects/judged .
) || exit 1
readelf --debug-dump=info from/moved 2>log | grep -q 'DW_AT_comp_dir.*: \.$' ||
	fail 'the directory is absolute' log
same_code from/judged from/moved
cp lined from/ && ln -s "$PROBEC" from/probec && cd from || exit 1
compared moved=judged
cd .. || exit 1

address=$(nm whole | awk '/ t .*count_words.*isra.0$/ { print $1; exit }')
: "${address:=$(nm whole | awk '$3 == "main" { print $1 }')}"
line() { # FILE: the source line and the function that are shown of the address
	echo "$address" | ./lined "$1" 2>said | sed '/^$/d' || fail "$1: status" said
}
line split >before
grep -q "$(printf 'count_words.*lines.cc\t[1-9]')" before || fail 'no function' before
rm split-one.dwo
line split >after
# The lines are in the program itself.
head -n 1 before | cut -f2- >line
head -n 1 after | cut -f2- | diff line - || fail 'no line' after
[ -z "$(cut -f1 after)" ] || fail 'a function without its file' after
cp split-two.dwo split-one.dwo
line split | diff after - || fail 'the .dwo file of another unit was taken'
mkfifo pipe && mv pipe split-one.dwo
line split | diff after - || fail 'a pipe was taken'
line near >before
# The build-id of this one is another.
cp else/common common
line near >after
grep -q lines.cc after || fail 'no line of what is left' after
