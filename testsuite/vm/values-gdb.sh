# SPDX-License-Identifier: GPL-2.0
# Variables at all lines of programs in C and C++, in their functions and inlined copies, without
# and with optimisation, by gcc and, where it is installed, clang, compared with what gdb reads at
# the same instructions: numbers, and structures, arrays, bit-fields, enums, unions, classes with
# bases and references, whole and by members.
#@ needs: gdb g++
programs='' # SOURCE-COMPILER-LEVEL
build_one() { # COMPILER LEVEL
	local source=values.c version=gnu11 name
	case $1 in *++) source=shapes.cc version=gnu++17 ;; esac
	name=${source%.*}-$1-$2
	"$1" -std=$version -w -no-pie -O"$2" -g -o "$name" "$TOP/testsuite/programs/$source" \
		2>log || fail "$name" log
	programs="$programs $name"
}
for level in 0 2; do
	build_one gcc $level
	build_one g++ $level
done
build_one gcc s
build_one g++ 1
for level in 0 2; do
	! command -v clang++ >/dev/null || build_one clang++ $level
done
run() { env -u PROBEC_DEBUGINFO "$PROBEC" -r "$TARGET" "$@"; }

# Members, by the functions that have the variables.
cat >members <<'END'
work p->id p->flags p->wide p->colour p->inner[1]->s p->inner[0]->b[3] p->next->id p->u->i p->u->c[0] list[2]->flags
sum p->id p->inner[0]->s p->wide
by_reference one->corner[1]->y one->grid[1][2] one->many[6] one->w->p->x one->c one->s one->b->low one->b->mid one->b->wide one->b->top
by_reference one->b->yes one->inside one->first one->second one->next one->ref->x next->b->mid next->c shape->id shape->kind row[1] grid[1][0]
by_value p->x p->y w->i w->c[1] w->p->y b->low b->mid b->wide b->top b->yes list[1]->x
twice this->id this->kind this->flags this->tag[2] this->value this->where->x by->x by->y
area this->id this->kind this->flags this->tag[1] this->value this->where->y
pick corner->x corner->y w->i w->c[0] from->corner[1]->y from->b->wide from->ref->y
END

# A probe at each line prints what is known there, one value a line: ADDRESS EXPRESSION@FUNCTION=
# VALUE, or "!" where a pointer leads nowhere.
cat >script.awk <<'END'
function show(name, format, value) {
	values = values sprintf(" if (@defined(%s)) try { printf(\"%%x %s@%s=%s\\n\", uaddr(), %s) } catch { printf(\"%%x %s@%s=!\\n\", uaddr()) }",
				value, name, f, format, value, name, f)
}
BEGIN { split("$$parms $$locals $$vars", words) }
FILENAME == "members" { for (i = 2; i <= NF; i++) members[$1] = members[$1] " " $i; next }
{
	point = $0; sub(/ [$].*/, "", point); sub(/^.*\)\.statement/, "statement", point)
	# "statement("ns::work(int)@FILE:LINE")"
	f = point; sub(/^[^"]*"/, "", f); sub(/[(@].*/, "", f); sub(/.*::/, "", f)
	values = ""
	rest = $0
	while (match(rest, /\$[A-Za-z_0-9]+:[^$]*/)) {
		one = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
		name = one; sub(/:.*/, "", name); type = one; sub(/^[^:]*:/, "", type); sub(/ +$/, "", type)
		if (type ~ /float|double/)
			continue
		if (type ~ /^(const )?(struct|union) [^*]*\*?( *const)?$|\[[0-9]*\]$/) {
			show(substr(name, 2) "$", "%s", name "$")
			show(substr(name, 2) "$$", "%s", name "$$")
		} else
			show(substr(name, 2), "%d", name)
	}
	n = split(members[f], list, " ")
	for (i = 1; i <= n; i++)
		show(list[i], "%d", "$" list[i])
	for (i in words)
		values = values sprintf(" printf(\"%%x %s@%s=%%s\\n\", uaddr(), %s)",
					words[i], f, words[i])
	printf "probe process(\"%s\").%s {%s }\n", program, point, values
}
END
# Parameters at the entry, also as text; gdb reads them after the first instructions, which
# store them.
entries() { # PROGRAM
	case $1 in
	values*) printf '%s\n' 'work p->id p->inner[0]->s p$$ c s b' 'many a b h' ;;
	shapes*) printf '%s\n' 'by_reference one$$ one->ref->x shape->id next->c next->b->low' \
		'by_value list[1]->y' ;;
	esac
}
for one in $programs; do
	file=${one%%-*}.c
	[ -e "$TOP/testsuite/programs/$file" ] || file=${one%%-*}.cc
	# The contents of the stack when main() begins depend on the machine.
	run -L "process(\"$PWD/$one\").statement(\"*@$file:*\")" 2>said |
		grep -vE 'statement\("(main|scrub)(\(\))?@' >points || fail 'the list' said
	awk -v program="$PWD/$one" -f script.awk members points >"$one.kp"
	[ "$(wc -l <"$one.kp")" -ge 30 ] || fail 'too few lines' points
	entries $one | while read -r function names; do
		printf 'probe process("%s").function("%s").call {' "$PWD/$one" "$function"
		for name in $names; do
			case $name in *'$') format=%s ;; *) format=%d ;; esac
			printf ' if (@defined($%s)) printf("@%s %s=%s\\n", $%s)' \
				"$name" "$function" "$name" $format "$name"
		done
		printf ' printf("@%s parms=%%s\\n", $$parms) }\n' "$function"
	done >>"$one.kp"
	run -w -D MAXSTRINGLEN=2000 -p4 "$one.kp" >module 2>said || fail 'the script' said
	cp "$(cat module)" "$one.ko"
