# SPDX-License-Identifier: GPL-2.0
# A setuid or setgid proberun refuses every request, of root and of other users.
#@ needs: root
place=$(mktemp -d /tmp/probec.setuid.XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
! findmnt -T "$place" -no OPTIONS | grep -q nosuid || exit 77
install -m 755 "$PROBERUN" "$place/proberun"
as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
as_other "$place/proberun" --version >said 2>&1 || fail 'a plain one' said
for mode in 4755 2755; do
	chmod "$mode" "$place/proberun"
	as_other "$place/proberun" --version >said 2>&1 && fail "mode $mode: it runs" said
	grep -q 'must not be installed setuid.*\[E_SETUID\]' said && grep -q 'sudo proberun' said ||
		fail "mode $mode: not told" said
done
