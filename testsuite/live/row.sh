# SPDX-License-Identifier: GPL-2.0
#@ slow
# Ten sessions at once, each of which sees every hit, and then twelve one after another. long-row.sh
# runs two hundred.
. "$TOP/testsuite/expect.sh"
. ./rows
at_once 10
one_after_another 12
