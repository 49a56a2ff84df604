# Whether root takes anything that somebody else has made: a cache below a directory of another's, a link, a file of
# another's, a directory for temporary files that others see. And what a user has is not root's.
#@ needs: root
as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
script='probe begin { exit() }'
# A place that the other user can enter, wherever this test runs.
place=$(mktemp -d /tmp/probec-rights.XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
as_other true || fail 'setpriv'
mkdir "$place/theirs" "$place/ours"
mkdir -m 700 "$place/theirs/cache"
chown 65534:65534 "$place/theirs"

warns() { # WHAT WORDS CACHE
	PROBEC_CACHE=$3 "$PROBEC" -p1 -e "$script" >/dev/null 2>said || fail "$1: it does not compile" said
	grep -q "$2.*nothing is cached" said || fail "$1: it is used" said
}
warns 'below a directory of theirs' 'a directory above' "$place/theirs/cache"
ln -s "$place/theirs/cache" "$place/ours/link"
warns 'a link to there' 'a directory above' "$place/ours/link"
mkdir -m 700 "$place/ours/given"
chown 65534 "$place/ours/given"
warns 'their own' 'somebody else' "$place/ours/given"
PROBEC_CACHE=$place/ours/cache "$PROBEC" -p1 -e "$script" >/dev/null 2>said || fail 'a good one' said
[ ! -s said ] && [ "$(stat -c %a "$place/ours/cache")" = 700 ] || fail 'a good one is not used' said

# A configuration of theirs is not root's; root's is theirs.
mkdir -p "$place/theirs/home/.config/probec"
echo -p1 >"$place/theirs/home/.config/probec/config"
chown -R 65534:65534 "$place/theirs/home"
unset PROBEC_CONFIG XDG_CONFIG_HOME XDG_CACHE_HOME
! PROBEC_CONFIG=$place/theirs/home/.config/probec/config "$PROBEC" -p1 -e "$script" >said 2>&1 && grep -q 'is not used' said ||
	fail "root reads another's configuration" said
echo '--nonsense' >"$place/theirs/home/.config/probec/config"
HOME=$place/theirs/home PROBEC_CACHE=$place/ours/cache "$PROBEC" -p1 -e "$script" >said 2>&1 ||
	fail 'HOME as sudo leaves it' said
install -m 755 "$PROBEC" "$PROBERUN" "$place/"
cp -r "$TOP/runtime" "$TOP/tapsets" "$place/"
chmod -R go+rX "$place/runtime" "$place/tapsets"
echo -p1 >"$place/ours/config"
chmod 755 "$place/ours"
as_other env HOME="$place/theirs/home" PROBEC_CONFIG="$place/ours/config" "$place/probec" -e "$script" >said 2>&1 ||
	fail "a user reads root's configuration" said
[ "$(stat -c '%u %a' "$place/theirs/home/.cache/probec")" = '65534 700' ] || fail "the user's cache"

# Temporary files: nobody else can look.
mkdir -m 1777 "$place/tmp"
TMPDIR=$place/theirs "$PROBEC" -p1 -e "$script" >said 2>&1 && fail 'temporary files below a directory of theirs' said
grep -q "others may exchange.*E_IO" said && [ ! -e "$place"/theirs/probec.* ] || fail 'temporary files below a directory of theirs' said
TMPDIR=$place/tmp PROBEC_CACHE=$place/ours/cache "$PROBEC" -k -p1 -e "$script" >/dev/null 2>&1
[ "$(stat -c '%u %a' "$place"/tmp/probec.*)" = '0 700' ] || fail 'temporary files that others may see'
