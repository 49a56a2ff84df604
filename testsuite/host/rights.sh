# SPDX-License-Identifier: GPL-2.0
# Root does not trust what another user made: a cache below another user's directory, a link, a file
# of another user, a temporary directory that others can read. And files of a user are not root's.
#@ needs: root
as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
script='probe begin { exit() }'
# A directory that the other user can enter, wherever this test runs.
place=$(mktemp -d /tmp/probec.rights.XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
as_other true || fail 'setpriv'
mkdir "$place/theirs" "$place/ours"
mkdir -m 700 "$place/theirs/cache"
chown 65534:65534 "$place/theirs"

warns() { # WHAT WORDS CACHE
	PROBEC_CACHE=$3 "$PROBEC" -p1 -e "$script" >/dev/null 2>said ||
		fail "$1: it does not compile" said
	grep -q "$2.*nothing is cached" said || fail "$1: it is used" said
}
warns 'below a directory of theirs' 'a directory above' "$place/theirs/cache"
ln -s "$place/theirs/cache" "$place/ours/link"
warns 'a link to there' 'a directory above' "$place/ours/link"
mkdir -m 700 "$place/ours/given"
chown 65534 "$place/ours/given"
warns 'their own' 'another user, or others can write' "$place/ours/given"
PROBEC_CACHE=$place/ours/cache "$PROBEC" -p1 -e "$script" >/dev/null 2>said ||
	fail 'a good one' said
[ ! -s said ] && [ "$(stat -c %a "$place/ours/cache")" = 700 ] || fail 'a good one is not used' said

# Another user's configuration is not used by root; root's is used by the user.
mkdir -p "$place/theirs/home/.config/probec"
echo -p1 >"$place/theirs/home/.config/probec/config"
chown -R 65534:65534 "$place/theirs/home"
unset PROBEC_CONFIG PROBEC_CACHE XDG_CONFIG_HOME XDG_CACHE_HOME
! PROBEC_CONFIG=$place/theirs/home/.config/probec/config "$PROBEC" -p1 -e "$script" >said 2>&1 &&
	grep -q 'is not used' said ||
	fail "root reads another's configuration" said
echo '--nonsense' >"$place/theirs/home/.config/probec/config"
HOME=$place/theirs/home PROBEC_CACHE=$place/ours/cache "$PROBEC" -p1 -e "$script" >said 2>&1 ||
	fail 'HOME as sudo leaves it' said
install -m 755 "$PROBEC" "$PROBERUN" "$place/"
cp -r "$TOP/runtime" "$TOP/tapsets" "$place/"
chmod -R go+rX "$place/runtime" "$place/tapsets"
echo -p1 >"$place/ours/config"
chmod 755 "$place/ours"
as_other env HOME="$place/theirs/home" PROBEC_CONFIG="$place/ours/config" "$place/probec" -e \
	"$script" >said 2>&1 ||
	fail "a user reads root's configuration" said
[ "$(stat -c '%u %a' "$place/theirs/home/.cache/probec")" = '65534 700' ] || fail "the user's cache"

# Tapsets of the default directories: a subdirectory, a file and the target of a link obey the same
# rules as the directory itself.
data=$place/ours/data
export XDG_DATA_HOME=$data XDG_DATA_DIRS=/nonexistent PROBEC_CACHE=$place/ours/cache
mkdir -p "$data/probec/tapsets/x86_64"
tapset() { "$PROBEC" -p2 -e 'probe begin { println(mine()) }' >said 2>&1; }
used() { tapset || fail "$1: it is not used" said; }
unused() { ! tapset && grep -q "warning: the tapset.*$2' is not used" said &&
	grep -q 'no function' said || fail "$1: it is used" said; }
echo 'function mine() { return 1 }' >"$data/probec/tapsets/a.kp"
used 'a tapset of ours'
chmod g+w "$data/probec/tapsets/a.kp"
unused 'a file that the group may write' a.kp
chmod g-w "$data/probec/tapsets/a.kp"
chown 65534 "$data/probec/tapsets/a.kp"
unused "another's file" a.kp
mv "$data/probec/tapsets/a.kp" "$place/theirs/a.kp"
ln -s "$place/theirs/a.kp" "$data/probec/tapsets/a.kp"
unused "a link to another's file" a.kp
chown 0 "$place/theirs/a.kp"
unused "a link into another's directory" a.kp
rm "$data/probec/tapsets/a.kp"
echo 'function mine() { return 1 }' >"$data/probec/tapsets/x86_64/a.kp"
used 'a subdirectory of ours'
chmod o+w "$data/probec/tapsets/x86_64"
unused 'a subdirectory that others may write' x86_64
chmod o-w "$data/probec/tapsets/x86_64"
chown 65534 "$data/probec/tapsets/x86_64"
unused "another's subdirectory" x86_64
rm -r "$data/probec/tapsets/x86_64"
ln -s "$place/theirs" "$data/probec/tapsets/x86_64"
unused "a link to another's directory" x86_64
"$PROBEC" -p2 -I "$place/theirs" -e 'probe begin { println(mine()) }' >said 2>&1 ||
	fail '-I names it' said
rm "$data/probec/tapsets/x86_64"
echo '@define one %( 1 %)' >"$data/probec/tapsets/m.kpm"
macro() { "$PROBEC" -p2 -e 'probe begin { println(@one) }' >said 2>&1; }
macro || fail 'a macro of ours' said
chmod o+w "$data/probec/tapsets/m.kpm"
! macro && grep -q "m.kpm' is not used" said || fail 'a macro that others may write' said
unset XDG_DATA_HOME XDG_DATA_DIRS PROBEC_CACHE

# Nobody else can read temporary files.
mkdir -m 1777 "$place/tmp"
TMPDIR=$place/theirs "$PROBEC" -p1 -e "$script" >said 2>&1 &&
	fail 'temporary files below a directory of theirs' said
grep -q "others can replace.*E_IO" said && [ ! -e "$place"/theirs/probec.* ] ||
	fail 'temporary files below a directory of theirs' said
TMPDIR=$place/tmp PROBEC_CACHE=$place/ours/cache "$PROBEC" -k -p1 -e "$script" >/dev/null 2>&1
[ "$(stat -c '%u %a' "$place"/tmp/probec.*)" = '0 700' ] ||
	fail 'temporary files that others may see'
