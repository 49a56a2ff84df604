# What this machine can't do, or this user may not.
script='probe begin { exit() }'
echo "$script" >a.kp
chmod 000 a.kp
# Root reads everything, unless it may not.
drop() { if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi; }
drop "$PROBEC" -p1 a.kp 2>&1

# A full disk is no success.
if [ -w /dev/full ]; then
	"$PROBEC" -p1 -e "$script" 2>&1 >/dev/full && fail 'a full disk: status 0'
fi
TMPDIR=/no/such/place "$PROBEC" -p1 -e "$script" 2>&1 | sed 's|\.[^.]*'"'"'|.XXXXXX'"'"'|'

# A cache that others may write to, or that can't be made, is not used; the script is compiled nonetheless.
mkdir -m 777 open
for cache in $PWD/open /proc/none; do
	PROBEC_CACHE=$cache "$PROBEC" -p1 -e "$script" 2>&1 | sed "s|$PWD|DIR|"
done

# A kernel without modules or kprobes names the way out before anything is built, and after what is wrong with the script.
if [ ! -e /proc/modules ]; then
	refused E_NO_MODULES 'no modules' "$PROBEC" -e "$script"
	grep -q 'probec --vm' said || fail 'no word of --vm' said
	"$PROBEC" -e 'probe begin { exit( }' >said 2>&1
	grep -q E_SYNTAX said && ! grep -q E_NO_MODULES said || fail 'the script comes first' said
fi
