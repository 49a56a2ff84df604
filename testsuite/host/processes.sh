# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Some conditions of probes in programs limit the processes that get breakpoints. The word in front
# of each probe says what the module's table must have for it.
bash=/usr/bin/bash
[ -x $bash ] || { echo "no $bash"; exit 77; }
cat >script <<'KP'
target    if (pid() == target()) { n++ }
target    if (n >= 0 && target() == pid()) { m++ }
target    { if (pid() == target()) n++ }
target    { if (pid() != target()) next; n++ }
target    { if (!(pid() == target()) || tid() == 1) { next } n++ }
target    { if (uid() == 0) next; if (pid() == target() && n < 3) { n++ } }
space     if (pid_ns_id() == 4026531836) { n++ }
space     { if (pid_ns_id() == space) n++ }
both      { if (space != pid_ns_id()) next; if (pid() == target()) n++ }
none      if (pid() != target()) { n++ }
none      if (pid() == target() || n) { n++ }
none      if (1 / n && pid() == target()) { n++ }
none      if (pid() == 1234) { n++ }
none      if (tid() == target()) { n++ }
none      if (pid_ns_id() == changes) { n++ }
none      if (container() == "x") { n++ }
none      { if (user_string($arg1) == "x" && pid() == target()) n++ }
none      { if (n++ && pid() == target()) m++ }
none      { if (pid() == target()) n++; m++ }
none      { if (pid() == target()) n++; else m++ }
none      { n++; if (pid() == target()) m++ }
none      { if (pid() == target()) { n++ } if (pid() == target()) { n++ } }
none      { while (pid() == target()) n++ }
KP
{
	echo 'global n, m, space = 0, changes'
	sed "s|^[a-z]* *|probe process(\"$bash\").function(\"readline\") |" script
	echo "probe process(\"$bash\").function(\"readline\").return if (pid() == target()) { n++ }"
	echo 'probe kernel.function("vfs_read") if (pid() == target()) { changes++ }'
	echo 'probe timer.s(1) { changes = 1 }'
} >script.kp
{ sed 's/ .*//' script; printf '%s\n' target none none; } >wanted
"$PROBEC" -w -p3 -r "$TARGET" script.kp >c 2>said || fail 'the script' said
awk '$1 == ".handler" { if (seen++) print what; what = "none" }
	/\.flags = .*PRT_ONLY_TARGET/ { what = "target" }
	/\.pid_namespace = &/ { what = what == "target" ? "both" : "space" }
	END { print what }' c | head -n "$(wc -l <wanted)" >got
paste wanted got script | awk '$1 != $2 { print; bad = 1 } END { exit bad }' || fail 'wanted, got'
[ "$(grep -c target got)" = 7 ] || fail 'few have it' got
