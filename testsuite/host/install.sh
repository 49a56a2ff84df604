# SPDX-License-Identifier: GPL-2.0
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
[ -x usr/bin/proberun ] && [ -f usr/share/man/man1/probec.1 ] &&
	[ -f usr/share/man/man7/probec-language.7 ] ||
	fail 'another prefix: what is installed'
commands() { # WHAT PREFIX
	PATH=$2/bin:/usr/bin:/bin reads.kp --help >said 2>&1 && grep -q '^Usage: reads.kp' said ||
		fail "$1: a tool does not run as a command" said
	PATH=$2/bin:/usr/bin:/bin probec reads --help | cmp - said || fail "$1: probec NAME"
	[ "$(find "$2/bin" -name '*.kp' | wc -l)" = "$(probec_tools "$2" | wc -l)" ] ||
		fail "$1: not all tools are commands"
	for manual in reads.kp execsnoop.kp; do
		[ -f "$2/share/man/man1/$manual.1" ] || fail "$1: no man page $manual"
	done
}
# Tools that are described: the others are not commands yet.
probec_tools() { "$1/bin/probec" tools | grep '[a-z]  *[a-z]'; }
commands 'another prefix' "$PWD/usr"
[ "$(PATH=/usr/bin:/bin usr/share/probec/lab/run --target default)" = \
	"$("$TOP/lab/run" --target default)" ] ||
	fail 'the lab below another prefix'

installed DESTDIR="$PWD/destination"
program=$(find destination -path '*/bin/probec' -type f)
[ -n "$program" ] || fail 'DESTDIR: no program'
runs 'DESTDIR' "$program"
mv usr moved
runs 'moved' "$PWD/moved/bin/probec"
commands 'moved' "$PWD/moved"

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
[ -z "$(find destination/opt ! -type d)" ] || fail 'make uninstall left files'
