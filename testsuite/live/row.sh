# Ten sessions at once, each of which sees every hit; then twelve one after another. long-row.sh has two hundred.
. "$TOP/testsuite/expect.sh"
. ./rows
at_once 10
one_after_another 12
