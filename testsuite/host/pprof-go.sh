# SPDX-License-Identifier: GPL-2.0
# probec pprof: Go's pprof reads the values, units, names, addresses and labels that were written,
# and adds up what Python adds up.
#@ slow
#@ needs: python3 go
export HOME=$PWD PPROF_TMPDIR=$PWD

pprof() { # FILE OPTION...
	go tool pprof "${@:2}" "$1" >out 2>err || fail "go tool pprof ${*:2}" err
}
python3 "$TOP/testsuite/host/flame.py" make 7 | tr -d '"' >in.folded
"$PROBEC" pprof in.folded >in.pb.gz 2>err || fail 'folded' err
pprof in.pb.gz -raw
grep -q '^samples/count\[dflt\]$' out || grep -q '^samples/count' out ||
	fail 'not samples/count' out
python3 - in.folded >expected <<'PY'
import sys
flat, cum = {}, {}
for line in open(sys.argv[1], encoding="utf-8"):
    stack, count = line.rstrip("\n").rsplit(" ", 1)
    frames = [f[:-4] if f.endswith("_[k]") else f for f in stack.split(";")]
    flat[frames[-1]] = flat.get(frames[-1], 0) + int(count)
    for f in set(frames):
        cum[f] = cum.get(f, 0) + int(count)
for f in cum:
    print(flat.get(f, 0), cum[f], f)
PY
# Names of C++ are shortened by pprof unless it is told not to.
pprof in.pb.gz -top -nodecount=1000 -nodefraction=0 -symbolize=demangle=none
awk \
	'rows { name = $0; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name); print $1, $4, name } /flat%/ { rows = 1 }' out | sort >seen
sort expected | diff - seen >difference || fail 'other sums' difference

cat >a.json <<'END'
{"type":"global","time":9.0,"name":"wait_ns","keys":["dd",[{"address":"0xffffffff8134d3d0","symbol":"vfs_write","offset":0,"module":"kernel"},{"address":"0xffffffffc034d3d0","symbol":"hook","offset":16,"module":"nf_tables"}]],"value":{"count":5,"min":1,"avg":400000,"max":9,"sum":2000000}}
{"type":"summary","time":12.5,"script":"s.kp","kernel":"6.1.0","seconds":2.5,"status":0,"hits":5,"errors":0,"lost":3,"lost_bytes":0,"not_stored":0,"skipped":{"busy":1}}
END
"$PROBEC" pprof a.json >a.pb.gz 2>err || fail 'json' err
pprof a.pb.gz -raw
has() { grep -qE -e "$1" out || fail "no $1" out; }
has '^samples/count wait_ns/nanoseconds\[dflt\]$'
has '^ +5 +2000000: 1 2 *$'
has '^ +key1:\[dd\]$'
has '^ +1: 0xffffffff8134d3d0 M=1 vfs_write '
has '^ +2: 0xffffffffc034d3d0 M=2 hook '
has '^1: .* \[kernel\] +\[FN\]$'
has '^2: .* nf_tables +\[FN\]$'
has '^Duration: 2\.5'
has '^Comment: 4 hits or elements were lost$'
pprof a.pb.gz -top
has '^Type: wait_ns$'
has 'Showing nodes accounting for 2ms, 100% of 2ms total'
