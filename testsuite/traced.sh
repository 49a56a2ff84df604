# SPDX-License-Identifier: GPL-2.0
# Runs probes of programs in user space, without a kernel (emit/traced.c). Sourced after expect.sh.
# shellcheck shell=bash disable=SC2154

# traced_build: compiles the runtime for user space once.
traced_build() {
	"$TOP/testsuite/emit/build" "$PWD/traced.o" traced >log 2>&1 ||
		fail 'the runtime for user space' log
}

# traced SCRIPT TOLD SEEN PROGRAM ARG...: runs PROGRAM with the probes of SCRIPT, whose output it
# writes to SEEN, and that of PROGRAM to TOLD.
traced() {
	"$PROBEC" -w -p3 -r "$TARGET" "$1" >"$1.c" 2>said || fail "$1" said
	gcc -std=gnu11 -DPRT_IN_USER_SPACE -w -fwrapv -I"$TOP/runtime/abi" -o "$1.traced" "$1.c" \
		traced.o -lpthread -lm 2>log || fail "$1: the emitted C" log
	"./$1.traced" "$2" "${@:4}" >"$3" 2>said || fail "$1: status $?" said
}
