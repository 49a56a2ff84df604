# SPDX-License-Identifier: GPL-2.0
# host/conventions for arm64, by the cross compilers and in a guest, and floating-point numbers,
# alone and in structures (programs/homogeneous.c), also in C++. Functions of clang are tried where
# it is installed; what optimized ones of it do with their parameters is known for x86-64 alone.
# shellcheck shell=bash disable=SC2154
#@ kernels: arm64
#@ needs: aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ gcc g++
#@ seconds: 900
. "$TOP/testsuite/conventions.sh"
. "$TOP/testsuite/told.sh"
unset PROBEC_DEBUGINFO
PROBERUN=$TOP/build/arm64/proberun
[ -x "$PROBERUN" ] || { echo "make arm64-proberun"; exit 77; }
source=$TOP/testsuite/programs

# prepare NAME FILE STANDARD OPTION...: compiles a program for arm64, and by the same compiler for
# this machine, to learn which values it tells.
prepare() {
	local name=$1 file=$source/$2 standard=$3 language=c++ linker=g++ own
	shift 3
	[[ $standard != gnu11 ]] || { language=c; linker=gcc; }
	own=$linker
	if [[ $name == *.clang* ]]; then
		own=clang
		command -v clang >/dev/null || return 0
		clang --target=aarch64-linux-gnu -x $language "-std=$standard" -w -g "$@" -c \
			-o "$name.o" "$file" 2>log || fail "$name" log
		aarch64-linux-gnu-$linker -o "$name" "$name.o" 2>log || fail "$name" log
	else
		aarch64-linux-gnu-$linker -x $language "-std=$standard" -w -g "$@" -o "$name" \
			"$file" 2>log || fail "$name" log
	fi
	"$own" -x $language "-std=$standard" -w -c -o own.o "$file" 2>log &&
		$linker -o own own.o 2>log || fail "$name here" log
	./own >own.says || fail "$name here: status $?"
	python3 "$conventions.py" script own.says "$PWD/$name" >"$name.kp" ||
		fail "the script for $name"
	add_told "$name"
}
for level in -O0 -O2; do
	prepare c.gcc$level conventions.c gnu11 $level
	prepare cc.g++$level conventions.cc gnu++17 $level
	prepare homogeneous.c.gcc$level homogeneous.c gnu11 $level
	prepare homogeneous.cc.g++$level homogeneous.c gnu++17 $level
done
prepare c.clang-O0 conventions.c gnu11 -O0
prepare cc.clang-O0 conventions.cc gnu++17 -O0
prepare homogeneous.c.clang-O0 homogeneous.c gnu11 -O0
prepare homogeneous.cc.clang-O0 homogeneous.c gnu++17 -O0
run_told
wrong=
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || { cat "$one.said"; wrong=1; }
	conventions_judge "$PWD/$one" "$one.told" "$one.seen" 70 || wrong=1
done
[ -z "$wrong" ]
