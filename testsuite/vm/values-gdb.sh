# SPDX-License-Identifier: GPL-2.0
# Variables at all lines of a program, in its functions and inlined copies, without and with
# optimisation, beside what gdb reads at the same instructions.
#@ needs: gdb
source=$TOP/testsuite/programs/values.c
for level in 0 2; do
	gcc -std=gnu11 -w -no-pie -O$level -g -o "values$level" "$source" 2>log || fail 'the program' log
done
run() { env -u PROBEC_DEBUGINFO "$PROBEC" -r "$TARGET" "$@"; }

# A probe at each line prints the numbers that are known there: ADDRESS NAME=VALUE ...
cat >script.awk <<'END'
{
	point = $0; sub(/ [$].*/, "", point); sub(/^.*\)\.statement/, "statement", point)
	values = ""
	rest = $0
	while (match(rest, / \$[A-Za-z_0-9]+:[^$]*/)) {
		one = substr(rest, RSTART + 1, RLENGTH - 1); rest = substr(rest, RSTART + RLENGTH)
		name = one; sub(/:.*/, "", name); type = one; sub(/^[^:]*:/, "", type); sub(/ +$/, "", type)
		if (type !~ /\*|\[|^struct|^union|float|double|^const/)
			values = values " if (@defined(" name ")) printf(\" " substr(name, 2) "=%d\", " name ")"
	}
	printf "probe process(\"%s\").%s { printf(\"%%x\", uaddr())%s println() }\n", program, point, values
}
END
for level in 0 2; do
	# The contents of the stack when main() begins depend on the machine.
	run -L "process(\"$PWD/values$level\").statement(\"*@values.c:*\")" 2>said |
		grep -vE 'statement\("(main|scrub)@' >points || fail 'the list' said
	awk -v program="$PWD/values$level" -f script.awk points >"script$level.kp"
	[ "$(wc -l <"script$level.kp")" -ge 30 ] || fail 'too few lines' points
	run -w -p4 "script$level.kp" >module 2>said || fail 'the script' said
	cp "$(cat module)" "values$level.ko"
done
cat >guest <<'SH'
cd "$1" || exit
for one in values0 values2; do
	echo "@ $one.seen"
	"$PROBERUN" $one.ko -c "./$one >/tmp/told" || exit
	echo "@ $one.told"
	cat /tmp/told
done
SH
"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >all 2>log || fail "status $?" log
awk '/^@ / { file = $2; next } { print >file }' all

cat >judge.py <<'END'
import gdb, os
places = {}
for line in open(os.environ['SEEN']):
    words = line.split()
    # Several probes may be at one instruction: for copies, and for what is around them.
    names = [w.split('=')[0] for w in words[1:]]
    lists = places.setdefault(int(words[0], 16), [])
    if names not in lists:
        lists.append(names)
out = open('wanted', 'w')
got = open('got', 'w')
def read(block, name):
    # The innermost name that has a value.
    while block:
        for symbol in block:
            if symbol.name == name and (symbol.is_argument or symbol.is_variable):
                v = symbol.value(gdb.selected_frame()) if symbol.needs_frame else symbol.value()
                if not v.is_optimized_out:
                    return str(int(v) if int(v) < 2 ** 63 else int(v) - 2 ** 64)
        block = block.superblock
    return '?'
class Place(gdb.Breakpoint):
    def stop(self):
        pc = gdb.selected_frame().pc()
        for names in places[pc]:
            out.write(' '.join(['%x' % pc] + ['%s=%s' % (n, read(gdb.block_for_pc(pc), n)) for n in names]) + '\n')
        return False
gdb.execute('set confirm off')
# At a function's first instruction, what gdb reads without optimisation is not filled yet.
first = [int(gdb.parse_and_eval('(long)&' + f)) for f in ('work', 'many', 'run')]
for name in ('twist', 'sum'):
    if gdb.lookup_static_symbol(name) and os.environ['LEVEL'] == '0':
        first.append(int(gdb.parse_and_eval('(long)&' + name)))
for pc in [p for p in places if p not in first]:
    Place('*0x%x' % pc, internal=True)
got.writelines(l for l in open(os.environ['SEEN']) if int(l.split()[0], 16) not in first)
got.close()
gdb.execute('run > /dev/null')
out.close()
END
for level in 0 2; do
	LEVEL=$level SEEN=values$level.seen gdb -q -nx -batch -x judge.py "values$level" >log 2>&1 || fail "gdb" log
	[ "$(grep -o = wanted | wc -l)" -ge 200 ] || fail 'too few values' wanted
	# Several probes with the same names may be at one instruction: what is compared is which
	# values were seen where, not how often.
	for side in got wanted; do sort -u -o $side $side; done
	cmp -s got wanted || { diff -u wanted got >difference; fail "-O$level beside gdb:" difference; }
done
