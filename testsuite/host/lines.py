# SPDX-License-Identifier: GPL-2.0
"""lines.py FILE[=JUDGED]... - for host/lines.sh and its relatives: compares `lined` with addr2line,
looks at the process that reads, and damages debug information. addr2line reads JUDGED, a file with
the same code, where it does not understand FILE. Status 1 if something is wrong."""
import os
import random
import re
import subprocess
import sys

ADDRESSES = 1000
DAMAGED = 60


def functions(path):
    """Addresses, sizes and names of the functions that the program's source has."""
    said = subprocess.run(['nm', '-S', '-C', path if path != 'apart' else 'apart.debug'],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split(maxsplit=3) for line in said.splitlines()]
    return [(int(r[0], 16), int(r[1], 16), r[3])
            for r in rows if len(r) == 4 and len(r[1]) == 16 and r[2] in 'tTwWuV']


def some_addresses(path, n):
    found = functions(path)
    return [start + random.randrange(size)
            for start, size, _ in (random.choice(found) for _ in range(n)) if size]


def symbol_at(found, address):
    return next((name for start, size, name in found if start <= address < start + size), None)


def judge(path, addresses):
    """The frames that addr2line finds, by address."""
    said = subprocess.run(['addr2line', '-a', '-i', '-f', '-C', '-e', path],
                          input='\n'.join(f'{a:x}' for a in addresses), check=True,
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()
    ret, at = [], 0
    while at < len(said):
        at += 1
        frames = []
        while at < len(said) and not said[at].startswith('0x'):
            source, _, line = re.sub(r' \(discriminator \d+\)$', '', said[at + 1]).rpartition(':')
            frames.append((said[at], source, int(line) if line.isdigit() else 0))
            at += 2
        ret.append(frames)
    return ret


def ask_all(path, addresses):
    """One answer for each address: an empty one leaves an empty line."""
    done = subprocess.run(['./lined', os.path.abspath(path)], input='\n'.join(f'{a:x}' for a in addresses),
                          check=True, stdout=subprocess.PIPE, text=True, errors='replace')
    ret, frames = [], []
    for row in done.stdout.split('\n')[:-1]:
        if row:
            name, source, line = row.split('\t')
            frames.append((name, source, int(line)))
        else:
            ret.append(frames)
            frames = []
    return ret


def is_name(name, other):
    """addr2line gives templates the type of their result, and the function that is not inlined the
    name of its symbol, with parameters."""
    return name == other or other.endswith(' ' + name) or other.startswith(name + '(')


def is_source(source, other, line):
    """addr2line 2.40 says for some lines of headers that they are of the unit's own file, which is
    shorter."""
    if os.path.normpath(source) == os.path.normpath(other):
        return True
    with open(other, encoding='utf-8') as f:
        return line > len(f.readlines())


def first_difference(mine, theirs, symbol):
    """The first frames that differ; None: there are none. addr2line gives in some units the name of
    the symbol to the innermost frame as well."""
    for frame, other in zip(mine, theirs):
        named = is_name(frame[0], other[0]) or (other is theirs[0] and other[0] == symbol)
        if (not named or frame[2] != other[2] or not is_source(frame[1], other[1], frame[2])):
            return frame, other
    return None if len(mine) == len(theirs) else (mine, theirs)


def compare(path, judged):
    addresses = some_addresses(path, ADDRESSES)
    found = functions(path)
    wrong = inlined = known = 0
    for address, mine, theirs in zip(addresses, ask_all(path, addresses), judge(judged, addresses)):
        if not theirs[0][2]:
            if mine and mine[0][2]:
                wrong += 1
                print(f'{path} {address:x}: {mine}, but addr2line knows nothing')
            continue
        known += 1
        inlined += len(theirs) > 1
        difference = first_difference(mine, theirs, symbol_at(found, address))
        if difference:
            wrong += 1
            print(f'{path} {address:x}: {difference[0]}\n  addr2line: {difference[1]}')
    if known < ADDRESSES // 2 or inlined < ADDRESSES // 10:
        print(f'{path}: only {known} addresses are known, {inlined} with inlined functions')
        wrong += 1
    return wrong


def look_at_reader(path):
    """What the process that reads may do; what happens when it is killed."""
    address = some_addresses(path, 20)
    with subprocess.Popen(['./lined', path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as it:
        def ask(number):
            it.stdin.write(f'{number:x}\n')
            it.stdin.flush()
            rows = []
            while (row := it.stdout.readline().strip('\n')):
                rows.append(row)
            return rows

        ask(address[0])
        with open(f'/proc/{it.pid}/task/{it.pid}/children', encoding='ascii') as f:
            reader = int(f.read())
        with open(f'/proc/{reader}/status', encoding='utf-8') as f:
            status = dict(line.split(':\t', 1) for line in f)
        files = set(os.listdir(f'/proc/{reader}/fd')) if os.geteuid() == 0 else None
        os.kill(reader, 9)
        rest = [ask(a) for a in address[1:]]
        it.stdin.close()
        said = it.stderr.read()
    wrong = 0
    wanted = {'NoNewPrivs': '1', 'Seccomp': '2'}
    if os.geteuid() == 0:
        wanted.update({'Uid': '\t'.join(['65534'] * 4), 'Gid': '\t'.join(['65534'] * 4),
                       'Groups': ''})
    for key, value in wanted.items():
        if status.get(key, '').strip() != value:
            print(f'the reader has {key} {status.get(key)}, not {value}')
            wrong += 1
    # 4 and 5 are parts of the debug information in other files.
    if files is not None and files - {'4', '5'} != set('0123'):
        print(f'the reader has the descriptors {files}')
        wrong += 1
    if any(rest) or said.count('[E_LINES]') != 1 or it.returncode != 0:
        print(f'after the reader was killed: {rest}, status {it.returncode}, {said}')
        wrong += 1
    return wrong


def sections(path):
    """Offset and size of what has debug information."""
    said = subprocess.run(['readelf', '-SW', path], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    rows = re.findall(r'\.debug_(\w+)\s+\S+\s+\S+\s+(\S+)\s+(\S+)', said)
    return {name: (int(offset, 16), int(size, 16)) for name, offset, size in rows}


def damage(path):
    """Every session ends in order, whatever the file holds."""
    where = sections(path)
    with open(path, 'rb') as f:
        whole = f.read()
    addresses = some_addresses(path, 10)
    wrong = 0
    for turn in range(DAMAGED):
        data = bytearray(whole)
        offset, size = where[random.choice(['info', 'line', 'abbrev', 'info'])]
        for _ in range(random.choice([1, 10, 1000])):
            data[offset + random.randrange(size)] = random.randrange(256)
        if turn % 10 == 0:
            del data[offset + random.randrange(size):]
        with open('damaged', 'wb') as f:
            f.write(data)
        done = subprocess.run(['./lined', 'damaged'], check=False, timeout=100,
                              input='\n'.join(f'{a:x}' for a in addresses).encode(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0 or re.search(rb'[\x00-\x08\x0b-\x1f]', done.stdout):
            print(f'damaged file {turn}: status {done.returncode}, {done.stderr}')
            wrong += 1
    return wrong


def main():
    random.seed(20)
    pairs = [(path, judged or path) for path, _, judged in (a.partition('=') for a in sys.argv[1:])]
    wrong = sum(compare(*pair) for pair in pairs)
    wrong += look_at_reader(pairs[0][0])
    wrong += damage(pairs[0][0])
    return wrong > 0


sys.exit(main())
