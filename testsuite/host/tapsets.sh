#@ needs: target
# -I: tapsets of one's own, found by what they define; broken ones only count where they are needed.
mkdir tap
cat >tap/mine.kp <<'K'
function twice:long(x:long) { return 2 * x }
private function hidden() { return 1 }
probe mine.start = begin { greeting = "hello" }
K
echo 'function thrice(x) { return 3 * x }' >tap/other.stp
echo 'function broken( { return 1 }' >tap/broken.kp
check() { show "$PROBEC" -p2 -r "$TARGET" "$@" | sed "s|$TARGET|TARGET|"; }
check -I tap -e 'probe mine.start { println(greeting, twice(4), thrice(2)) }'
check --include=tap -e 'probe begin { println(broken()) }'
check -I tap -e 'probe mine.strat { }'
check -I tap -e 'probe begin { println(twcie(3), hidden()) }'
check -e 'probe mine.start { }'
check -I nowhere -e 'probe begin { }'
check -I tap/mine.kp -e 'probe begin { }'
