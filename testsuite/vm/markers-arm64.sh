# SPDX-License-Identifier: GPL-2.0
# Arguments of SDT markers in each form of operands of arm64 (programs/operands_arm64.c), compared
# with what the program itself says.
#@ kernels: arm64
#@ needs: aarch64-linux-gnu-gcc
. "$TOP/testsuite/told.sh"
PROBERUN=$TOP/build/arm64/proberun
[ -x "$PROBERUN" ] || { echo "make arm64-proberun"; exit 77; }
for option in -no-pie -pie; do
	program=operands$option
	aarch64-linux-gnu-gcc -std=gnu11 -O1 $option -o "$program" \
		"$TOP/testsuite/programs/operands_arm64.c" 2>log || fail "$program" log
	for marker in indexed:4 based:3 narrow:7 constant:4 real:2 symbol:2; do
		name=${marker%:*}
		printf 'probe process("%s").mark("%s") { println("%s"' "$PWD/$program" "$name" \
			"$name"
		for n in $(seq "${marker#*:}"); do printf ', " ", $arg%d' "$n"; done
		echo ') }'
	done >"$program.kp"
	add_told "$program"
done
run_told
for program in "${programs[@]}"; do
	[ ! -s "$program.said" ] || fail "messages of $program" "$program.said"
	[ "$(wc -l <"$program.told")" = 6 ] || fail "$program" "$program.told"
	diff -u "$program.told" "$program.seen" || fail "$program: other values"
done
