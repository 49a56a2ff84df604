# SPDX-License-Identifier: GPL-2.0
# Where the members of structures are in an order that debug information does not have, they are
# refused rather than read at a wrong place; parameters and results are not.
#@ kernels: nobtf
symbols=$("$TOP/lab/symbols" --if-here "$KERNEL")
"$TOP/lab/run" "$KERNEL" -- "$PROBERUN" --describe >target 2>said || fail 'the target' said
analyse() { "$PROBEC" -p2 -r ./target --debuginfo "$symbols" -e "$1" >out 2>said; }
for value in '$file->f_flags' '$file$' '@entry($file->f_mode)'; do
	! analyse "probe kernel.function(\"vfs_read\").return { println($value) }" ||
		fail "$value is accepted" out
	grep -q 'randomizes the order.*\[E_BAD_ACCESS\]' said || fail "$value: another reason" said
done
analyse 'probe kernel.function("vfs_read").return { println($return, @entry($count)) }' ||
	fail 'a parameter is refused' said
