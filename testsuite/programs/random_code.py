# SPDX-License-Identifier: GPL-2.0
"""random_code.py SEED BLOCKS: writes assembly with blocks of random instructions, each of which is
a function of its own, i_N, so that each can be probed. random_code.c runs the blocks and shows what
they leave in registers, in memory and on their stack. An instruction runs once each time that its
block runs; those named r_N are repeated by the processor, and count as often as they are. The
kernel has no breakpoints for those named c_N, which begin with a segment's prefix."""
import random
import sys

REGS = ["rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi"] + [f"r{n}" for n in range(8, 16)]
LOW = {"rax": "al", "rcx": "cl", "rdx": "dl", "rbx": "bl", "rbp": "bpl", "rsi": "sil", "rdi": "dil"}
SUFFIX = {1: "b", 2: "w", 4: "l", 8: "q"}
CONDITIONS = "o no b ae e ne be a s ns p np l ge le g".split()
STATE, SCRATCH, ROOM = "state", "scratch", 512

seed, blocks = int(sys.argv[1]), int(sys.argv[2])
choose = random.Random(seed)
pick = choose.choice
count = 0


def name(reg, size):
    """The register's name as an operand of so many bytes."""
    if reg[1].isdigit():
        return "%" + reg + {1: "b", 2: "w", 4: "d", 8: ""}[size]
    if size == 1:
        return "%" + LOW[reg]
    return "%" + {2: reg[1:], 4: "e" + reg[1:], 8: reg}[size]


