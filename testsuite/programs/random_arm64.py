# SPDX-License-Identifier: GPL-2.0
"""random_arm64.py SEED BLOCKS: what random_code.py does, for arm64. Those for which the kernel has
no breakpoints are not among the functions i_N. Return addresses are signed and authenticated where the processor does that, and
targets of indirect branches are marked as such."""
import random
import sys

REGS = list(range(31))       # x18, x29 and x30 as well
CONDITIONS = "eq ne cs cc mi pl vs vc hi ls ge lt gt le".split()
SCRATCH, ROOM = "scratch", 512

seed, blocks = int(sys.argv[1]), int(sys.argv[2])
choose = random.Random(seed)
pick = choose.choice
count = 0


class Block:
    """One block: `base` points into the scratch memory, and nothing writes to it."""

    def __init__(self, number):
        self.number, self.depth, self.subs = number, [], []
        self.base = pick([r for r in REGS if r != 30])
        self.free = [r for r in REGS if r != self.base]

    def emit(self, text):
        global count
        label = f"i_{count}"
        count += 1
        print(f"\t.type {label}, @function\n{label}:\t{text}\n\t.size {label}, . - {label}")

    def reg(self, size=8):
        return f"{'x' if size == 8 else 'w'}{pick(self.free)}"

    def any(self, size=8):
        """An operand: zero now and then."""
        letter = "x" if size == 8 else "w"
        return letter + ("zr" if choose.randrange(12) == 0 else str(pick(REGS)))

    def to(self, size=8):
        """A result, which nobody wants now and then."""
        return ("xzr" if size == 8 else "wzr") if choose.randrange(12) == 0 else self.reg(size)

    def shift(self, size, kinds):
        if choose.randrange(3) == 0:
            return ""
        return f", {pick(kinds)} #{choose.randrange(8 * size)}"

    def arithmetic(self):
        size = pick([4, 8])
        op = pick(["add", "sub", "adds", "subs"])
        if choose.randrange(2):
            high = pick(["", "", ", lsl #12"])
            source = pick([self.reg(size), "sp" if size == 8 else "wsp"])
            to = self.to(size) if op[-1] == "s" else self.reg(size)
            self.emit(f"{op} {to}, {source}, #{choose.randrange(4096)}{high}")
        else:
            self.emit(f"{op} {self.to(size)}, {self.any(size)}, {self.any(size)}"
                      f"{self.shift(size, ['lsl', 'lsr', 'asr'])}")

    def compare(self):
        size = pick([4, 8])
        equal = self.any(size)
        self.emit(pick([
            f"cmp {self.reg(size)}, #{choose.randrange(4096)}", f"cmp {equal}, {equal}",
            f"cmp {self.any(size)}, {self.any(size)}", f"cmn {self.reg(size)}, #1",
            f"tst {self.any(size)}, {self.any(size)}",
        ]))

    def logic(self):
        size = pick([4, 8])
        op = pick("and orr eor ands bic orn eon bics".split())
        self.emit(f"{op} {self.to(size)}, {self.any(size)}, {self.any(size)}"
                  f"{self.shift(size, ['lsl', 'lsr', 'asr', 'ror'])}")

    def moves(self):
        size = pick([4, 8])
        wide = f", lsl #{16 * choose.randrange(size // 2)}"
        self.emit(pick([
            f"mov {self.reg(size)}, {self.any(size)}", f"mvn {self.reg(size)}, {self.any(size)}",
            f"{pick(['movz', 'movn', 'movk', 'movk'])} {self.to(size)}, "
            f"#{choose.randrange(1 << 16)}{wide}",
            f"mov {self.reg()}, sp", f"neg {self.reg(size)}, {self.any(size)}",
            f"adr {self.to()}, . + {choose.randrange(-1 << 20, 1 << 20)}",
            f"adrp {self.to()}, {SCRATCH} + {choose.randrange(-1 << 30, 1 << 30)}",
        ]))

    def field(self):
        size = pick([4, 8])
        first, last = choose.randrange(8 * size), choose.randrange(8 * size)
        self.emit(pick([
            f"{pick(['sbfm', 'ubfm', 'ubfm', 'bfm'])} {self.to(size)}, {self.any(size)}, "
            f"#{first}, #{last}",
            f"sxtw {self.reg()}, {self.any(4)}", f"uxtb {self.reg(4)}, {self.any(4)}",
            f"{pick(['lsl', 'lsr', 'asr'])} {self.to(size)}, {self.any(size)}, #{first}",
            f"{pick(['sxtb', 'sxth'])} {self.reg(size)}, {self.any(4)}",
        ]))

    def others(self):
        """The kernel carries these out, or the processor does elsewhere."""
        size = pick([4, 8])
        base, at = f"x{self.base}", choose.randrange(ROOM // 8)
        self.emit(pick([
            f"madd {self.reg(size)}, {self.any(size)}, {self.any(size)}, {self.any(size)}",
            f"udiv {self.reg(size)}, {self.any(size)}, {self.any(size)}",
            f"csel {self.reg(size)}, {self.any(size)}, {self.any(size)}, {pick(CONDITIONS)}",
            f"ldr {self.reg()}, [{base}, #{8 * (at % 32)}]",
            f"str {self.any()}, [{base}, #{8 * (at % 32)}]",
            f"stp {self.any()}, {self.any()}, [sp, #-{16 + at // 16 * 16}]",
            f"ldp {self.pair()}, [{base}, #-{8 * (at % 16) + 16}]",
            f"ror {self.reg(size)}, {self.any(size)}, #{at % (8 * size)}",
            f"and {self.reg()}, {self.any()}, #0xff00ff00ff00ff00",
            f"adc {self.reg(size)}, {self.any(size)}, {self.any(size)}",
            f"fmov d{at % 32}, {self.any()}", f"fmov {self.reg()}, d{at % 32}",
        ]))

    def pair(self):
        return "x{}, x{}".format(*choose.sample(self.free, 2))

    def nothing(self):
        self.emit(pick(["nop", "bti", "bti c", "bti j", "bti jc"]))

    def set_flags(self):
        reg = self.reg()
        self.emit(f"mov {reg}, #{choose.randrange(16) << 28}")
        print(f"\tmsr nzcv, {reg}")

    def push(self):
        by = 16 * choose.randrange(1, 5)
        self.emit(pick([
            f"stp {self.any()}, {self.any()}, [sp, #-{by}]!", f"stp x29, x30, [sp, #-{by}]!",
            f"str {self.any()}, [sp, #-{by}]!", f"sub sp, sp, #{by}",
        ]))
        self.depth.append(by)

    def pop(self):
        by = self.depth.pop()
        self.emit(pick([f"ldp {self.pair()}, [sp], #{by}", f"add sp, sp, #{by}",
                        f"ldr {self.reg()}, [sp], #{by}",
                        f"stp {self.any()}, {self.any()}, [sp, #{by}]!"]))

    def stack(self):
        if self.depth and choose.randrange(2):
            self.pop()
        elif len(self.depth) < 12:
            self.push()

    def sign(self):
        key, far = pick("ab"), f".Lfar_{count}"
        self.emit(f"adr x30, {far}")
        self.emit(f"paci{key}sp")
        if choose.randrange(2):
            self.emit(f"mov {self.reg(4)}, {self.any(4)}" if 30 not in self.free else "nop")
        print(f"\tauti{key}sp")
        print(f"{far}:")

    def jump(self):
        far = f".Lfar_{count}"
        self.emit(pick([
            f"b.{pick(CONDITIONS)} {far}", f"b {far}",
            f"{pick(['cbz', 'cbnz'])} {self.any(pick([4, 8]))}, {far}",
            f"{pick(['tbz', 'tbnz'])} {self.any()}, #{choose.randrange(64)}, {far}",
        ]))
        print(f"\teor {self.reg()}, {self.any()}, {self.any()}, lsl #7\n{far}:")

    def jump_indirect(self):
        far, at = f".Lfar_{count}", pick([r for r in self.free if r != 30])
        print(f"\tadr x{at}, {far}")
        self.emit(f"br x{at}")
        print(f"\tudf #0\n{far}:")
        self.emit(pick(["bti j", "bti jc"]))

    def call(self):
        sub = f".Lsub_{count}"
        if choose.randrange(2):
            self.emit(f"bl {sub}")
        else:
            at = pick([r for r in self.free if r != 30])
            print(f"\tadr x{at}, {sub}")
            self.emit(f"blr x{at}")
        self.subs.append(sub)

    def write(self, instructions):
        kinds = [self.arithmetic, self.logic, self.moves, self.field] * 3 + [
            self.stack, self.jump, self.others] * 2 + [
            self.compare, self.set_flags, self.nothing, self.jump_indirect, self.call, self.sign]
        print(f"\t.globl block_{self.number}\nblock_{self.number}:\tbti c")
        for at in range(19, 31, 2):
            print(f"\tstp x{at}, x{at + 1}, [sp, #-16]!" if at < 30 else "")
        for at in range(8, 16, 2):
            print(f"\tstp d{at}, d{at + 1}, [sp, #-16]!")
        print("\tadrp x0, saved\n\tmov x1, sp\n\tstr x1, [x0, #:lo12:saved]")
        print("\tadrp x0, state_flags\n\tldr x1, [x0, #:lo12:state_flags]\n\tmsr nzcv, x1")
        print("\tadrp x0, stack + 2048\n\tadd x0, x0, #:lo12:stack + 2048\n\tmov sp, x0")
        print("\tadrp x30, state\n\tadd x30, x30, #:lo12:state")
        for at in range(32):
            print(f"\tldr d{at}, [x30, #{8 * (at % 31)}]")
        for at in range(31):
            print(f"\tldr x{at}, [x30, #{8 * at}]")
        print(f"\tadrp x{self.base}, {SCRATCH} + 256\n"
              f"\tadd x{self.base}, x{self.base}, #:lo12:{SCRATCH} + 256")
        for _ in range(instructions):
            pick(kinds)()
        while self.depth:
            self.pop()
        # All but x30 and two more, which are written to the stack first.
        print("\tstp x29, x30, [sp, #-16]!\n\tadrp x30, state\n\tadd x30, x30, #:lo12:state")
        for at in range(29):
            print(f"\tstr x{at}, [x30, #{8 * at}]")
        print("\tldp x0, x1, [sp], #16\n\tstp x0, x1, [x30, #232]")
        print("\tmrs x0, nzcv\n\tadrp x1, state_flags\n\tstr x0, [x1, #:lo12:state_flags]")
        print("\tmov x0, sp\n\tadrp x1, state_sp\n\tstr x0, [x1, #:lo12:state_sp]")
        print("\tadrp x0, saved\n\tldr x1, [x0, #:lo12:saved]\n\tmov sp, x1")
        for at in range(14, 6, -2):
            print(f"\tldp d{at}, d{at + 1}, [sp], #16")
        for at in range(29, 18, -2):
            print(f"\tldp x{at}, x{at + 1}, [sp], #16")
        print("\tret")
        self.free = [r for r in self.free if r != 30]
        for sub in self.subs:
            print(f"{sub}:")
            self.depth = []
            signed = choose.randrange(3) == 0
            self.emit("paciasp" if signed else pick(["bti c", "bti jc"]))
            self.emit("stp x29, x30, [sp, #-32]!")
            for kind in choose.sample([self.arithmetic, self.logic, self.moves], 2):
                kind()
            self.emit(f"ldp x{pick(self.free)}, x30, [sp], #32")
            if signed:
                print("\tautiasp\n\tstp xzr, xzr, [sp, #-32]")
            self.emit("ret")


print("\t.arch armv8.5-a\n\t.text\n\t.balign 4096\n\t.globl blocks_begin\nblocks_begin:")
for number in range(blocks):
    Block(number).write(16)
print("\t.balign 4096\n\t.globl blocks_end\nblocks_end:\tnop")
print("\t.section .rodata\n\t.balign 8\n\t.globl blocks, block_count\nblocks:")
for number in range(blocks):
    print(f"\t.quad block_{number}")
print(f"block_count:\t.quad {blocks}\n\t.section .note.GNU-stack, \"\"")
