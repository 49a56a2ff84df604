# SPDX-License-Identifier: GPL-2.0
# Each storage of a global, and the reason that -p2 -v shows for it.
# shellcheck shell=bash disable=SC2154
cat >script.kp <<'END'
global once, counted, seen, before, never = 1, told, last, both, ring%
probe begin { before = 1; once = 1 }
probe timer.profile {
	counted++
	seen <<< 1
	last = before + never + told
	if (both++ > 3) exit()
	ring[pid()]++
}
probe timer.s(1) { told = 1 }
probe end { println(once, counted, @count(seen), last) foreach (p in ring) println(p) }
END
"$PROBEC" -p2 -v script.kp 2>/dev/null | sed -n '/^# functions/q; 2,$p'
