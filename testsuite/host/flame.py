# SPDX-License-Identifier: GPL-2.0
# flame.py make SEED       writes random folded stacks, with names that XML makes hard
# flame.py check FOLDED SVG WIDTH
#                          compares the frames of an image with those of folded lines: names,
#                          values, places, widths, and how many are left out
import random
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["main", "std::map<int, std::less<int> >::operator[](int&&)", "operator<<(char const*)",
         "a&b", '"quoted"', "]]>", "</title>", "r\u00e9sum\u00e9", "\u4e2d\u6587", "foo bar 7", "--x", "f [x]",
         "vfs_read_[k]", "schedule_[k]", "tcp_sendmsg_[k]"]


def make(seed):
    random.seed(seed)
    lines = {}
    for _ in range(400):
        depth = random.randint(1, 7)
        stack = ";".join([random.choice(["dd", "cc1plus", "a b"])] + random.choices(NAMES, k=depth))
        lines[stack] = random.choice([1, random.randint(1, 3000)])
    for stack, count in lines.items():
        print(stack, count)


def expected(path):
    """(depth, label, value, start) of each call path, children by name."""
    root = [0, {}]
    for line in open(path, encoding="utf-8"):
        stack, count = line.rstrip("\n").rsplit(" ", 1)
        node = root
        node[0] += int(count)
        for frame in stack.split(";"):
            kernel = frame.endswith("_[k]")
            key = (frame[:-4] if kernel else frame, kernel)
            node = node[1].setdefault(key, [0, {}])
            node[0] += int(count)
    found = []

    def walk(node, label, depth, start):
        found.append((depth, label, node[0], start))
        for (name, kernel), child in sorted(node[1].items(), key=lambda i: (i[0][0].encode(), i[0][1])):
            walk(child, name + (" [kernel]" if kernel else ""), depth + 1, start)
            start += child[0]

    walk(root, "all", 0, 0)
    return found


def check(folded, svg, width):
    page = tree.parse(svg).getroot()
    total = int(page.get("data-total"))
    scale = (width - 20) / total
    want = expected(folded)
    drawn = set()
    for g in page.find(SVG + "g[@id='frames']"):
        label, value = g.find(SVG + "title").text.split("\n")
        rect, text = g.find(SVG + "rect"), g.find(SVG + "text").text or ""
        item = (int(g.get("data-d")), label, int(g.get("data-w")), int(g.get("data-x")))
        assert item not in drawn, ("twice", item)
        drawn.add(item)
        assert value == f"{item[2]:,} samples, {100 * item[2] / total:.2f} %", value
        assert abs(float(rect.get("width")) - item[2] * scale) < 0.006, (item, rect.get("width"))
        assert abs(float(rect.get("x")) - 10 - item[3] * scale) < 0.006, (item, rect.get("x"))
        assert re.fullmatch("#[0-9a-f]{6}", rect.get("fill"))
        name = label[:-9] if g.get("data-m") else label
        assert text in ("", name) or (text.endswith("..") and name.startswith(text[:-2])), text
        assert len(text) * 7.25 <= item[2] * scale
    wanted = {w for w in want if w[2] * scale >= 0.1}
    assert drawn == wanted, (sorted(drawn ^ wanted)[:5])
    assert sum(w[2] for w in want if w[0] == 0) == total
    note = page.find(SVG + "text[@id='left']")
    left = len(want) - len(wanted)
    assert (note is None) == (left == 0) and (not left or f"not drawn: {left:,} frame" in note.text), left
    rows = {}
    for g in page.find(SVG + "g[@id='frames']"):
        rows.setdefault(int(g.get("data-d")), set()).add(float(g.find(SVG + "rect").get("y")))
    assert all(len(ys) == 1 for ys in rows.values())
    return page, [min(rows[d]) for d in sorted(rows)]


if sys.argv[1] == "make":
    sys.stdout.reconfigure(encoding="utf-8")
    make(int(sys.argv[2]))
else:
    _, ys = check(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    steps = {b - a for a, b in zip(ys, ys[1:])}
    assert steps == {18.0 if "icicle" in sys.argv else -18.0}, steps
