# SPDX-License-Identifier: GPL-2.0
# Runs probes of programs in user space, without a kernel (emit/traced.c). Sourced after expect.sh.
# shellcheck shell=bash disable=SC2154

# traced_build: compiles the stand-in for the runtime once.
traced_build() {
	(cd "$TOP" && gcc -std=gnu11 -DPRT_STAND_IN -D_GNU_SOURCE -g -O1 -fwrapv -Wall -Wextra \
		-iquote runtime/abi -iquote runtime -Iloader -I. -r -nostdlib -o "$OLDPWD/host.o" \
		testsuite/emit/{traced,host,host_data}.c runtime/format.c \
		loader/module/meta.c loader/module/meta_print.c \
		loader/common/{say,escape,utf8,memory_limit}.c \
		shared/{buf,file,memory,machine}.c) >log 2>&1 ||
		fail 'the stand-in for the runtime' log
}

# traced SCRIPT TOLD SEEN PROGRAM ARG...: runs PROGRAM with the probes of SCRIPT, whose output it
# writes to SEEN, and that of PROGRAM to TOLD.
traced() {
	"$PROBEC" -w -p3 -r "$TARGET" "$1" >"$1.c" 2>said || fail "$1" said
	gcc -std=gnu11 -DPRT_STAND_IN -w -fwrapv -I"$TOP/runtime/abi" -o "$1.traced" "$1.c" host.o \
		2>log || fail "$1: the emitted C" log
	"./$1.traced" "$2" "${@:4}" >"$3" 2>said || fail "$1: status $?" said
}
