# SPDX-License-Identifier: GPL-2.0
# BTF of a captured target, read by hand:
#   btf.py without TARGET RELEASE   the same target without its BTF, of the kernel RELEASE
#   btf.py names TARGET EACH        an expression for every EACH-th member of all structures and
#                                   unions, and for every EACH-th constant: "one EXPRESSION";
#                                   "several EXPRESSION" for each that types of that name differ in
import struct
import sys

POINTER, ARRAY, STRUCT, UNION, ENUM, ENUM64 = 2, 3, 4, 5, 6, 19
ON = (8, 9, 10, 11, 18)  # typedef, volatile, const, restrict, tag
FIXED = {1: 4, 3: 12, 14: 4, 17: 4}
EACH = {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}


def sections(data):
    """Yields (name or None, bytes) of each line and section."""
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        line = data[at:end]
        if line.startswith(b"section "):
            name, size = line.split(b" ")[1:]
            end += int(size) + 1
            yield name.decode(), data[at : end + 1]
        else:
            yield None, data[at : end + 1]
        at = end + 1


def read_types(btf):
    head, type_off, type_len, str_off, str_len = struct.unpack_from("<4xIIIII", btf)
    types = btf[head + type_off : head + type_off + type_len]
    strings = btf[head + str_off : head + str_off + str_len]

    def text(offset):
        return strings[offset : strings.index(b"\0", offset)].decode()

    at, ret = 0, [(0, "", 0, [])]
    while at < len(types):
        name, info, size = struct.unpack_from("<III", types, at)
        kind, n = info >> 24 & 31, info & 0xFFFF
        at += 12
        parts = []
        for i in range(n if kind in (STRUCT, UNION, ENUM, ENUM64) else 0):
            words = struct.unpack_from("<3I", types + b"\0" * 4, at + i * EACH[kind])
            if kind in (STRUCT, UNION):
                parts.append((text(words[0]), words[1], words[2], words[2] >> 24 if info >> 31 else 0))
            else:
                parts.append((text(words[0]), words[1:] if kind == ENUM64 else words[1]))
        if kind == ARRAY:
            size, _, n_elements = struct.unpack_from("<3I", types, at)
            parts = [n_elements]
        ret.append((kind, text(name), size, parts))
        at += FIXED.get(kind, 0) + n * EACH.get(kind, 0)
    return ret


def names(types, each):
    def kind_of(number):
        while types[number][0] in ON:
            number = types[number][2]
        return types[number][0]

    def what(number, name=""):
        """What a member is of: a name stands for what it names."""
        while types[number][0] in ON:
            name = types[number][1] or name
            number = types[number][2]
        kind, own, size, parts = types[number]
        if kind in (POINTER, ARRAY):
            return kind, what(size), tuple(parts) if kind == ARRAY else ()
        if own or name:
            return kind, own or (name if kind in (STRUCT, UNION, ENUM, ENUM64) else "")
        if kind in (STRUCT, UNION):
            return kind, size, tuple((p[0], p[2], what(p[1])) for p in parts)
        return kind, size

    shapes, values = {}, {}
    for kind, name, size, parts in types:
        if kind in (STRUCT, UNION):
            shape = size, tuple((p[0], p[2], what(p[1])) for p in parts)
            shapes.setdefault((kind, name), set()).add(shape)
        elif kind in (ENUM, ENUM64):
            for part in parts:
                values.setdefault(part[0], set()).add(part[1])
    seen, n = set(), 0
    for kind, name, _, parts in types:
        if kind not in (STRUCT, UNION) or not name or (kind, name) in seen:
            continue
        seen.add((kind, name))
        several = len(shapes[kind, name]) > 1
        for member, number, _, bits in parts:
            n += 1
            if not member or (n % each and not several):
                continue
            # a pointer, a number or an enumeration has a value, others an address
            address = "" if bits or kind_of(number) in (1, 2, ENUM, ENUM64) else "&"
            word = "struct" if kind == STRUCT else "union"
            print("several" if several else "one",
                  f'{address}@cast(0, "{word} {name}", "kernel")->{member}')
    for i, (name, all_values) in enumerate(values.items()):
        several = len(all_values) > 1
        if several or i % each == 0:
            print("several" if several else "one", f'@enum("{name}", "kernel")')


def main():
    with open(sys.argv[2], "rb") as f:
        data = f.read()
    if sys.argv[1] == "without":
        for name, text in sections(data):
            if name is None and text.startswith(b"release "):
                text = f"release {sys.argv[3]}\n".encode()
            if name is None or not (name == "btf" or name.startswith("module-btf:")):
                sys.stdout.buffer.write(text)
        return
    for name, text in sections(data):
        if name == "btf":
            names(read_types(text[text.index(b"\n") + 1 :]), int(sys.argv[3]))


main()
