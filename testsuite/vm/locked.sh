# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: 5.10 6.1 6.12
# A kernel that does not accept our modules: the error explains why, and the next step: lockdown,
# enforced signatures, kernel.modules_disabled.
module=$("$PROBEC" -p4 -r "$TARGET" -e 'probe begin { println("it runs") exit() }') ||
	fail 'it does not build'

for mode in integrity confidentiality; do
	refused E_LOCKDOWN "$mode" "$TOP/lab/run" --append "lockdown=$mode" "$KERNEL" \
		-- "$PROBERUN" "$module"
	grep -q "lockdown ($mode)" said && grep -q -- '--vm' said || fail "$mode: no way out" said
done

refused E_LOCKDOWN signatures "$TOP/lab/run" --append module.sig_enforce=1 "$KERNEL" \
	-- "$PROBERUN" "$module"
grep -q 'signed' said || fail 'signatures: no word of them' said

cat >disabled.sh <<S
"$PROBERUN" "$module" && echo 1 >/proc/sys/kernel/modules_disabled && exec "$PROBERUN" "$module"
S
refused E_LOCKDOWN modules_disabled "$TOP/lab/run" "$KERNEL" -- bash "$PWD/disabled.sh"
grep -q 'it runs' said && grep -q 'kernel.modules_disabled' said ||
	fail 'modules_disabled: no word of it' said
