# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The part of host/prepare that runs with a /var/lib of its own.

# for_all RELEASE COMMAND...: root prepares for all users; COMMAND compiles a script.
for_all() {
	local release=$1 dir=/var/lib/probec/runtime own=$PWD/own mode
	shift
	rm -rf "$HOME/.cache/probec/runtime" "$HOME/.cache/probec/modules"
	"$PROBEC" prepare -r "$TARGET" >ready || return
	grep -q "^$release: ready for all users, built in " ready || { cat ready; return 1; }
	mode=$(stat -c %a $dir/.. $dir $dir/*/ $dir/*/flags $dir/*/runtime.o | tr '\n' ' ')
	[ "$mode" = '755 755 755 644 644 ' ] || { echo "modes: $mode"; return 1; }
	# Another cache, as of another user, has nothing to build.
	mkdir -p "$own"
	cp -a "$HOME/.cache/probec/lab" "$own"
	PROBEC_CACHE=$own "$@" >module 2>said || { cat said; return 1; }
	! grep building said || return 1
	# A directory that others could have written is not used. Instead the runtime would be
	# built, which a blank in the path prevents.
	chmod o+w $dir/*/
	rm -rf "$own/modules"
	mkdir 'with blank'
	TMPDIR="$PWD/with blank" PROBEC_CACHE=$own "$@" >module 2>said
	grep -q "kbuild can't work in" said ||
		{ echo 'a directory that others can write is used'; cat said; return 1; }
}
