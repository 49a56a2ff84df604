# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3
# probec --remote --merge of 50 hosts, each with 10,000 elements that no other host has and 100 that
# all have: every sum is right, in 256 MB of memory.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/remote.sh"
cat >place/static-proberun <<'X'
#!/bin/bash
cat "$PLACE/$HOST.json"
exit 0
X
python3 - <<'X'
import json
for host in range(50):
    with open(f'h{host}.json', 'w') as f:
        for i in range(10000):
            print('{"type":"global","time":1,"name":"n","keys":["host%d",%d],"value":%d}' %
                  (host, i, i), file=f)
        for i in range(100):
            print('{"type":"global","time":1,"name":"n","keys":["all",%d],"value":%d}' % (i, host),
                  file=f)
        print('{"type":"summary","status":0}', file=f)
X
hosts=$(seq -s, -f h%g 0 49)
"$remote" --remote h0 -w --merge --format=json script.kp >/dev/null 2>said || fail 'one host' said
(
	ulimit -v 262144
	exec "$remote" --remote "$hosts" -w --merge --format=json script.kp
) >out 2>said || fail "status $?" said
[ ! -s said ] || fail 'messages' said
python3 - <<'X' >d 2>&1 || fail 'sums' d
import json
seen, shared = set(), 0
for line in open('out'):
    o = json.loads(line)
    if o['type'] != 'global':
        continue
    who, i = o['keys']
    assert (who, i) not in seen
    seen.add((who, i))
    if who == 'all':
        assert o['value'] == sum(range(50)), o
    else:
        assert o['value'] == i, o
assert len(seen) == 50 * 10000 + 100, len(seen)
X
