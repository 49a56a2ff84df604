# SPDX-License-Identifier: GPL-2.0
# Modules and runtimes from the cache run in the kernel, so they are used only if nobody but the
# user may have written them, whatever the directories are. Files here have other bytes than
# those that probec made, so that it shows which ones were used.
#@ needs: target root setpriv
# shellcheck shell=bash disable=SC2154
ready=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
script='probe kernel.function("vfs_read") { exit() }'
place=$(mktemp -d /tmp/probec.rights.XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
# The runtime is there and is not made again: make fails.
"$PROBEC" -w -p4 -r "$TARGET" -e "$script" >out 2>said || fail 'it does not compile' said
own_cache
cp -r "$ready/runtime" cache/
mkdir tools
printf '#!/bin/sh\nexit 2\n' >tools/make
chmod +x tools/make
export PATH=$PWD/tools:$PATH
compile() { "$PROBEC" -w -p4 -r "$TARGET" -e "$script" >out 2>said; }
made() { compile || fail "$1: it does not compile" said; module=$(cat out); }

made 'a first time'
cp "$module" good.ko
echo poison >"$module"
made 'from the cache'
[ "$(cat "$module")" = poison ] || fail 'the cache is not used'
is_made_again() { # WHAT
	made "$1"
	cmp -s "$module" good.ko && [ "$(stat -c %u "$module")" = 0 ] ||
		fail "$1: the module is used"
	echo poison >"$module"
}
chown 65534 "$module"
is_made_again "another user's"
chmod g+w "$module"
is_made_again 'one that a group may write'
chmod 644 "$module"
mv "$module" "$place/theirs"
chown 65534 "$place/theirs"
ln -s "$place/theirs" "$module"
is_made_again "a link to another user's"
[ "$(cat "$place/theirs")" = poison ] || fail "what a link leads to was written"
for kind in files said; do
	made "$kind"
	chown 65534 "${module%.ko}.$kind"
	is_made_again "another user's .$kind"
done

# The runtime, and a directory of it.
no_module() { rm -rf cache/modules; }
runtime=$(dirname "$(find cache/runtime -name runtime.o -printf '%T@ %p\n' | sort -n | tail -n 1 |
	cut -d' ' -f2)")
is_unused() { # WHAT
	no_module
	! compile && grep -q 'the runtime could not be built.*\[E_BUILD\]' said ||
		fail "$1: it is used" out said
}
no_module
made 'with its runtime'
for file in runtime.o linked.o flags .; do
	for runtime in cache/runtime/*/; do chown 65534 "$runtime$file"; done
	is_unused "another user's $file of the runtime"
	for runtime in cache/runtime/*/; do chown 0 "$runtime$file"; done
	no_module
	made "its own $file"
done

# A cache of another user is not used as a whole, nor is root's by another user.
mkdir -m 755 "$place/cache"
chown 65534 "$place/cache"
PROBEC_CACHE=$place/cache "$PROBEC" -p1 -e "$script" >out 2>said &&
	grep -q 'nothing is cached' said || fail "another user's cache" said
[ -z "$(ls "$place/cache")" ] || fail "another user's cache has files of root"
