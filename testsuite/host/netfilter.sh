# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A kernel without netfilter lacks the function that calls hooks: here another one has taken its
# place among the symbols. Probes of netfilter are refused there; optional ones are left out.
LC_ALL=C sed 's/^nf_hook_slow$/nf_hook_sloa/' "$TARGET" >without
for point in ipv4.local_in 'pf("NFPROTO_ARP").hook("NF_ARP_IN")' 'hook(1).pf(2).priority(-7)'; do
	script="probe netfilter.$point { exit() }"
	"$PROBEC" -p2 -r "$TARGET" -e "$script" >said 2>&1 || fail "$point" said
	refused E_NO_MATCH "$point" "$PROBEC" -p2 -r ./without -e "$script"
	grep -q 'error: kernel .* is built without netfilter \[E_NO_MATCH\]$' said ||
		fail "$point: another reason" said
done
"$PROBEC" -p2 -r ./without -e 'probe netfilter.ipv4.local_in ?, begin { exit() }' >said 2>&1 ||
	fail 'an optional probe' said
grep -qx 'begin: begin' said && ! grep -q netfilter said || fail 'not left out' said
