# SPDX-License-Identifier: GPL-2.0
# Exponential histograms in the kernel: what they print, and that values without memory for their
# buckets are reported. The elements of `wide` have 4 times 62 powers of two, and memory for 4 * 8 +
# 64 of them.
# Once: the C that is generated calls no kernel function here.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" "$MODULE" -o o 2>e || fail "status $?" o e
diff - o <<'X' >d || fail 'other output' d
value |-------------------------------------------------- count
   -8 |                                                     0
   -6 |                                                     0
   -4 |                                                     1
   -3 |                                                     0
   -2 |                                                     0
      ~
    3 |                                                     0
    4 |                                                     0
    6 |                                                     1
    8 |                                                     0
   12 |                                                     1
   16 |                                                     1
   23 |                                                     1
   32 |                                                     2
   46 |                                                     3
   64 |                                                     3
   91 |@                                                    6
  128 |@                                                    7
  182 |@@                                                  11
  256 |@@@                                                 15
  363 |@@@@                                                22
  512 |@@@@@@                                              30
  725 |@@@@@@@@                                            43
 1024 |@@@@@@@@@@@@                                        60
 1449 |@@@@@@@@@@@@@@@@@                                   86
 2048 |@@@@@@@@@@@@@@@@@@@@@@@@                           121
 2897 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                 172
 4096 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   242
 5793 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                 173
 8192 |                                                     0
11586 |                                                     0
p50=3520 p90=6183 p99=6944 p99.9=6944 max=7000

value |-------------------------------------------------- count
  -16 |                                                     0
   -8 |                                                     0
   -4 |                                                     1
   -2 |                                                     0
   -1 |                                                     0
      ~
    1 |                                                     0
    2 |                                                     0
    4 |                                                     1
    8 |                                                     1
   16 |                                                     2
   32 |                                                     5
   64 |@                                                    9
  128 |@@                                                  18
  256 |@@@@                                                37
  512 |@@@@@@@@                                            73
 1024 |@@@@@@@@@@@@@@@@                                   146
 2048 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                   293
 4096 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@     415
 8192 |                                                     0
16384 |                                                     0

-5 3520 6944
1001 0 0
334 501
4 1 999
0 1 1000
value |-------------------------------------------------- count
    1 |                                                   0
    2 |                                                   0
    3 |@                                                  1
    4 |                                                   0
    5 |                                                   0
p50=3 p90=3 p99=3 p99.9=3 max=3

1073741824 1610612735
62 1 1 0
X
grep -q "warning: 152 values of 'wide' were counted only by powers of two" e || fail 'no report' e
[ "$(grep -c 'only by powers of two' e)" = 1 ] || fail 'more reports' e
grep -q "array 'one' is full: 898 new elements were not stored" e || fail 'what was not stored' e
