# SPDX-License-Identifier: GPL-2.0
"""linetables.py [N] - writes the tables of lines of the standard library's code, of every N-th
module, with the lines that the interpreter finds by them: beside/linetables.c reads that."""
import ctypes
import os
import sys
import sysconfig
import types

every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
version = sys.version_info[0] * 100 + sys.version_info[1]
line_of = ctypes.pythonapi.PyCode_Addr2Line
line_of.argtypes = [ctypes.py_object, ctypes.c_int]


def write(code):
    table = code.co_linetable if version >= 310 else code.co_lnotab
    lines = [max(line_of(code, at), 0) for at in range(0, len(code.co_code), 2)]
    sys.stdout.write("%d %d %s %s\n" % (version, code.co_firstlineno, table.hex() or "-",
                                        " ".join(map(str, lines))))
    for it in code.co_consts:
        if isinstance(it, types.CodeType):
            write(it)


def modules():
    for folder, folders, files in sorted(os.walk(sysconfig.get_path("stdlib"))):
        folders[:] = sorted(it for it in folders if it not in ("site-packages", "lib2to3"))
        for name in sorted(files):
            if name.endswith(".py"):
                yield os.path.join(folder, name)


for number, path in enumerate(modules()):
    if number % every:
        continue
    with open(path, "rb") as source:
        try:
            write(compile(source.read(), path, "exec"))
        except (SyntaxError, ValueError):   # a file that tests errors
            pass
