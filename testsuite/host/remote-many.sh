# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3
# probec --remote with 2,000 hosts, of which 200 fail in each phase: each is reported with its
# reason, the others are shown as a whole, and the process that serves them stays within 60 s of
# processor time and 400 MB of address space. The ssh is testsuite/many-hosts.c.
# shellcheck shell=bash disable=SC2154
needs_static_proberun
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -o ssh "$TOP/testsuite/many-hosts.c" 2>log ||
	fail 'many-hosts.c' log
export RELEASE=${TARGET##*/} OUTPUT=$PWD/output TMPDIR=$PWD/tmp
mkdir tmp
echo 'global n probe begin { n++ }' >script.kp
"$PROBEC" -w -p4 -r "$TARGET" script.kp >/dev/null 2>said || fail 'the script' said
range() { seq -s, -f "$1-%g" "$2"; } # KIND NUMBER
kinds=(refuses silent other full lost fails)
hosts=$(range ends 800)
for kind in "${kinds[@]}"; do hosts+=,$(range "$kind" 200); done
seq -f 'line %g' 50 >output
run() { # OPTION...: with these limits
	(
		ulimit -t 60 -v 400000
		exec "$PROBEC" --ssh "$PWD/ssh" -r "$TARGET" -w --remote "$hosts" "$@" script.kp
	) >out 2>said
	status=$?
}
run
[ "$status" = 1 ] || fail "status $status" said
python3 - <<'X' >d || fail 'hosts that fail in each phase' d said
import collections, re
lines = collections.defaultdict(list)
for line in open('out'):
    host, text = line.rstrip('\n').split(':', 1)
    lines[host].append(text.strip())
shown = {'%s-%d' % (kind, i + 1) for kind, n in (('ends', 800), ('lost', 200), ('fails', 200))
         for i in range(n)}
assert set(lines) == shown, set(lines) ^ shown
for host in shown:
    assert lines[host] == ['line %d' % (i + 1) for i in range(50)], host
reasons = collections.Counter()
for line in open('said'):
    m = re.match(r'probec: error: ([a-z]+)-\d+: (.*) \[E_REMOTE\]', line)
    if m:
        reasons[m.group(1), re.sub(r'refuses-\d+', 'HOST', m.group(2))] += 1
assert reasons == {
    ('refuses', 'ssh: connect to host HOST port 22: Connection refused'): 200,
    ('silent', 'ssh ended with status 255 before the host answered'): 200,
    ('other', 'no -r is for its kernel 2.4.18'): 200,
    ('full', 'the bundle cannot be stored: head: error writing: No space left'): 200,
    ('lost', 'the connection was lost'): 200,
    ('fails', 'its session failed with status 1'): 200}, reasons
X
[ -z "$(ls tmp)" ] || fail 'files are left here'

# Sums of 1,000 hosts: those that failed do not count.
python3 - >output <<'X'
import json
for i in range(50):
    print(json.dumps({'type': 'global', 'time': 1, 'name': 'reads', 'keys': ['program%d' % i],
                      'value': i}))
print(json.dumps({'type': 'summary', 'status': 0}))
X
hosts=$(range ends 800),$(range refuses 200)
run --merge --format=json
[ "$status" = 1 ] && [ "$(grep -c E_REMOTE said)" = 200 ] || fail "--merge: status $status" said
python3 - <<'X' || fail 'sums' out said
import json
sums = {o['keys'][0]: (o['value'], o['hosts']) for o in map(json.loads, open('out'))
        if o['type'] == 'global'}
assert sums == {'program%d' % i: (800 * i, 800) for i in range(50)}, sums
X
exit 0
