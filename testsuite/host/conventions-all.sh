# SPDX-License-Identifier: GPL-2.0
# host/conventions for C, C++, Rust and Go, with each compiler that is installed, at each level of
# optimisation.
# shellcheck shell=bash disable=SC2154
#@ slow
#@ seconds: 1500
#@ needs: target g++
. "$TOP/testsuite/traced.sh"
. "$TOP/testsuite/conventions.sh"
unset PROBEC_DEBUGINFO
traced_build
wrong='' tried=0
# try LEAST LANGUAGE COMPILER OPTION...: does nothing without that compiler.
try() {
	conventions_build "${@:2}" || return
	conventions_script "$built"
	traced "${built##*/}.kp" told seen "$built"
	conventions_judge "$built" told seen "$1" || wrong=1
	tried=$((tried + 1))
}
for level in -O0 -O1 -O2 -Os; do
	for suffix in '' -16; do
		try 100 c clang$suffix $level
		try 100 cc clang++$suffix $level
	done
	try 100 c gcc $level
	try 100 cc g++ $level
done
for options in '-O2 -flto' '-O2 -fno-var-tracking' '-O2 -gdwarf-4' '-O0 -gdwarf-4' \
	'-O0 -gdwarf-4 -gstrict-dwarf' '-O2 -gdwarf-4 -gstrict-dwarf' \
	'-O2 -fno-var-tracking -gno-record-gcc-switches'; do
	for one in c.gcc cc.g++ c.clang-16 cc.clang++-16; do
		# clang links programs as a whole by the linker of its own version.
		linker=
		case $one.$options in *clang*-flto) linker=-fuse-ld=lld-16 ;; esac
		[ -z "$linker" ] || command -v ld.lld-16 >/dev/null || continue
		# shellcheck disable=SC2086
		try 70 ${one%%.*} ${one#*.} $options $linker
	done
done
for rustc in /usr/bin/rustc "$HOME/.cargo/bin/rustc"; do
	for level in 0 1 2 s; do
		try 70 rs "$rustc" "-Copt-level=$level"
	done
done
try 50 go go
try 50 go go '-gcflags=-N -l'
echo "$tried programs"
[ -z "$wrong" ]
