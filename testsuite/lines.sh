# SPDX-License-Identifier: GPL-2.0
# For host/lines.sh and its relatives: programs with debug information, and what the loader finds
# there beside addr2line. Sourced.
# shellcheck shell=bash

make -s -C "$TOP" build/testsuite/beside/lined >made 2>&1 || fail 'not built' made
# The reader is probec beside the program.
cp "$TOP/build/testsuite/beside/lined" lined
ln -s "$PROBEC" probec
lines_source=$TOP/testsuite/programs/lines.cc

# two_units NAME OPTION...: compiles a program of two units.
two_units() {
	g++ "${@:2}" -c -o "$1-one.o" "$lines_source" 2>log &&
		g++ "${@:2}" -Dmain=other -c -o "$1-two.o" "$lines_source" 2>log &&
		g++ -o "$1" "$1-one.o" "$1-two.o" 2>log || fail "$1" log
}

# same_code FILE FILE
same_code() {
	objcopy -O binary -j .text "$1" text.1 && objcopy -O binary -j .text "$2" text.2 &&
		cmp text.1 text.2 || fail "$1 and $2 have different code"
}

# compared FILE[=JUDGED]...
compared() {
	python3 "$TOP/testsuite/host/lines.py" "$@" >said 2>&1 || fail 'differences' said
}
