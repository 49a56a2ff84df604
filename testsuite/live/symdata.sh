# SPDX-License-Identifier: GPL-2.0
#@ kernels: not debug
# The kernel does not know how large a module's variables are: it shows none, and no negative
# one. /proc/kallsyms is the judge of addresses and names. overlay is a module of every guest
# but those with a kernel of lab/kernel, which has it built in.
set -eu
cd /run
grep -q '^overlay ' /proc/modules || { echo 'overlay is no module of this kernel'; exit 77; }

# Prints ADDRESS NAME of a symbol of overlay that has no neighbour of the same address.
symbol() { # TYPES
	awk -v types="$1" '$4 == "[overlay]" { n[$1]++; name[$1] = $3; type[$1] = $2 }
		END { for (a in n) if (n[a] == 1 && index(types, type[a])) { print a, name[a]; exit } }' /proc/kallsyms
}
read -r text text_name < <(symbol tT)
read -r variable variable_name < <(symbol dDbB)
"$PROBERUN" "$MODULE" text="0x$text" variable="0x$variable" >o
cat o
grep -qxE "text $text_name\+0x0/0x[0-9a-f]{1,5} \[overlay\] overlay" o
grep -qxE "variable $variable_name\+0x0(/0x[0-9a-f]{1,6})? \[overlay\] $variable_name overlay" o
grep -qxE 'constant init_task\+0x0/0x[0-9a-f]+ \[kernel\]' o
grep -qxE " 0x$text : $text_name\+0x0/0x[0-9a-f]{1,5} \[overlay\]" o
grep -qxE " 0x$variable : $variable_name\+0x0(/0x[0-9a-f]{1,6})? \[overlay\]" o
