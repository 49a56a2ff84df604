# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# Each: breakpoints have their way through each kernel
# Thousands of random instructions of a program, each of them probed (testsuite/programs/
# random_code.py, and random_arm64.py for a kernel of arm64): registers, flags, memory and stack are
# what they are without probes, whether the fast path carries an instruction out or the kernel does,
# and no hit is lost.
# RANDOM_CODE names other seeds.
. "$TOP/testsuite/processor.sh"
generator=random_code.py
[ $processor = x86_64 ] || generator=random_arm64.py
read -ra seeds <<<"${RANDOM_CODE:-1 2}"
blocks=90 rounds=6
for seed in "${seeds[@]}"; do
	python3 "$TOP/testsuite/programs/$generator" "$seed" $blocks >"code_$seed.s" &&
		gcc -O1 -no-pie -o "code_$seed" "$TOP/testsuite/programs/random_code.c" \
			"code_$seed.s" 2>log || fail "the program of seed $seed" log
	[ "$(nm "code_$seed" | grep -c ' i_')" -gt 1500 ] || fail "seed $seed: few instructions"
	build "by_name_$seed" "
global n
probe process(\"$PWD/code_$seed\").function(\"[ir]_*\").call { n[ppfunc()] <<< 1 }
probe end { foreach (f in n) println(f, \" \", @count(n[f])) }" -D MAXLOAD=0 -D MAXMAPENTRIES=4096
	build "sum_$seed" "
global n
probe process(\"$PWD/code_$seed\").function(\"i_*\").call { n <<< 1 }
probe end { println(@count(n)) }" -D MAXLOAD=0
done
cat >guest <<'SH'
cd "$1" || exit 1
rounds=$2
shift 2
for seed; do
	"./code_$seed" $rounds >alone 2>said || { echo "$seed: without probes: $?"; exit 1; }
	for session in by_name sum 'sum --no-fast-user'; do
		set -- $session
		"$PROBERUN" -t -o counts -c "./code_$seed $rounds >probed 2>said" "$1_$seed.ko" $2 \
			2>messages || { echo "$seed, $session: status $?"; cat messages; exit 1; }
		cmp alone probed || { echo "$seed, $session: another result"; diff alone probed; }
		[ $1 = by_name ] || echo "sum $seed $(cat counts)"
		[ $1 = sum ] || sed "s/^/count $seed /" counts
		sed -n "s/.*breakpoints: \([0-9]*\) by the fast path, .*/paths $seed \1/p" messages
	done
done
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" $rounds \
	"${seeds[@]}" >said 2>&1 || fail "status $?" said
grep -v "^count .* $rounds\$" said >others
for seed in "${seeds[@]}"; do
	n=$(nm "code_$seed" | grep -c ' i_')
	[ "$(grep -c "^count $seed i_[0-9]* $rounds\$" said)" = "$n" ] ||
		fail "seed $seed: a function was not hit $rounds times" others
	[ "$(grep -c "^sum $seed $((n * rounds))\$" said)" = 2 ] ||
		fail "seed $seed: other sums than $((n * rounds))" others
	fast=$(awk -v seed="$seed" '$1 == "paths" && $2 == seed { n += $3 } END { print n }' said)
	[ "$fast" -gt 1000 ] || fail "seed $seed: the fast path took $fast hits" others
done
! grep -q 'another result' said || fail 'another result' others
