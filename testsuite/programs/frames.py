# SPDX-License-Identifier: GPL-2.0
"""frames.py [POINTS] - a program that knows its own stack: at each point it writes

    FUNCTION<tab>FILE<tab>LINE    for each of its frames, innermost first, then
    THREAD                        the number of its thread

and reads a byte from its standard input. The write() of the last line is what tests probe. It needs
nothing of later versions than 3.9."""
import functools
import os
import sys
import threading

try:
    import ctypes
except ImportError:     # a minimal installation
    ctypes = None

left = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 62


def stack(frame):
    lines = []
    while frame:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        lines.append("%s\t%s\t%d\n" % (name, code.co_filename, frame.f_lineno or 0))
        frame = frame.f_back
    return "".join(lines).encode("utf-8", "replace")


def out(text):
    while text:
        text = text[os.write(1, text):]


# All in one line: whoever looks while the program waits sees the line that the stack has.
def point(*ignored):
    global left; left -= 1; out(stack(sys._getframe())); os.write(1, b"%d\n" % threading.get_native_id()); os.read(0, 1); left or os._exit(0)
    return 0


def recurse(n):
    if n:
        return recurse(n - 1) + 1
    point()
    return 0


def generate(n):
    for i in range(n):
        point()
        yield i
    yield from inner()


def inner():
    point()
    yield 1


class Shape:
    def __init__(self, n=0):
        point()
        self.n = n

    def area(self):
        return self.side() * self.side()

    def side(self):
        point()
        return self.n

    @staticmethod
    def unit():
        point()
        return Shape.__new__(Shape)

    @property
    def name(self):
        point()
        return "shape"

    def __lt__(self, other):
        point()
        return self.n < other.n

    def __del__(self):
        if getattr(self, "n", 0) == 77:
            point()


def decorated(function):
    @functools.wraps(function)
    def around(*args, **named):
        return function(*args, **named)
    return around


@decorated
def wrapped(a, *, b=2):
    def closure():
        point()
        return a + b
    return closure()


def café(größe):
    point()


def 名前(データ):
    point()


def 𝔣𝔯𝔞𝔪𝔢():
    point()


def key(x):
    point()
    return -x


def calls_c():
    sorted([3, 1, 2], key=key)
    list(map(key, [1, 2]))
    min([Shape.__new__(Shape)], key=lambda s: point())
    sorted([made(2), made(1)])
    functools.reduce(lambda a, b: point(), [1, 2, 3])
    [point() for _ in range(2)]
    {k: point() for k in "a"}
    max(point(i) for i in range(2))


def made(n):
    shape = Shape.__new__(Shape)
    shape.n = n
    return shape


def calls_ctypes():
    if not ctypes:
        return
    libc = ctypes.CDLL(None)
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)

    @compare
    def compared(a, b):
        point()
        return 0
    libc.qsort((ctypes.c_int * 3)(3, 2, 1), 3, ctypes.sizeof(ctypes.c_int), compared)


async def awaited(n):
    if n:
        return await awaited(n - 1)
    point()


def runs_coroutine():
    try:
        awaited(3).send(None)
    except StopIteration:
        pass


def long_function():
    a = 1




















































































































































    b = 2
    point(
        a,
        b,
    )
    try:
        raise ValueError
    except ValueError:
        point()
    finally:
        point()
    with Manager():
        point()


class Manager:
    def __enter__(self):
        point()

    def __exit__(self, *ignored):
        point()


# Code objects that are freed, so that others get their memory.
def executes(n):
    for i in range(n):
        text = "\n" * (i % 7) + "def f%d():\n    point()\nf%d()\n" % (i % 11, i % 11)
        exec(compile(text, "<made %d>" % (i % 13), "exec"), {"point": point})
    eval("point()")


# More instructions than the entry of a table can tell.
exec(compile("def wide(point):\n" + "    x = (%s)\n" % " + ".join(["1", "len('a')"] * 300) +
             "    point()\n", "<wide>", "exec"))


def runs_threads():
    for target in (calls_c, lambda: recurse(5), lambda: list(generate(2))):
        thread = threading.Thread(target=target)
        thread.start()
        thread.join()


def spins():
    x = 0
    while True:
        x += 1


def all_points():
    recurse(7)
    list(generate(3))
    Shape(3).area()
    Shape.unit().name
    wrapped(1, b=3)
    café(1)
    名前(1)
    𝔣𝔯𝔞𝔪𝔢()
    calls_c()
    calls_ctypes()
    runs_coroutine()
    long_function()
    made(77)
    executes(20)
    wide(point)
    runs_threads()
    recurse(90)


all_points()
if "spin" in sys.argv:
    threading.Thread(target=spins, daemon=True).start()
while True:
    all_points()
