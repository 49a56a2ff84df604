#@ needs: target root make
# An installed tree runs below another prefix than the configured one, in DESTDIR, and after it was
# moved. The program without its files says what is missing.
export PROBEC_CACHE=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
installed() { # ARGUMENT...
	make -s -C "$TOP" install "$@" >said 2>&1 || fail "make install $*" said
}
runs() { # WHAT PROBEC
	local module
	module=$("$2" -p4 -r "$TARGET" --disable-cache -e 'probe kernel.function("vfs_read") { println(execname()) }' 2>said) ||
		fail "$1" said
	[ -f "$module" ] || fail "$1: no module"
	"$2" -p2 -r "$TARGET" -e 'probe begin { println(execname(1)) }' >said 2>&1 &&
		fail "$1: an error is none"
	! grep -F '/../' said || fail "$1: an odd path" said
}

installed prefix="$PWD/usr"
runs 'another prefix' "$PWD/usr/bin/probec"
[ -x usr/bin/proberun ] && [ -f usr/share/man/man1/probec.1 ] ||
	fail 'another prefix: what is installed'
[ "$(PATH=/usr/bin:/bin usr/share/probec/lab/run --target default)" = \
	"$("$TOP/lab/run" --target default)" ] ||
	fail 'the lab below another prefix'

installed DESTDIR="$PWD/destination"
program=$(find destination -name probec -type f)
[ -n "$program" ] || fail 'DESTDIR: no program'
runs 'DESTDIR' "$program"
mv usr moved
runs 'moved' "$PWD/moved/bin/probec"

# If the configured directory exists, the program alone uses it.
mkdir alone
cp "$TOP/probec" alone/
configured=$(sed -n 's/^#define PROBEC_DATADIR "\(.*\)"/\1/p' "$TOP/config.h")
[ -e "$configured" ] || {
	refused E_IO 'the program alone' alone/probec -p4 -r "$TARGET" -e 'probe begin { }'
	grep -qF "nor '$configured' has probec's runtime" said ||
		fail 'the program alone: which directories' said
}
installed DESTDIR="$PWD/destination" prefix=/opt/probec
(cd "$TOP" && make -s uninstall DESTDIR="$OLDPWD/destination" prefix=/opt/probec) >said 2>&1 ||
	fail 'make uninstall' said
[ -z "$(find destination/opt -type f)" ] || fail 'make uninstall left files'
