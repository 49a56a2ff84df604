# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: javac jcmd python3
#@ seconds: 300
# Names of code that a virtual machine of Java has made, beside the lines of its map for perf: at
# the first, a middle and the last byte of all of it, and around it.
make -s -C "$TOP" build/testsuite/beside/named >made 2>&1 || fail 'not built' made
cat >Busy.java <<'END'
import java.util.*;
class Busy {
	public static void main(String[] arguments) throws Exception {
		long end = System.nanoTime() + 60_000_000_000L;
		while (System.nanoTime() < end) {
			Map<String, Integer> counts = new TreeMap<>();
			for (int i = 0; i < 2000; i++)
				counts.merge("w" + i % 97, i, Integer::sum);
			if (counts.hashCode() == 1)
				System.out.println(counts);
		}
	}
}
END
javac Busy.java 2>log || fail javac log
java -XX:+UseSerialGC Busy >log 2>&1 &
java=$!
map=/tmp/perf-$java.map
trap 'kill $java 2>/dev/null; rm -f "$map"' EXIT
has_map() {
	jcmd $java Compiler.perfmap >said 2>&1 && [ "$(wc -l <"$map")" -gt 300 ]
}
wait_for 'the map of the virtual machine' has_map
cp "$map" map || fail 'no map' said
cat >compare.py <<'END'
import subprocess, sys

rows = []
with open(sys.argv[2], encoding='utf-8', errors='replace') as f:
    for line in f:
        start, size, name = line.rstrip('\n').split(' ', 2)
        rows.append((int(start, 16), int(size, 16), name))
addresses = sorted({start + at for start, size, _ in rows if size
                    for at in (-1, 0, size // 2, size - 1, size)})
said = subprocess.run([sys.argv[1], '--map', sys.argv[2]], check=True, stdout=subprocess.PIPE,
                      input='\n'.join(f'{a:x}' for a in addresses) + '\n', text=True).stdout
wrong = named = 0
for address, line in zip(addresses, said.splitlines()):
    covers = [(start, name) for start, size, name in rows if start <= address < start + size]
    want = f'{address:x} -'
    if covers:
        want = f'{address:x} {covers[-1][0]:x} {covers[-1][1]}'
        named += 1
    if line != want:
        wrong += 1
        print(f'{line}\n  the map: {want}')
print(f'{named} of {len(addresses)} addresses have names')
sys.exit(wrong > 0 or named < 600 or len(said.splitlines()) != len(addresses))
END
python3 compare.py "$TOP/build/testsuite/beside/named" map >differences 2>&1 ||
	fail 'other names' differences