done
cat >guest <<'SH'
cd "$1" || exit
for one in $programs; do
	echo "@ $one.seen"
	"$PROBERUN" $one.ko -c "./$one >/tmp/told" || exit
	echo "@ $one.told"
	cat /tmp/told
done
SH
"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" programs="$programs" \
	bash ./guest "$PWD" >all 2>log ||
	fail "status $?" log
awk '/^@ / { file = $2; next } { print >file }' all

cat >judge.py <<'END'
import functools, gdb, os, re
places, entries, began, wanted, got = {}, {}, {}, set(), set()
by_clang = '-clang' in os.environ['SEEN']
INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)
POINTERS = (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
STRUCTS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)

# The stack is elsewhere in another run.
def settled(text):
    text = re.sub(r'0x7ff[0-9a-f]{9}\b', 'STACK', text)
    return re.sub(r'\b1407[0-9]{11}\b', 'STACK', text)
def kind(t):
    return t.strip_typedefs().code
def is_char(t):
    t = t.strip_typedefs()
    return t.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) and t.sizeof == 1
def is_letter(t):
    return is_char(t) and t.strip_typedefs().unqualified().name in ('char', 'char8_t')
def quoted(data, mark):
    out = ''
    for c in data:
        if mark == '"' and c == 0:
            break
        out += '\\' + chr(c) if chr(c) in mark + '\\' else chr(c) if 32 <= c < 127 else '\\%03o' % c
    return mark + out + mark
def members(v, full, out):
    for f in v.type.strip_typedefs().fields():
        if not hasattr(f, 'bitpos'):
            continue
        inner = v[f]
        if f.is_base_class or (not f.name and kind(f.type) in STRUCTS):
            members(inner, full, out)
        else:
            out.append('.%s=%s' % (f.name, text(inner, full, 1)))
    return out
def text(v, full, depth):
    t = v.type.strip_typedefs()
    if t.code in POINTERS[1:] and kind(t.target()) == gdb.TYPE_CODE_ARRAY:
        # A reference to an array is a pointer to its first element.
        v = v.referenced_value()[0].address
        t = v.type
    if t.code == gdb.TYPE_CODE_PTR and not int(v):
        return '0x0'
    if t.code in POINTERS and depth == 0 and kind(t.target()) in STRUCTS:
        v = v.referenced_value()
        t = v.type.strip_typedefs()
    if t.code in STRUCTS:
        if depth and not full:
            return '{...}'
        return '{' + ', '.join(members(v, full, [])) + '}'
    if t.code == gdb.TYPE_CODE_ARRAY:
        n = t.range()[1] + 1
        if is_char(t.target()):
            return quoted([int(v[i]) & 255 for i in range(n)], '"')
        if depth and not full:
            return '[...]'
        return '[' + ', '.join(text(v[i], full, depth + 1) for i in range(min(n, 5))) + (', ...]' if n > 5 else ']')
    if t.code == gdb.TYPE_CODE_PTR and is_char(t.target()) and int(v):
        return quoted(v.string('latin-1').encode('latin-1'), '"')
    if t.code in POINTERS:
        return '0x%x' % (int(v) if t.code == gdb.TYPE_CODE_PTR else int(v.referenced_value().address))
    if is_letter(t):
        return quoted([int(v) & 255], "'")
    if t.code == gdb.TYPE_CODE_ENUM:
        for f in t.fields():
            if f.enumval == int(v):
                return f.name.split('::')[-1]
    return str(int(v)) if t.code in INTEGERS else '?'
def of_function(block):
    # The block of the function or the inlined copy around it.
    while not block.function:
        block = block.superblock
    return block
def outermost(block):
    # The block of the function that is not inlined.
    while block and not (block.function and block.superblock.is_static):
        block = block.superblock
    return block
def innermost(block, name):
    # Lines of a function and of an inlined copy may begin at one instruction.
    around = block
    while bare(around.function) != name:
        if around.function:
            block = around.superblock
        around = around.superblock
    return block
