# SPDX-License-Identifier: GPL-2.0
# One script runs in two sessions at once, and both see every hit.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
"$PROBERUN" -v "$MODULE" >a 2>a.said &
first=$!
"$PROBERUN" -v "$MODULE" >b 2>b.said &
second=$!
wait_armed a b
for _ in 1 2; do dd if=/dev/zero of=/dev/null bs=41 count=100 2>/dev/null; done
kill -INT "$first" "$second"
wait "$first" || fail 'the first one' a.said
wait "$second" || fail 'the second one' b.said
[ "$(cat a)" = 400 ] && [ "$(cat b)" = 400 ] || fail "$(cat a) $(cat b), not 400 400"
