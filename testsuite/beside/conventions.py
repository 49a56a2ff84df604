# SPDX-License-Identifier: GPL-2.0
"""Compares what probes of a program see with what the program says.

The programs testsuite/programs/conventions* print a line for each call and each return of their
functions, "NAME VALUE=NUMBER ...", where NAME is what a probe point calls the function, with
".return" at a return, and VALUE what a script calls a value, without its "$". Lines that begin with "#" are left out.

conventions.py script TOLD PROGRAM  prints a script that prints the same lines; a value that is
                                    refused is "?", and one that can't be read "!"
conventions.py judge TOLD SEEN NAME REFUSED
                                    compares the two, and prints "different FUNCTION VALUE: ...",
                                    "refused FUNCTION VALUE" for each value, or "unlisted" if the
                                    file REFUSED does not allow that in the program NAME; then the
                                    counts
conventions.py listed TOLD SEEN LISTING
                                    prints the parameters that a probe has seen and the output of
                                    probec -L does not list, and those that it lists though they
                                    are refused; status 1 if there are any, or few functions
conventions.py ask VERDICT PROGRAM  prints a script with a probe for each refused value of VERDICT,
                                    which is an error
"""
import collections
import fnmatch
import re
import sys

# NAME, then VALUE=NUMBER; names of Rust and Go may have blanks.
LINE = re.compile(r'^(\S.*?)((?: \S+=\S+)*)$')


def read(path):
    """The calls in a file of lines: {NAME: [{VALUE: NUMBER}]}."""
    calls = collections.OrderedDict()
    for line in open(path, encoding='utf-8', errors='replace'):
        if line.startswith('#'):
            continue
        name, values = LINE.match(line.rstrip('\n')).groups()
        pairs = (word.rsplit('=', 1) for word in values.split())
        calls.setdefault(name, []).append(collections.OrderedDict(pairs))
    return calls


def point(program, name):
    """The probe point of a function or its return."""
    function, dot, _ = name.partition('.return')
    return f'process("{program}").function("{function}").{"return" if dot else "call"}'


def piece(value, told):
    """The statement that prints one value, as the program does: with decimals or without."""
    form = '%.3f' if '.' in told else '%d'
    return (f'if (@defined(${value})) {{ try {{ printf(" {value}={form}", ${value}) }} '
            f'catch {{ printf(" {value}=!") }} }} else {{ printf(" {value}=?") }}')


def script(told, program):
    """Prints the script; a function that isn't found is no error here."""
    for name, calls in read(told).items():
        print(f'probe {point(program, name)}? {{\n\tprintf("{name}")')
        values = collections.OrderedDict((v, call[v]) for call in calls for v in call)
        for value in values:
            print('\t' + piece(value, values[value]))
        print('\tprintf("\\n")\n}')


def compare(told, seen):
    """Yields (verdict, NAME, VALUE, detail) for each value, and for the number of calls."""
    for name, calls in told.items():
        hits = seen.get(name, [])
        if hits and len(hits) != len(calls):
            yield 'different', name, 'calls', f'{len(calls)}, seen {len(hits)}'
        for nth, call in enumerate(calls):
            for value, number in call.items():
                got = hits[nth].get(value, '?') if nth < len(hits) else '?'
                verdict = 'equal' if got == number else 'refused' if got == '?' else 'different'
                yield verdict, name, value, f'{number}, seen {got}'


def allowed(path, program):
    """The patterns of functions and values that may be refused in a program."""
    rows = (line.split() for line in open(path) if line.strip() and line[0] != '#')
    return [(name, values) for where, name, *values in rows
            if fnmatch.fnmatchcase(program, where)]


def is_allowed(rows, name, value):
    return any(fnmatch.fnmatchcase(name, row) and fnmatch.fnmatchcase(value, pattern)
               for row, patterns in rows for pattern in patterns)


def judge(told, seen, program, refused):
    """Prints what is refused and what differs."""
    rows = allowed(refused, program)
    counts, said = collections.Counter(), set()
    for verdict, name, value, detail in compare(read(told), read(seen)):
        counts[verdict] += 1
        if verdict == 'equal' or (verdict, name, value) in said:
            continue
        said.add((verdict, name, value))
        if verdict == 'different':
            print(verdict, name, f'{value}: {detail}')
        else:
            print('refused' if is_allowed(rows, name, value) else 'unlisted', name, value)
    print(*(f'{counts[v]} {v},' for v in ('equal', 'refused')), counts['different'], 'different')


def listing(path):
    """The parameters that -L lists: {NAME: {VALUE}}, without the types of parameters in NAME."""
    functions = {}
    for line in open(path):
        found = re.match(r'process\("[^"]*"\)\.function\("([^"@]*)[^"]*"\)(.*)', line)
        if found:
            name = re.sub(r'(?<!operator)\(.*', '', found.group(1))
            functions.setdefault(name, set()).update(re.findall(r' \$(\w+):', found.group(2)))
    return functions


def listed(told, seen, path):
    """Compares -L with what probes see of values that are no part of another one."""
    functions, wrong, known = listing(path), set(), set()
    for verdict, name, value, _ in compare(read(told), read(seen)):
        if name not in functions or not value.isidentifier() or value == 'calls':
            continue
        known.add(name)
        if (verdict == 'equal') != (value in functions[name]):
            not_ = "" if value in functions[name] else "not "
            wrong.add(f"{verdict} but {not_}listed: {name} {value}")
    print(*sorted(wrong), sep='\n')
    sys.exit(1 if wrong or len(known) < 10 else 0)


def ask(verdict, program):
    """Prints a script in which each probe uses a refused value."""
    for line in open(verdict):
        if line.startswith(('refused ', 'unlisted ')):
            name, value = line.split(' ', 1)[1].strip().rsplit(' ', 1)
            print(f'probe {point(program, name)} {{ println(${value}) }}')


if __name__ == '__main__':
    {'script': script, 'judge': judge, 'listed': listed, 'ask': ask}[sys.argv[1]](*sys.argv[2:])
