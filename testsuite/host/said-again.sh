# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Warnings and notes belong to the script and not to the build: a module from the cache repeats
# them, as the options of this run select them.
# shellcheck shell=bash disable=SC2154
export PROBEC_DEBUGINFO=
cat >warns.kp <<SCRIPT
# built by nobody else: $(mktemp -u XXXXXXXXXX)
global never, x
@define shown %( println(nothing . "") %)
probe oneshot { @shown x = 1 }
function idle() { }
SCRIPT
build() { "$PROBEC" -r "$TARGET" -p4 -v "$@" warns.kp >out; }

# Two runs with the same options: the second takes the module from the cache and prints the same.
again() {
	build "$@" 2>said.first || fail "$*" said.first
	build "$@" 2>said.second || fail "$*" said.second
	grep -q "took $(cat out) from the cache" said.second || fail "$*: built again" said.second
	# The phases of pass 2 are there if it has run.
	sed -i '/^pass [0-9]:/d; /^  [a-z]*: [0-9.]* ms$/d; /^building/d' said.first said.second
	cmp said.first said.second || fail "$*: other words" said.second
}

again -w
[ ! -s said.second ] || fail '-w' said.second
# A module that was built with -w still has its warnings, with their notes and hints.
again
[ "$(grep -c 'warning: .*\[E_' said.second)" = 3 ] || fail 'three warnings' said.second
grep -q "note: in the expansion of macro '@shown'" said.second || fail 'a note' said.second
grep -q '^ *= text is written in quotes' said.second || fail 'a hint' said.second
again --color=always
grep -q $'\033\[1;35mwarning:' said.second || fail 'colours' said.second
again -Wno-unused
[ "$(grep -c 'warning: .*\[E_' said.second)" = 1 ] || fail 'one warning' said.second

# With -W they are errors; a module that was built while they were disabled does not count.
again -W -Wno-unused -Wno-unknown-variable
if build -W -Wno-unknown-variable 2>said; then
	fail '-W' said
fi
grep -q "error: global 'never' is never used \[E_UNUSED\]" said || fail '-W' said

# An incomplete entry is made again.
for damage in 'rm -f' 'truncate -s 70' 'cp /dev/null' 'sed -i s/never/nevex/'; do
	build 2>first || fail "$damage" first
	$damage "$(sed 's/ko$/said/' out)"
	build 2>second || fail "$damage" second
	! grep 'from the cache' second || fail "$damage"
	cmp <(grep -v '^pass \|^  [a-z]*: [0-9.]* ms$' first) \
		<(grep -v '^pass \|^  [a-z]*: [0-9.]* ms$' second) || fail "$damage" second
done