class Block:
    """One block: `base` points into the scratch memory and `index` is small, and nothing writes to
    either of them."""

    def __init__(self, number):
        self.number, self.depth, self.subs = number, 0, []
        self.base, self.index = choose.sample(REGS, 2)
        self.free = [r for r in REGS if r not in (self.base, self.index)]

    def emit(self, text, kind="i"):
        global count
        label = f"{kind}_{count}"
        count += 1
        print(f"\t.type {label}, @function\n{label}:\t{text}\n\t.size {label}, . - {label}")

    def reg(self, size=8):
        return name(pick(self.free), size)

    def any(self, size=8):
        return name(pick(REGS), size)

    def memory(self):
        at = choose.randrange(ROOM)
        base, index = "%" + self.base, "%" + self.index
        return pick([
            f"{SCRATCH}+{at}(%rip)", f"{at - 256}({base})", f"({base})", f"({base},{index})",
            f"{at // 4 - 64}({base},{index},{pick([2, 4, 8])})", f"{-16 - at % 112}(%rsp)",
            f"{SCRATCH}+{at // 2}(,{index},8)", f"{at % 64 + 64}(%rsp)",
        ])

    def immediate(self, size):
        bits = pick([3, 7, 8, 15, 31]) if size > 2 else pick([3, 7, 8 * size - 1])
        return f"${choose.randrange(-1 << bits, 1 << bits) if bits < 31 or size > 2 else 1}"

    def arithmetic(self):
        size, op = pick([1, 2, 4, 8]), pick("add or adc sbb and sub xor cmp test mov".split())
        source, to = self.any(size), self.reg(size)
        if choose.randrange(3) == 0:
            source = self.immediate(size)
        elif choose.randrange(3) == 0:
            to = self.memory()
        elif choose.randrange(3) == 0 and op != "test":
            source = self.memory()
        form = pick(["{load} ", "{store} "]) if source[0] == to[0] == "%" else ""
        self.emit(f"{form}{op}{SUFFIX[size]} {source}, {to}")

    def lea(self):
        size = pick([4, 8])
        at = pick([self.memory(), f"{choose.randrange(-1 << 31, 1 << 31)}(%rip)",
                   f"{choose.randrange(-128, 128)}({self.any()},{self.any()},{pick([1, 2, 4, 8])})",
                   f"({self.any()})", f"{choose.randrange(1 << 31)}(,{self.any()},4)"])
        self.emit(f"lea{SUFFIX[size]} {at}, {self.reg(size)}")

    def single(self):
        size, op = pick([1, 2, 4, 8]), pick("inc dec neg not".split())
        self.emit(f"{op}{SUFFIX[size]} {pick([self.reg(size), self.memory()])}")

    def shift(self):
        size, op = pick([1, 2, 4, 8]), pick("shl shr sar rol ror".split())
        self.emit(f"{op}{SUFFIX[size]} $1, {pick([self.reg(size), self.memory()])}")

    def moves(self):
        to = pick([4, 8])
        self.emit(pick([
            f"movzb{SUFFIX[to]} {pick([self.any(1), self.memory()])}, {self.reg(to)}",
            f"movsw{SUFFIX[to]} {pick([self.any(2), self.memory()])}, {self.reg(to)}",
            f"movslq {pick([self.any(4), self.memory()])}, {self.reg()}",
            f"cmov{pick(CONDITIONS)} {pick([self.any(), self.memory()])}, {self.reg()}",
            f"set{pick(CONDITIONS)} {pick([self.reg(1), self.memory()])}",
            f"movl {self.immediate(4)}, {self.reg(4)}", f"movq {self.immediate(8)}, {self.reg()}",
            f"movabs ${choose.randrange(1 << 64)}, {self.reg()}",
            f"bswap {self.reg(pick([4, 8]))}", f"xchg {self.reg()}, {self.reg()}",
            f"xadd {self.reg()}, {self.memory()}", f"bt ${choose.randrange(64)}, {self.any()}",
            f"imul {self.immediate(4)}, {self.any()}, {self.reg()}",
            f"cmpxchg {self.reg()}, {self.memory()}", f"crc32q {self.memory()}, {self.reg()}",
            f"movsbq {self.memory()}, {self.reg()}", f"xchg {self.memory()}, {self.reg()}",
            "stc", "clc", "cmc", "cld", "cltq", "cwtl", "cqto", "lahf", "sahf",
        ] if {"rax", "rdx"} <= set(self.free) else [f"movq {self.any()}, {self.reg()}"]))

    def nothing(self):
        self.emit(*pick([
            ("nop",), ("data16 nop",), ("endbr64",), ("pause",), (f"nopl {self.memory()}",),
            (f"nopw {self.memory()}",), ("xchg %r8, %r8",), ("nopw %cs:0x200(%rax,%rax,1)", "c"),
            (".byte 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0", "c"),
        ]))

    def push(self):
        self.emit("push " + pick([self.any(), "%rsp", self.immediate(4), self.memory()]))
        self.depth += 1

    def pop(self):
        self.emit("pop " + self.reg())
        self.depth -= 1

    def set_flags(self):
        self.emit(f"push ${pick([0x246, 0x2d7, 0xac7, 0xa02, 0x202])}")
        self.emit("popfq")

    def stack(self):
        if self.depth and choose.randrange(2):
            self.pop()
        elif self.depth < 12:
            self.push()

    def jump(self):
        """Over an instruction that isn't probed, or not."""
        far = f".Lfar_{count}"
        form = pick(["", "{disp32} "])
        where = pick([f"j{pick(CONDITIONS)} {far}", f"jmp {far}", f"jrcxz {far}"])
        if where.startswith("jrcxz"):
            form = ""
        self.emit(form + where)
        print(f"\tleaq 0x55({self.any()}), {self.reg()}\n{far}:")

    def jump_indirect(self):
        far = f".Lfar_{count}"
        where = f"*{far}_at(%rip)"
        if choose.randrange(2):
            where = self.reg()
            print(f"\tleaq {far}(%rip), {where}")
            where = "*" + where
        self.emit(f"jmp {where}")
        print(f"\tud2\n{far}:\n\t.pushsection .data\n{far}_at:\t.quad {far}\n\t.popsection")

    def call(self):
        sub = f".Lsub_{count}"
        print(f"\t.pushsection .data\n{sub}_at:\t.quad {sub}\n\t.popsection")
        # The red zone of a block is not that of what it calls.
        self.emit(f"call {pick([sub, f'*{sub}_at(%rip)'])}")
        self.subs.append(sub)

    def repeated(self):
        if not {"rcx", "rsi", "rdi", "rax"} <= set(self.free):
            return
        self.emit(f"lea {SCRATCH}+{choose.randrange(ROOM // 2)}(%rip), %rdi")
        self.emit(f"lea {SCRATCH}+{choose.randrange(ROOM // 2)}(%rip), %rsi")
        self.emit(f"mov ${choose.randrange(4)}, %ecx")
        self.emit("cld")
        self.emit(pick(["rep stosb", "rep movsq", "repe cmpsb", "repne scasb"]), "r")

    def vector(self):
        a, b = choose.randrange(16), choose.randrange(16)
        self.emit(pick([
            f"movq {self.any()}, %xmm{a}", f"movq %xmm{a}, {self.reg()}",
            f"movdqu {self.memory()}, %xmm{a}", f"movdqu %xmm{a}, {self.memory()}",
            f"paddq %xmm{b}, %xmm{a}", f"pxor %xmm{b}, %xmm{a}", f"movq {self.memory()}, %xmm{a}",
            f"pshufd $0x1b, %xmm{b}, %xmm{a}", f"punpcklbw %xmm{b}, %xmm{a}",
        ]))

    def write(self, instructions):
        kinds = [self.arithmetic] * 8 + [self.lea, self.moves, self.stack, self.jump] * 2 + [
            self.set_flags, self.single, self.shift, self.nothing, self.jump_indirect, self.call, self.repeated,
            self.vector]
        print(f"\t.globl block_{self.number}\nblock_{self.number}:")
        for reg in ["rbx", "rbp", "r12", "r13", "r14", "r15"]:
            print(f"\tpush %{reg}")
        print(f"\tmov %rsp, saved(%rip)\n\tpush {STATE}_flags(%rip)\n\tpopfq")
        for at in range(16):
            print(f"\tmovq {STATE}+{8 * (at % len(REGS))}(%rip), %xmm{at}")
        for at, reg in enumerate(REGS):
            print(f"\tmov {STATE}+{8 * at}(%rip), %{reg}")
        print(f"\tlea {SCRATCH}+256(%rip), %{self.base}\n\tmovzbl small(%rip), "
              f"{name(self.index, 4)}\n\tlea stack+2048(%rip), %rsp")
        for _ in range(instructions):
            pick(kinds)()
        while self.depth:
            self.pop()
        for at, reg in enumerate(REGS):
            print(f"\tmov %{reg}, {STATE}+{8 * at}(%rip)")
        print(f"\tpushfq\n\tpop {STATE}_flags(%rip)\n\tmov %rsp, {STATE}_sp(%rip)")
        print("\tmov saved(%rip), %rsp\n\tcld")
        for reg in ["r15", "r14", "r13", "r12", "rbp", "rbx"]:
            print(f"\tpop %{reg}")
        print("\tret")
        for sub in self.subs:
            print(f"{sub}:")
            self.depth = 0
            for kind in choose.sample([self.arithmetic, self.lea, self.vector], 2):
                kind()
            self.emit(pick(["ret", "repz ret", "bnd ret"]))


print("\t.text")
for number in range(blocks):
    Block(number).write(16)
print("\t.section .rodata\n\t.globl blocks, block_count\nblocks:")
for number in range(blocks):
    print(f"\t.quad block_{number}")
print(f"block_count:\t.quad {blocks}\n\t.section .note.GNU-stack, \"\"")
