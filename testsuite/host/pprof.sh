# SPDX-License-Identifier: GPL-2.0
# probec pprof: a reader of protobuf that was written from its specification finds every stack of
# random folded lines again.
#@ needs: python3
cat >read.py <<'PY'
import gzip
import sys


def fields(data):
    """Yields (number, value) of a message; a value is an integer or bytes."""
    at = 0

    def varint():
        nonlocal at
        v = shift = 0
        while True:
            b = data[at]
            at += 1
            v |= (b & 0x7F) << shift
            shift += 7
            if not b & 0x80:
                return v

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2, tag
            n = varint()
            assert at + n <= len(data)
            yield tag >> 3, data[at:at + n]
            at += n


def packed(data):
    v = shift = 0
    for b in data:
        v |= (b & 0x7F) << shift
        shift += 7
        if not b & 0x80:
            yield v
            v = shift = 0
    assert shift == 0


profile = list(fields(gzip.decompress(open(sys.argv[1], "rb").read())))
strings = [v.decode() for n, v in profile if n == 6]
assert strings[0] == "" and len(set(strings)) == len(strings)
functions = {dict(fields(v))[1]: strings[dict(fields(v))[2]] for n, v in profile if n == 5}
mappings = {dict(fields(v))[1]: strings[dict(fields(v))[5]] for n, v in profile if n == 3}
locations = {}
for n, v in profile:
    if n == 4:
        f = dict(fields(v))
        kernel = mappings[f[2]] == "[kernel]"
        locations[f[1]] = functions[dict(fields(f[4]))[1]] + ("_[k]" if kernel else "")
types = [[strings[i] for _, i in fields(v)] for n, v in profile if n == 1]
assert types == [["samples", "count"]], types
for n, v in profile:
    if n == 2:
        f = dict(fields(v))
        (count,) = packed(f[2])
        print(";".join(reversed([locations[i] for i in packed(f[1])])), count)
PY
for seed in 1 2 3; do
	python3 "$TOP/testsuite/host/flame.py" make $seed >in.folded
	"$PROBEC" pprof in.folded >in.pb.gz 2>err || fail "seed $seed" err
	PYTHONIOENCODING=utf-8 python3 read.py in.pb.gz >seen 2>err || fail "seed $seed" err
	cmp in.folded seen || fail "seed $seed: other stacks"
done
"$PROBEC" pprof in.folded | cmp - in.pb.gz || fail 'another file'
echo 'a;;b 1' | "$PROBEC" pprof - >out 2>err
[ $? = 2 ] && [ ! -s out ] && grep -q '<stdin>:1:3: error' err || fail 'a wrong line' err
"$PROBEC" pprof in.folded >/dev/full 2>err
[ $? = 2 ] || fail '/dev/full' err
