# SPDX-License-Identifier: GPL-2.0
# host/conventions with probes by the kernel: C and C++ by gcc, and if their compilers are here,
# C++ by clang, Rust and Go, in one boot.
# shellcheck shell=bash disable=SC2154
#@ needs: g++
. "$TOP/testsuite/conventions.sh"
unset PROBEC_DEBUGINFO
# prepare LANGUAGE COMPILER OPTION...
prepare() {
	conventions_build "$@" || return
	conventions_script "$built"
	"$PROBEC" -w -p4 -r "$TARGET" "$built.kp" >module 2>said || fail "${built##*/}" said
	cp "$(cat module)" "$built.ko"
	programs+=("${built##*/}")
}
programs=()
prepare c gcc -O2
prepare cc g++ -O2
prepare cc clang++ -O2
prepare c clang -O2
prepare rs /usr/bin/rustc -Copt-level=2
prepare go go
cat >guest <<'SH'
cd "$1" || exit
for one in "${@:2}"; do
	"$PROBERUN" "$one.ko" -c "./$one >/tmp/told" >/tmp/seen 2>/tmp/said ||
		{ cat /tmp/said; exit 1; }
	for file in told seen said; do
		echo "@ $one.$file"
		cat /tmp/$file
	done
done
SH
"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" "${programs[@]}" \
	>all 2>log || fail "status $?" all log
awk '/^@ / { file = $2; next } { print >file }' all
wrong=
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || { cat "$one.said"; wrong=1; }
	conventions_judge "$PWD/$one" "$one.told" "$one.seen" 50 || wrong=1
done
[ -z "$wrong" ]
