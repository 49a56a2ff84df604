# SPDX-License-Identifier: GPL-2.0
# Things that this machine cannot do, or that this user may not do.
script='probe begin { exit() }'
echo "$script" >a.kp
chmod 000 a.kp
# Root reads everything, unless it lacks the capability.
drop() \
	{ if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi; }
drop "$PROBEC" -p1 a.kp 2>&1

# Output to a full disk is an error.
if [ -w /dev/full ]; then
	"$PROBEC" -p1 -e "$script" 2>&1 >/dev/full && fail 'a full disk: status 0'
fi
TMPDIR=/no/such/place "$PROBEC" -p1 -e "$script" 2>&1 | sed 's|\.[^.]*'"'"'|.XXXXXX'"'"'|'

# A cache that others may write to, or that cannot be created, is not used; the script still
# compiles.
mkdir -m 777 open
for cache in $PWD/open /proc/none; do
	PROBEC_CACHE=$cache "$PROBEC" -p1 -e "$script" 2>&1 | sed "s|$PWD|DIR|"
done

# On a kernel without modules or kprobes the message names --vm, before anything is built but after
# the errors in the script.
if [ ! -e /proc/modules ]; then
	refused E_NO_MODULES 'no modules' "$PROBEC" -e "$script"
	grep -q 'probec --vm' said || fail 'no word of --vm' said
	"$PROBEC" -e 'probe begin { exit( }' >said 2>&1
	grep -q E_SYNTAX said && ! grep -q E_NO_MODULES said || fail 'the script comes first' said
fi
