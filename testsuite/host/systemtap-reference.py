#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""systemtap-reference.py PAGES DOC PROBEC TARGET... - prints what SystemTap's reference has, by its
man pages in PAGES, and neither functions.md in DOC nor the aliases on each target, and
missing-library.md does not list. Status 1 if there is something."""
import fnmatch
import glob
import gzip
import os
import re
import subprocess
import sys

# A page of this manual without a synopsis, or not about a function that scripts call.
NO_FUNCTION = {'-', 'MKDEF', 'fp_div', 'sa_handler'}
# Stacks are values here, and strings where a string is required (doc/language.md, Stacks).
SAME_TYPE = {('string', 'stack')}


def sections(page):
    """The lines of a man page by section."""
    with gzip.open(page, 'rt', errors='replace') as lines:
        text = lines.read().replace('\\&', '').replace('\\-', '-')
    found = {}
    for part in re.split(r'^\.SH +', text, flags=re.M)[1:]:
        title, _, rest = part.partition('\n')
        found[title.strip('" ')] = rest.split('\n')
    return found


def pages(directory, kind):
    """The name and the sections of each page function::NAME or probe::NAME. One in the manual of
    SystemTap 5.1 has no name, and says nothing."""
    suffix = '.3stap.gz'
    for page in sorted(glob.glob(os.path.join(directory, kind + '::?*' + suffix))):
        yield os.path.basename(page)[len(kind) + 2:-len(suffix)], sections(page)


def arguments(text):
    return [word for word in (part.strip() for part in text.split(',')) if word]


class Missing:
    """What missing-library.md lists. In its first columns `.b` after `a.x` is a.b, and `f(x, y)` is f
    with two parameters; an alias that is missing is missing with .return. A table with "variables"
    as its second column lists those that the aliases of the first one lack."""

    def __init__(self, document):
        self.patterns = []
        by_variable = False
        with open(document) as lines:
            for line in lines:
                columns = line.split('|')[1:]
                if line.startswith('| alias'):
                    by_variable = columns[1].strip() == 'variables'
                elif line.startswith('|'):
                    names = self.names(columns[0])
                    if by_variable:
                        names = [name + ' ' + value for name in names
                                 for value in self.names(columns[1])]
                    self.patterns += names
        assert len(self.patterns) > 60, 'missing-library.md has other tables'

    @staticmethod
    def names(column):
        names = []
        for name in re.findall('`([^`]+)`', column):
            if name.startswith('.'):
                name = names[-1].rpartition('.')[0] + name
            function, _, rest = name.partition('(')
            names.append('%s/%d' % (function, len(arguments(rest))) if rest else name)
        return names

    def has(self, name):
        names = {name, name[:-len('.return')] if name.endswith('.return') else name}
        return any(fnmatch.fnmatchcase(one, pattern)
                   for one in names for pattern in self.patterns)


def entries(document, pattern):
    """The matches of the pattern with lines of functions.md."""
    with open(document) as lines:
        yield from filter(None, (re.match(pattern, line) for line in lines))


def our_functions(document):
    found = {}
    for match in entries(document, r'- `(\w+)(?::(\w+))?\(([^)]*)\)`'):
        found.setdefault(match[1], []).append((match[2], len(arguments(match[3]))))
    return found


def check_function(name, synopsis, ours, missing):
    for line in synopsis:
        match = re.match(r'\s*(?:\d+\)\s*)?(\w+)(?::(\w+))?\(([^)]*)\)', line)
        if not match or match[1] in NO_FUNCTION:
            continue
        count = len(arguments(match[3]))
        if missing.has(match[1]) or missing.has('%s/%d' % (match[1], count)):
            continue
        types = [kind for kind, number in ours.get(match[1], []) if number == count]
        if not types:
            yield 'function %s: not with %d parameters' % (match[1], count)
        elif match[2] and match[2] not in types and (match[2], types[0]) not in SAME_TYPE:
            yield 'function %s: %s, not %s' % (match[1], types[0], match[2])


def our_aliases(probec, target, families):
    found = {}
    for family in sorted(families):
        run = subprocess.run([probec, '--no-config', '-r', target, '-L', family + '**'],
                             capture_output=True, text=True)
        for line in run.stdout.split('\n'):
            words = line.split()
            if words:
                found[words[0]] = {word.partition(':')[0] for word in words[1:]}
    return found


def documented_aliases(document):
    """The aliases that functions.md has, with the words of what it says about each."""
    return {match[1]: set(re.findall(r'\w+', match[2]))
            for match in entries(document, r'- `probe ([\w.]+)`: (.*)')}


def system_calls(directory):
    """The aliases of the page about system calls, and their variables: a line for each, behind its
    name. Types of variables with $ stand there, too."""
    with gzip.open(os.path.join(directory, 'tapset::syscalls.3stap.gz'), 'rt') as page:
        text = page.read()
    for name, names in re.findall(r'^\.B (syscall\.\w+)\n(.*)', text, flags=re.M):
        yield name, [value for value in re.findall(r'(?<!\$)\b\w+\b(?!\*)', names)
                     if value not in ('int', 'struct')]


def variables(lines):
    """The names in the list of values: each is in italics after a line .PP."""
    for before, line in zip(lines, lines[1:]):
        match = re.match(r'\\fI(\w+)\\fR$', line)
        if match and before == '.PP':
            yield match[1]


def main():
    directory, documents, probec, *targets = sys.argv[1:]
    missing = Missing(os.path.join(documents, 'missing-library.md'))
    ours = our_functions(os.path.join(documents, 'functions.md'))
    described = documented_aliases(os.path.join(documents, 'functions.md'))
    said = []
    functions = [page for page in pages(directory, 'function') if page[0] not in NO_FUNCTION]
    for name, parts in functions:
        said += check_function(name, parts.get('SYNOPSIS', []), ours, missing)
    probes = [(name, list(variables(parts.get('VALUES', []))))
              for name, parts in pages(directory, 'probe')]
    calls = list(system_calls(directory))
    assert len(functions) > 350 and len(probes) > 250 and len(calls) > 300, 'other pages'
    probes += calls
    values = 0
    for target in targets:
        aliases = our_aliases(probec, target, {name.split('.')[0] for name, _ in probes})
        # A family of markers is listed only where its program is installed.
        here = {name.split('.')[0] for name in aliases}
        aliases.update((name, words) for name, words in described.items()
                       if name.split('.')[0] not in here)
        for name, documented in probes:
            if missing.has(name):
                continue
            if name not in aliases:
                said.append('%s: no alias %s' % (os.path.basename(target), name))
                continue
            for value in documented:
                values += 1
                if value not in aliases[name] and not missing.has(name + ' ' + value):
                    said.append('%s: %s: no %s' % (os.path.basename(target), name, value))
    assert values > 2000, 'the values are not found'
    print('\n'.join(said))
    return 1 if said else 0


sys.exit(main())
