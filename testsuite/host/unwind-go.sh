# SPDX-License-Identifier: GPL-2.0
#@ needs: go python3
#@ slow
# Unwind tables of a program in Go that has been stripped, from Go's own tables, beside those of the
# same program from .debug_frame; and those of one that is loaded anywhere.
# shellcheck shell=bash
make -s -C "$TOP" build/testsuite/beside/unwound >made 2>&1 || fail 'not built' made
unwound=$TOP/build/testsuite/beside/unwound
export GOCACHE=$PWD/cache
cp "$TOP/testsuite/programs/busy.go" .
build_go() { # NAME OPTION...
	go build -o "$@" busy.go 2>log || fail "$1" log
	"$unwound" "$1" >"$1.rows" 2>said || fail "no table of $1" said
}
build_go whole
build_go stripped -ldflags='-s -w'
build_go moved -ldflags='-s -w' -buildmode=pie
readelf -SW whole | grep -q '\.debug_frame' || fail 'there is nothing to compare with'
readelf -SW stripped moved | grep -E '\.(debug|eh)_frame' >log && fail 'not stripped' log
objcopy -O binary -j .text stripped text || fail objcopy
start=$(readelf -SW stripped | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) .*/\1/p')
python3 - "$start" whole.rows stripped.rows <<'END' >differences || fail 'other rules' differences
import bisect, sys

def read(path):
    rows = [line.split() for line in open(path)]
    return [int(r[0], 16) for r in rows], [(r[1], r[-1]) for r in rows]

start = int(sys.argv[1], 16)
text = open('text', 'rb').read()
(wanted, rules), (found, ours) = read(sys.argv[2]), read(sys.argv[3])
same = wrong = 0
for i, address in enumerate(found):
    if ours[i][0] == 'unknown':
        # Filling between functions.
        if text[address - start:address - start + 1] in (b'\xcc', b''):
            continue
    rule = rules[bisect.bisect_right(wanted, address) - 1]
    same += rule == ours[i]
    if rule != ours[i]:
        wrong += 1
        print(f'{address:x}: {ours[i]}, .debug_frame: {rule}')
print(f'{same} rules are the same')
sys.exit(wrong > 0 or same < 3000)
END
awk '$2 != "unknown"' moved.rows | wc -l >n
[ "$(cat n)" -gt 3000 ] || fail 'few rules of a program that is loaded anywhere' n
