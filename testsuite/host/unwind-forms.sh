# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc perl
# The rows of a function whose call frame information has, one after another, the forms in which
# rows follow each other, compared with what readelf makes of it. host/unwind-beside compares those
# of whole libraries.
# shellcheck shell=bash disable=SC2154
command -v readelf >/dev/null || { echo 'readelf is not installed (binutils)'; exit 77; }
export LC_ALL=C
make -s -C "$TOP" build/testsuite/beside/unwound >made 2>&1 || fail 'not built' made
# The code is never run: each instruction is a place for a row.
cat >forms.S <<'END'
	.text
first:
	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	sub $64, %rsp
	.cfi_def_cfa_offset 80
	nop
	.cfi_def_cfa_register rbp
	nop
	.cfi_def_cfa rsp, 80
	nop
	.cfi_remember_state
	add $64, %rsp
	.cfi_def_cfa_offset 16
	pop %rbx
	.cfi_def_cfa_offset 8
	.cfi_restore rbx
	ret
	.cfi_restore_state
	nop
	.cfi_restore rbx
	nop
	/* A register that no rule has, an offset beyond 32 bits; after each, a known one. */
	.cfi_def_cfa_register 17
	nop
	.cfi_def_cfa_register rsp
	nop
	.cfi_escape 0x0e, 0x80, 0x80, 0x80, 0x80, 0x10
	nop
	.cfi_def_cfa_offset 32
	nop
	/* The word at rbp - 8. An offset alone does not end an expression, a register does. */
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06
	nop
	.cfi_offset r12, -24
	nop
	.cfi_def_cfa_offset 48
	nop
	.cfi_def_cfa_register rbp
	nop
	/* r12 is the CFA - 16, which no rule has; then it is kept; then at rbp - 40. */
	.cfi_escape 0x14, 12, 2
	nop
	.cfi_def_cfa_offset 56
	nop
	.cfi_same_value r12
	nop
	.cfi_escape 0x10, 12, 2, 0x76, 0x58
	nop
	.cfi_def_cfa_offset 64
	nop
	/* The outermost frame; then not. */
	.cfi_undefined rip
	nop
	.cfi_def_cfa_offset 72
	nop
	.cfi_offset rip, -8
	nop
	.cfi_def_cfa_offset 80
	nop
	.cfi_endproc
/* Nothing of it is left in the next function. */
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_endproc
END
gcc -shared -nostdlib -o forms forms.S 2>log || fail gcc log
"$TOP/build/testsuite/beside/unwound" forms >ours 2>why || fail 'no table' why
# readelf calls register 17 xmm0, and cuts the offset.
readelf --debug-dump=frames-interp forms 2>/dev/null | perl "$TOP/testsuite/beside/unwound.pl" |
	sed -E 's/ (xmm0\+|rsp\+0 ).*/ unknown/' >theirs
cmp -s theirs ours || { diff theirs ours >differences; fail 'other rows than readelf' differences; }
[ "$(wc -l <ours)" -ge 25 ] && [ "$(grep -c unknown ours)" = 3 ] || fail 'too few rows' ours
