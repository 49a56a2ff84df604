# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# Two hundred sessions one after another.
. "$TOP/testsuite/expect.sh"
. ./rows
one_after_another 200
