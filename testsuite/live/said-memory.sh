# SPDX-License-Identifier: GPL-2.0
# The tables that a session is said to take before it takes them are those that it takes: with
# tens of thousands of sites nearly all of them are about sites. `lines` counts what was
# allocated, temporary room included.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" -v "$MODULE" >out 2>err & session=$!
until grep -q tick out; do kill -0 "$session" || fail 'it ended' err; sleep 0.2; done
taken=$(($(cat /sys/module/probec_*/parameters/lines) * 64 / 1024))
said=$(sed -n 's/.* \([0-9]*\) KiB of tables.*/\1/p' err)
kill -INT "$session"
wait "$session" || fail "status $?" err
[ "$taken" -gt 4000 ] || fail "few tables: $taken KiB"
[ "$said" -le "$taken" ] && [ $((said * 100)) -ge $((taken * 90)) ] ||
	fail "$said KiB were said, $taken KiB were taken"
