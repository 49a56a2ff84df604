# SPDX-License-Identifier: GPL-2.0
# Frames of Perl in a stopped program's memory: what caller() and Carp say at a thousand points, and
# as many groups of them as the native stack has run loops.
# shellcheck shell=bash disable=SC2154
make -s -C "$TOP" build/testsuite/beside/script_walk >made 2>&1 || fail 'not built' made
"$TOP/build/testsuite/beside/script_walk" perl "$TOP/testsuite/programs/script.pl" 1100 \
	>walked 2>log
status=$?
[ $status = 0 ] || fail "status $status" log
"$TOP/testsuite/beside/script_walk.awk" walked >compared || fail 'frames differ' compared
