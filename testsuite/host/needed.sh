# SPDX-License-Identifier: GPL-2.0
#@ needs: ldd python3 gcc
# The files that the loader expects a program to map, beside those that ldd finds: of this machine's
# programs, of a script, of one that names a directory of its own; and of files that are damaged.
make -s -C "$TOP" build/testsuite/beside/needed >made 2>&1 || fail 'not built' made
needed=$TOP/build/testsuite/beside/needed
mkdir own
echo 'int own(void) { return 1; }' | gcc -shared -fPIC -x c -o own/libown.so - 2>log &&
	echo 'int own(void); int main(void) { return own(); }' |
	gcc -o app -x c - -x none -Lown -lown -Wl,-rpath,"\$ORIGIN/own" 2>>log || fail gcc log
printf '#! %s/app -x\n' "$PWD" >script
cat >compare.py <<'END'
import os, random, subprocess, sys

needed = sys.argv[1]

def ours(path):
    said = subprocess.run([needed, path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return set(said.split())

def ldd(path):
    said = subprocess.run(['ldd', os.path.realpath(path)], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    found = {word for line in said.splitlines() for word in line.split() if word[0] == '/'}
    return {os.path.realpath(word) for word in found} | {os.path.realpath(path)}

def is_program(path):
    with open(path, 'rb') as f:
        return f.read(5) == b'\x7fELF\x02'

wrong = 0
programs = [os.path.join('/usr/bin', name) for name in sorted(os.listdir('/usr/bin'))]
programs = [path for path in programs if os.path.isfile(path) and is_program(path)]
random.seed(20)
programs = ['./app'] + random.sample(programs, min(60, len(programs)))
for path in programs:
    mine, theirs = ours(path), ldd(path)
    # Some libraries are only in directories of ld.so.conf; none may be another.
    names = {os.path.basename(p) for p in mine - theirs}
    if path == './app' and mine != theirs or not mine <= theirs:
        print(path, names, theirs - mine)
        wrong += 1
    wrong += 1 if len(mine) * 2 < len(theirs) else 0
if not ours('./script') == ours('./app') or len(ours('./app')) < 4:
    print('the script:', ours('./script'))
    wrong += 1
with open('app', 'rb') as f:
    whole = f.read()
for _ in range(300):
    data = bytearray(whole)
    for _ in range(random.choice([1, 10, 300])):
        data[random.randrange(len(data))] = random.randrange(256)
    with open('damaged', 'wb') as f:
        f.write(data)
    ours('./damaged')
sys.exit(wrong > 0)
END
python3 compare.py "$needed" >said 2>&1 || fail 'other files' said
