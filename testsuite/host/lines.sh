# SPDX-License-Identifier: GPL-2.0
#@ needs: g++ objcopy addr2line python3
#@ seconds: 200
# Source lines and inlined functions that the loader finds, beside those of addr2line, at random
# addresses of programs; what the process that reads them may do; damaged debug information.
. "$TOP/testsuite/lines.sh"
g++ -g -O2 -o plain "$lines_source" 2>log || fail 'plain' log
g++ -g -O3 -gdwarf-4 -o older "$lines_source" 2>log || fail 'older' log
g++ -g -O2 -gz -fno-pie -no-pie -o packed "$lines_source" 2>log || fail 'packed' log
g++ -g -O1 -o apart "$lines_source" 2>log || fail 'apart' log
objcopy --only-keep-debug apart apart.debug && objcopy -g --add-gnu-debuglink=apart.debug apart ||
	fail 'objcopy'
compared plain older packed apart
