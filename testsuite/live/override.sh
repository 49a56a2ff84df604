# SPDX-License-Identifier: GPL-2.0
# A function that a script overrides does not run, and its callers get the script's value; other
# functions are unaffected. Without --override-any this is limited to functions on the kernel's
# list, on which none of these is, if the kernel has one.
# Each: what arms these probes differs between kernels.
set -u
echo old >/tmp/override-old
cat >/tmp/override-work <<'END'
exec 2>&1
echo 11 2>/dev/null >/proc/$$/oom_score_adj || echo refused
cat /proc/$$/oom_score_adj
echo new >/tmp/override-new
read x </tmp/override-old && echo "$x"
cat /tmp/override-old
END
if "$PROBERUN" -c 'sh /tmp/override-work' "$MODULE" >/tmp/said 2>&1; then
	cat /tmp/said
	exit 1
fi
grep -q 'error: .*list of functions that may be overridden.*E_OVERRIDE' /tmp/said ||
	{ cat /tmp/said; exit 1; }
grep -q -e --override-any /tmp/said || exit 1
cd / || exit 1
"$PROBERUN" --override-any -o /tmp/script -c 'exec sh /tmp/override-work >/tmp/said' "$MODULE" ||
	exit 1
sed -i 's/.*override-work: [0-9]*: //' /tmp/said
diff -u - /tmp/said <<'END' || exit 1
refused
0
cannot create /tmp/override-new: Read-only file system
cannot open /tmp/override-old: Permission denied
old
END
diff -u - /tmp/script <<'END' || exit 1
oom_score_adj -34
/tmp/override-new -30
/tmp/override-old -13
1
END
[ ! -e /tmp/override-new ]