def callers_stack(frame):
    # Where the stack of the caller ends, which is the same from a function's entry to its return.
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return int(frame.older().read_register('rsp'))
def at_entry(symbol, function):
    # A value that the debug information calls a register at the entry of the function. gdb looks
    # for it where the function was called, which it can't if that was by a pointer.
    frame = gdb.selected_frame()
    found = re.search(r'^\s*0: DW_OP_entry_value\s+2: \w+ \[\$(\w+)\]\s+3: DW_OP_stack_value\s*$',
                      location(frame.pc(), symbol.name, function), re.M)
    registers = began.get(callers_stack(frame))
    if not found or not registers or symbol.type.sizeof > 8:
        return None
    n, t = gdb.Value(registers[found.group(1)]), symbol.type
    if kind(t) in POINTERS[1:]:
        return n.cast(t.strip_typedefs().target().pointer()).dereference().reference_value()
    return n.cast(t)
def find(block, name):
    # The innermost of that name that has a value.
    while block:
        for symbol in block:
            if symbol.name == name and (symbol.is_argument or symbol.is_variable):
                v = symbol.value(gdb.selected_frame()) if symbol.needs_frame else symbol.value()
                whole = v
                if v.is_optimized_out:
                    v = at_entry(symbol, bare(of_function(block).function))
                if v is not None:
                    return v
                if kind(whole.type) in STRUCTS + (gdb.TYPE_CODE_ARRAY,):
                    return whole # some parts of it may have values
        block = block.superblock
def step(v, part):
    while kind(v.type) in POINTERS and (not part.isdigit() or kind(v.type) != gdb.TYPE_CODE_PTR):
        v = v.referenced_value()
    return v[int(part)] if part.isdigit() else v[part]
def read(block, expression):
    expression, _, function = expression.partition('@')
    if function:
        block = innermost(block, function)
    parts = re.findall(r'\w+', expression)
    v = find(block, parts[0])
    if v is None:
        return '?'
    try:
        # A value is read when it is used.
        for part in parts[1:]:
            v = step(v, part)
        if expression.endswith('$'):
            return text(v, expression.endswith('$$'), 0)
        if v.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            return str(int(v.referenced_value().address))
        n = int(v)
        return str(n if n < 2 ** 63 else n - 2 ** 64)
    except gdb.MemoryError:
        return '!'
    except gdb.error:
        return '?' # a part that is optimized out
def parameter(v):
    t = v.type.strip_typedefs()
    if v.is_optimized_out:
        return '?'
    if t.code in STRUCTS + (gdb.TYPE_CODE_ARRAY,) and v.address is not None:
        v = v.address
        t = v.type
    if t.code == gdb.TYPE_CODE_FLT and t.sizeof in (4, 8):
        return '%.15g' % float(v)
    if t.code not in POINTERS + INTEGERS:
        return '?'
    try:
        if t.code in POINTERS[1:]:
            v = v.referenced_value().address
            if v is None:
                return '?'
        n = int(v)
    except gdb.error:
        return '?' # a reference to what is optimized out
    # As %#x of C writes it.
    return '%#x' % (n & 2 ** 64 - 1) if n else '0'
def address(name):
    try:
        return gdb.execute('info address ' + name, to_string=True)
    except gdb.error:
        return '' # it is in a block that the frame does not see
def about(pc, name, function):
    # The locations of a variable. gdb lists what is within the innermost inlined copy by its
    # address, and what is around it by name, in the frame of the function that has it.
    frame = around = gdb.selected_frame()
    block = of_function(gdb.block_for_pc(pc))
    while around and bare(around.function()) != function:
        around = around.older()
    if around and bare(block.function) != function:
        around.select()
        text = address(name)
        frame.select()
        if text:
            return text
    listed = gdb.execute('info scope *0x%x' % pc, to_string=True).split('Symbol ')[1:]
    own = [text for text in listed if text.startswith(name + ' ')]
    return own[0] if own else address(name)
@functools.cache
def location(pc, name, function):
    # The location at that instruction, as gdb writes it.
    low = high = 0
    said = ''
    for line in about(pc, name, function).split('\n'):
        found = re.search(r'Range 0x([0-9a-f]+)-0x([0-9a-f]+):', line)
        if found:
            low, high = (int(n, 16) for n in found.groups())
        if low <= pc < high:
            said += line + '\n'
    return said
def is_left_out(pc, name, function):
    # A value that is a register as it was at the entry of the function: gdb may know it from the
    # caller. A list of ours does without it, because it would take another probe; "$name" alone
    # has it. And a value that is computed in floating point, which the kernel does not do: gdb
    # names the type of such an operand, and "$name" alone is an error that says so.
    return re.search(r'DW_OP_entry_value|DW_OP_\w+type<(float|double) ',
                     location(pc, name, function)) is not None
