# SPDX-License-Identifier: GPL-2.0
# Facts about ELF files, for tests and benchmarks. Sourced.
# shellcheck shell=bash

# code_offset FILE: prints the number to add to an address of code in a program file to get its
# offset in the file, from the program header of the code, which readelf shows.
code_offset() {
	local offset start
	read -r offset start < <(readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $2, $3 }')
	echo $((offset - start))
}

# file_offset FILE FUNCTION: prints the offset of a function in a program file, in decimal.
file_offset() {
	local address
	address=$(nm "$1" | awk -v name="$2" '$3 == name { print $1 }')
	[ -n "$address" ] || return 1
	echo $((16#$address + $(code_offset "$1")))
}
