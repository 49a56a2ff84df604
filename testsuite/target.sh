# SPDX-License-Identifier: GPL-2.0
# Captured targets that differ from the kernel's. Sourced after expect.sh.
# shellcheck shell=bash disable=SC2154

# changed_target FILE [SECTION NAME NEW]...: writes the captured target with NEW in place of NAME,
# which is as long, in the list of names of that section. NAME -: any name of that length.
changed_target() {
	python3 - "$TARGET" "$@" <<-'PYTHON' || fail 'the target'
		import re, sys
		text = open(sys.argv[1], 'rb').read()
		for section, old, new in zip(*[iter(sys.argv[3:])] * 3):
		    at = re.search(rb'^section %s (\d+)\n' % section.encode(), text, re.M)
		    end = at.end() + int(at.group(1))
		    names = text[at.end():end].splitlines(True)
		    if old == '-':
		        old = [n for n in names if len(n) == len(new) + 1][-1].decode()[:-1]
		    names[names.index(old.encode() + b'\n')] = new.encode() + b'\n'
		    text = text[:at.end()] + b''.join(sorted(names)) + text[end:]
		open(sys.argv[2], 'wb').write(text)
	PYTHON
}

# target_lists SECTION NAME: whether the captured target has that name in the list of that section.
target_lists() {
	awk -v section="$1" -v name="$2" '$1 == "section" { inside = $2 == section; next }
		inside && $0 == name { found = 1 }
		END { exit !found }' "$TARGET"
}

# target_tree: prints the build tree of that target's kernel.
target_tree() {
	local release tree
	release=$(sed -n 's/^release //p; /^section/q' "$TARGET")
	for tree in "${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}/lab/$release/build" \
		"/lib/modules/$release/build"; do
		[ ! -e "$tree" ] || break
	done
	echo "$tree"
}
