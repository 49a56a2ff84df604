# SPDX-License-Identifier: GPL-2.0
# calls.py PROGRAM <STACKS - judges stacks that "walked" prints after "changed:", with other means
# than it has: each frame but the innermost ends a call of the function of the frame before it, or a
# call through a register. Prints how many calls of the first kind there were. Used by
# host/unwind-walks.
import bisect
import re
import subprocess
import sys

functions, calls = [], {}
for line in subprocess.run(['objdump', '-d', '--no-show-raw-insn', sys.argv[1]], text=True,
                           stdout=subprocess.PIPE, check=True).stdout.splitlines():
    if (head := re.match(r'([0-9a-f]+) <(.*)>:$', line)):
        functions.append((int(head[1], 16), head[2]))
        ended = None
    elif (code := re.match(r' +([0-9a-f]+):\t(\S+) *(.*)', line)):
        if ended is not None:
            calls[int(code[1], 16)] = ended
        ended = code[3] if code[2] == 'call' else None

def name(address):
    i = bisect.bisect_right(functions, (address, '\x7f')) - 1
    return functions[i][1] if i >= 0 else '?'

# Functions that end in a jump: to what they are to call, where no stack has to be changed; and
# where C is called.
JUMPS = ('runtime.systemstack', 'runtime.asmcgocall_landingpad', 'runtime.morestack_noctxt')
# A function for one calling convention jumps to the one for the other.
def plain(function):
    return function.removesuffix('.abi0')

def may_lead_to(target, function):
    called = plain(re.sub(r'^[0-9a-f]+ <(.*?)(\+0x[0-9a-f]+)?>.*', r'\1', target))
    return called == plain(function) or called in JUMPS or \
        called.startswith('runtime.gcWriteBarrier')

direct = wrong = 0
stack = None
for line in sys.stdin:
    words = line.split()
    if not line.startswith('  '):
        stack = [] if line == 'changed:\n' else None
    elif stack is not None:
        stack.append(int(words[2], 16))
        if len(stack) < 2 or not stack[-1] or not stack[-2]:
            continue
        caller, callee = stack[-1], stack[-2]
        # Signals, and frames that Go's runtime makes, which nobody calls.
        if '?' in (name(caller), name(callee)) or plain(name(caller)) in ('runtime.goexit', 'runtime.systemstack_switch') or \
                plain(name(callee)) == 'runtime.systemstack_switch':
            continue
        target = calls.get(caller, 'nothing')
        if target.startswith('*'):
            continue
        direct += 1
        if not may_lead_to(target, name(callee)):
            wrong += 1
            print(f'{name(callee)} is not called before {caller:x} in {name(caller)}: {target}')
print(f'{direct} calls, {wrong} wrong')
