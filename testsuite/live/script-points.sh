# SPDX-License-Identifier: GPL-2.0
#@ needs: python3 perl
#@ slow
#@ seconds: 1500
# The comparisons of script-python.sh and script-perl.sh, at 10,000 points each.
POINTS=10000
for language in python perl; do
	. "$TOP/testsuite/live/script-$language.sh"
done
