# SPDX-License-Identifier: GPL-2.0
"""subinterpreter.py - a thread that runs code in another interpreter, which writes its stack at each
point as frames.py does, where only its own frames are."""
import sys

try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

CODE = '''
import os, sys, threading

def stack(frame):
    lines = []
    while frame:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        lines.append("%s\\t%s\\t%d\\n" % (name, code.co_filename, frame.f_lineno or 0))
        frame = frame.f_back
    return "".join(lines).encode()

def point():
    os.write(1, stack(sys._getframe()) + b"%d\\n" % threading.get_native_id()); os.read(0, 1)

def recurse(n):
    recurse(n - 1) if n else point()

while True:
    recurse(3)
    sorted([2, 1], key=lambda x: recurse(1) or x)
'''


def outer():
    other = interpreters.create()
    if hasattr(interpreters, "run_string"):
        interpreters.run_string(other, CODE)
    else:
        interpreters.exec(other, CODE)


outer()
