# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# -I: user-defined tapsets are found by what they define; broken ones matter only if they are
# needed, or with -W.
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
echo 'global ours = 5, many[3] private global theirs = 6 function nothing() { return 1 }' \
	>tap/globals.kp
check -I tap -e 'probe begin { many[ours] = 1 println(many[5]) }'
check -I tap -e 'probe begin { println(theirs) }'
check -I tap -e 'global ours = 7 probe begin { println(ours) }'
check -e 'probe mine.start { }'
check -I nowhere -e 'probe begin { }'
check -I tap/mine.kp -e 'probe begin { }'
show "$PROBEC" -p1 -W -I tap -e 'probe begin { }'
# Directories for a kernel and a processor precede the files beside them, the more specific ones
# first.
release=$(sed -n 's/^release //p' "$TARGET")
version=$(grep -o '^[0-9.]*[0-9]' <<<"$release")
series=$(grep -o '^[0-9]*\.[0-9]*' <<<"$release")
mkdir -p "tap/$release/x86_64" "tap/$version/x86_64" "tap/$series" tap/x86_64 tap/5.10 \
	"tap/${version}x"
n=0
for dir in "$release/x86_64" "$release" "$version/x86_64" "$series" x86_64 .; do
	n=$((n + 1))
	for m in $(seq "$n"); do echo "function here$m() { return $n }"; done \
		>>"tap/$dir/versions.kp"
done
for dir in 5.10 "${version}x"; do echo 'function here1() { return 99 }' >"tap/$dir/other.kp"; done
"$PROBEC" -p3 -r "$TARGET" -I tap -e \
	'probe begin { printf("%d %d %d %d %d %d", here6(), here5(), here4(), here3(), here2(), here1()) }' >here.c
grep -o 'return [0-9]* \*/' here.c | sort -u
# The user's and the system's directories and their order; a directory that others may write to is
# ignored.
mkdir -p home/probec/tapsets system/probec/tapsets
echo 'function mine() { return "home" }' >home/probec/tapsets/a.kp
echo 'function mine() { return "system" } function theirs() { return "system" }' \
	>system/probec/tapsets/a.kp
echo '@define where %( "home" %)' >home/probec/tapsets/a.kpm
echo 'probe begin { println(mine(), theirs(), @where) }' >both.kp
both() \
	{ XDG_DATA_HOME=$PWD/home XDG_DATA_DIRS=/nonexistent:$PWD/system "$PROBEC" "$@" -r "$TARGET" both.kp; }
both -p3 2>&1 | grep -o 'return "[a-z]*" \*/' | sort
# Another installation's library suits its own runtime only.
mkdir -p system/probec/runtime/abi && : >system/probec/runtime/abi/script.h
both -p2 2>&1 | grep -o 'no function .*'
rm -r system/probec/runtime
chmod o+w system/probec/tapsets
both -p2 2>&1 | grep -o 'warning.*is not used\|no function .*' | sed "s|$PWD|DIR|"
