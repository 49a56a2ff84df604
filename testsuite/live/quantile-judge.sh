# SPDX-License-Identifier: GPL-2.0
# @quantile in the kernel and --percentiles outside of it give the same numbers, which are checked
# against the sorted values.
# Once: the C that is generated calls no kernel function here.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" --percentiles 0,1,50,90,99,100 "$MODULE" >o 2>e || fail 'status' e
[ ! -s e ] || fail 'messages' e
sed \
	-n 's/^p0[>=]*\([-0-9]*\) p1[>=]*\([-0-9]*\) p50[>=]*\([-0-9]*\) p90[>=]*\([-0-9]*\) p99[>=]*\([-0-9]*\) p100[>=]*\([-0-9]*\)$/quantiles \1 \2 \3 \4 \5 \6/p' \
	o >outside
grep '^quantiles' o >inside
[ "$(wc -l <inside)" = 10 ] || fail 'not ten histograms' o
diff inside outside >d || fail 'the two differ' d

# The result is exact at both ends; elsewhere it is within 3 per cent of the exact value, but for 27
# and 28, and 32 and 33, which share a bucket. For a linear histogram it is in its bucket and not
# larger.
for kind in 0 1 2 3 4; do
	sed -n "s/^value $kind //p" o | sort -n >sorted
	n=$(wc -l <sorted)
	exact=
	for percent in 0 1 50 90 99 100; do
		rank=$(((n * percent + 99) / 100))
		exact="$exact $(sed -n "$((rank ? rank : 1))p" sorted)"
	done
	awk -v exact="$exact" -v line=$((kind * 2 + 1)) '
		function size(v) { return v < 0 ? -v : v }
		function off(v) { return v < 27 ? 0 : v < 34 ? 1 : v * 0.03 }
		BEGIN { split(exact, want) }
		NR == line || NR == line + 1 {
			for (i = 1; i <= 6; i++) {
				got = $(i + 1)
				if (NR > line && got > want[i]) exit bad = 1
				if ((i == 1 || i == 6) && got != want[i]) exit bad = 1
				if (NR == line && size(got - want[i]) > off(size(want[i]))) exit bad = 1
				if (NR > line && want[i] >= -100 && want[i] < 500 && want[i] - got >= 20) exit bad = 1
			}
			checked++
		}
		END { exit bad || checked != 2 }' inside || fail "kind $kind: the sorted values give$exact" inside
done