def parameters(block):
    # The names of static functions are not alone in a block.
    block = of_function(block)
    # A structure that came in registers is not in memory yet where ours reads it.
    args = [s for s in block if s.is_argument]
    return ' '.join('%s=%s' % (s.name, '?' if kind(s.type) in STRUCTS else
                               parameter(s.value(gdb.selected_frame()))) for s in args)
def listed(which, words):
    # gdb also sees variables of inner blocks that have neither code nor a value there, and
    # parameters that clang left out of an inlined copy.
    whole = which == '$$parms' and not by_clang
    return ' '.join(sorted(w for w in words if whole or not w.endswith('=?')))
def bare(function):
    # "ns::Class<int>::method(int)" as the script's function is written.
    return re.sub(r'.*::', '', re.sub(r'\(.*', '', str(function)))
def visible(block, expression):
    which, name = expression.split('@')
    block = innermost(block, name)
    # Up to the function or the inlined copy; an inner variable hides the outer one of its name.
    found, frame = {}, gdb.selected_frame()
    while block:
        for s in block:
            if (s.is_argument or s.is_variable) and s.name not in found:
                found[s.name] = s
        if block.function:
            break
        block = block.superblock
    chosen = [s for s in found.values()
              if which == '$$vars' or s.is_argument == (which == '$$parms')]
    return listed(which, ('%s=%s' % (s.name, '?' if is_left_out(frame.pc(), s.name, name) else
                                     parameter(s.value(frame))) for s in chosen))
class Begin(gdb.Breakpoint):
    def read(self, frame):
        began[callers_stack(frame)] = {r: int(frame.read_register(r)) & 2 ** 64 - 1 for r in
                                       ('rdi', 'rsi', 'rdx', 'rcx', 'r8', 'r9')}
class Place(gdb.Breakpoint):
    def read(self, frame):
        pc = frame.pc()
        block = gdb.block_for_pc(pc)
        for expression in places[pc]:
            value = visible(block, expression) if expression[0] == '$' else read(block, expression)
            wanted.add(settled('%x %s=%s' % (pc, expression, value)))
class Entry(gdb.Breakpoint):
    def read(self, frame):
        block = gdb.block_for_pc(frame.pc())
        for expression in entries[self.location]:
            value = parameters(block) if expression == 'parms' else read(block, expression)
            wanted.add(settled('@%s %s=%s' % (self.location, expression, value)))
def begins(pc):
    # At a function's first instruction, what gdb reads is not stored yet.
    block = outermost(gdb.block_for_pc(pc))
    return block and block.start == pc

gdb.execute('set confirm off')
for line in open(os.environ['SEEN']):
    line = line.rstrip('\n')
    where, rest = line.split(' ', 1)
    expression = rest.split('=')[0]
    if expression[0] == '$':
        words = rest[len(expression) + 1:].split(' ')
        line = '%s %s=%s' % (where, expression, listed(expression.split('@')[0], words))
    if where[0] == '@':
        entries.setdefault(where[1:], set()).add(expression)
    elif begins(int(where, 16)):
        continue
    else:
        places.setdefault(int(where, 16), set()).add(expression)
    got.add(settled(line))
def entry_of(pc):
    return int(outermost(gdb.block_for_pc(pc)).function.value().address)
for pc in set(map(entry_of, places)):
    Begin('*0x%x' % pc, internal=True)
for pc in places:
    Place('*0x%x' % pc, internal=True)
for function in entries:
    Entry(function, internal=True)
# Values are read when the program has stopped, not in Breakpoint.stop(): a command that is executed
# there can make "run" return while the program still runs. For breakpoints that are internal, gdb
# stays in the function around an inlined copy that begins there.
reached = []
gdb.events.stop.connect(lambda event: reached.extend(getattr(event, 'breakpoints', [])))
gdb.execute('run > /dev/null', to_string=True)
while reached:
    for one in reached:
        one.read(gdb.selected_frame())
    reached.clear()
    gdb.execute('continue', to_string=True)
for name, lines in (('wanted', wanted), ('got', got)):
    with open(name, 'w') as f:
        f.writelines(sorted(l + '\n' for l in lines))
END
for one in $programs; do
	SEEN=$one.seen gdb -q -nx -batch -x judge.py "$one" >log 2>&1 ||
		fail "gdb" log
	[ "$(wc -l <wanted)" -ge 200 ] || fail 'too few values' wanted
	[ "$(grep -c '\$@[a-z_]*=' wanted)" -ge 5 ] || fail 'too few structures' wanted
	# Several probes may be at one instruction, for copies and for what is around them: what is
	# compared is which values were seen where, not how often.
	cmp -s got wanted || { diff -u wanted got >difference; fail "$one beside gdb:" difference; }
done
