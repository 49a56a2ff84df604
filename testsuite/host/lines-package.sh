# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: g++ objcopy addr2line python3 llvm-dwp
#@ seconds: 300
# Source lines and inlined functions whose .dwo files were collected in a .dwp file, of DWARF 5 and
# of the version before it. addr2line is asked about the same code without them.
. "$TOP/testsuite/lines.sh"

for version in 4 5; do
	two_units whole$version -g -O2 -gdwarf-$version
	two_units split$version -g -O2 -gdwarf-$version -gsplit-dwarf
	same_code whole$version split$version
	llvm-dwp -e split$version -o split$version.dwp 2>log || fail 'llvm-dwp' log
	rm split$version-*.dwo
done
compared split5=whole5 split4=whole4

# A package that is damaged, or another program's, costs the functions.
python3 - split5.dwp <<'END'
import random, sys
random.seed(20)
with open(sys.argv[1], 'rb') as f:
    whole = f.read()
for turn in range(60):
    data = bytearray(whole)
    for _ in range(random.choice([1, 10, 1000])):
        # The index and the headers are at the end.
        start = random.choice([0, len(data) - 1500])
        data[random.randrange(start, len(data))] = random.randrange(256)
    with open(f'damaged.{turn}', 'wb') as f:
        f.write(data)
END
nm split5 | awk '$2 ~ /[tT]/ { print $1 }' >addresses
for file in damaged.*; do
	cp "$file" split5.dwp
	timeout 100 ./lined split5 <addresses >answers 2>said || fail "$file: status $?" said
done
cp split4.dwp split5.dwp
./lined split5 <addresses >answers 2>said || fail "another's package: status $?" said
[ -z "$(cut -f1 answers)" ] || fail "functions of another program's package" answers
[ ! -s said ] || fail 'messages' said
