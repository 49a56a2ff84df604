# SPDX-License-Identifier: GPL-2.0
# host/conventions with probes by the kernel: C and C++ by gcc, and if their compilers are here,
# C++ by clang, Rust and Go, in one boot.
# shellcheck shell=bash disable=SC2154
#@ needs: g++
. "$TOP/testsuite/conventions.sh"
. "$TOP/testsuite/told.sh"
unset PROBEC_DEBUGINFO
# prepare LANGUAGE COMPILER OPTION...
prepare() {
	conventions_build "$@" || return
	conventions_script "$built"
	add_told "${built##*/}"
}
prepare c gcc -O2
prepare cc g++ -O2
prepare cc clang++ -O2
prepare c clang -O2
prepare rs /usr/bin/rustc -Copt-level=2
prepare go go
run_told
wrong=
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || { cat "$one.said"; wrong=1; }
	# A function of Go begins again when its stack has to grow, or its thread is to do something
	# else first.
	if [[ $one == go* ]]; then
		for file in told seen; do uniq "$one.$file" >once && mv once "$one.$file"; done
	fi
	conventions_judge "$PWD/$one" "$one.told" "$one.seen" 50 || wrong=1
done
[ -z "$wrong" ]
