#@ needs: g++ objcopy addr2line python3
#@ seconds: 200
# Source lines and inlined functions that the loader finds, beside those of addr2line, at random
# addresses of programs; what the process that reads them may do; damaged debug information.
. "$TOP/testsuite/expect.sh"
make -s -C "$TOP" build/testsuite/beside/lined >made 2>&1 || fail 'not built' made
# The reader is probec beside the program.
cp "$TOP/build/testsuite/beside/lined" lined
ln -s "$PROBEC" probec
source=$TOP/testsuite/programs/lines.cc
g++ -g -O2 -o plain "$source" 2>log || fail 'plain' log
g++ -g -O3 -gdwarf-4 -o older "$source" 2>log || fail 'older' log
g++ -g -O2 -gz -fno-pie -no-pie -o packed "$source" 2>log || fail 'packed' log
g++ -g -O1 -o apart "$source" 2>log || fail 'apart' log
objcopy --only-keep-debug apart apart.debug && objcopy -g --add-gnu-debuglink=apart.debug apart ||
	fail 'objcopy'
python3 "$TOP/testsuite/host/lines.py" plain older packed apart >said 2>&1 ||
	fail 'differences' said
