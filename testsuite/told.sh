# SPDX-License-Identifier: GPL-2.0
# Programs that tell on their standard output what a session has to see, run in one guest. Sourced
# by tests in vm/ after expect.sh.
# shellcheck shell=bash
programs=()

# add_told NAME: compiles NAME.kp, for the program NAME, both in this directory.
add_told() {
	"$PROBEC" -w -p4 -r "$TARGET" "$1.kp" >module 2>said || fail "$1" said
	cp "$(cat module)" "$1.ko"
	programs+=("$1")
}

# run_told: runs all of them in one guest, and leaves what each told in NAME.told, the output of
# its session in NAME.seen, and the session's messages in NAME.said.
run_told() {
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
	"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" \
		"${programs[@]}" >all 2>log || fail "status $?" all log
	awk '/^@ / { file = $2; next } { print >file }' all
}
