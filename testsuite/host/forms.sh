# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Scripts from each source, and every option in its long and short form, checked by its effect.
show "$PROBEC" -V
"$PROBEC" --version | cmp - <("$PROBEC" -V) || fail '--version is not -V'
"$PROBEC" -h | cmp - <("$PROBEC" --help) || fail '--help is not -h'
"$PROBERUN" -h | cmp - <("$PROBERUN" --help) || fail "proberun's --help is not -h"
# Each option is in the help text and in the manual.
documented() { # PROGRAM MANUAL
	local option options
	options=$("$1" -h | sed -n 's/^ *\(-.,\)\? --\([a-z-]*\).*/\2/p')
	[ "$(wc -w <<<"$options")" -gt 20 ] || fail "the options of $1 were not found"
	for option in $options; do
		sed 's/\\-/-/g' "$TOP/doc/$2" | grep -qE -e "(--|Fl -)$option" ||
			fail "--$option is not in $2"
	done
}
documented "$PROBEC" probec.1
documented "$PROBERUN" proberun.8

# A script from a file, by its interpreter line, from standard input, from several -e; arguments;
# --.
echo 'probe begin { println(@1, $2) }' >a.kp
show "$PROBEC" -p1 a.kp word 7
show "$PROBEC" a.kp -p1 word -- -7
printf '#!/usr/bin/env -S %s -p1\nprobe begin { println(@1) }\n' "$PROBEC" >s.kp
printf '#! stap -v\n#! is a comment\nprobe begin { }\n' >t.kp
chmod +x s.kp
show ./s.kp word
show "$PROBEC" -p1 t.kp
show "$PROBEC" -p1 - word 7 <a.kp
show "$PROBEC" -p1 - <<<'probe begin { x = }'
show "$PROBEC" --pass=1 --script 'probe begin { a() }' --script='function a() { }'
show "$PROBEC" -p1 -e 'probe begin { x = }' -e 'probe end { y = }'

# Limits and initial values, -w and -W.
two='global a = 1, b = "x", c probe begin { println(a, b) }'
show "$PROBEC" -p2 -r "$TARGET" -Ga=5 --global b=two -w -e "$two" | sed "s|$TARGET|TARGET|"
show "$PROBEC" -p2 --release="$TARGET" -G d=5 -G a=x --no-warnings -e "$two" |
	sed "s|$TARGET|TARGET|"
show "$PROBEC" -p2 -r "$TARGET" -e "$two" | sed "s|$TARGET|TARGET|"
show "$PROBEC" -p2 -r "$TARGET" --werror -e "$two" | sed "s|$TARGET|TARGET|"
"$PROBEC" -p3 -r "$TARGET" -DMAXACTION=77 --define MAXSTRINGLEN=64 -e 'probe begin { }' |
	grep -E 'MAX(ACTION|STRINGLEN) '

# A conditional that needs guru mode.
guru='%( guru_mode == 1 %? probe begin { } %: probe end { } %)'
show "$PROBEC" -p1 -e "$guru"
show "$PROBEC" -p1 -g -e "$guru"

# Colours appear only on request or on a terminal.
"$PROBEC" --color -p1 -e 'probe' 2>&1 | grep -q $'\033' || fail 'no colour with --color'
! "$PROBEC" --color=auto -p1 -e 'probe' 2>&1 | grep -q $'\033' || fail 'colour in a file'

# -m names the module, with or without .ko; -p4 prints its path; --disable-cache leaves the cache
# alone.
own_cache
"$PROBEC" -p4 -r "$TARGET" -e 'probe begin { }' >/dev/null 2>&1 || fail 'it does not build'
show "$PROBEC" -p4 -r "$TARGET" -m own -e 'probe begin { }' | sed "s|$TARGET|TARGET|"
grep -aq 'name=own' own.ko || fail 'own.ko has another name'
"$PROBEC" -p4 -r "$TARGET" --module-name=other.ko -e 'probe begin { }' | grep -qx 'other.ko' ||
	fail '-m NAME.ko'
before=$(find cache -name '*.ko' | sort)
[ "$("$PROBEC" -p4 -r "$TARGET" --disable-cache -e 'probe begin { println(1) }')" = probec.ko ] ||
	fail --disable-cache
[ "$(find cache -name '*.ko' | sort)" = "$before" ] || fail 'the cache was written'

# -k keeps the temporary directory and prints its path; otherwise nothing is left.
export TMPDIR=$PWD/tmp
mkdir tmp
kept=$("$PROBEC" -k -p4 --disable-cache -r "$TARGET" -e 'probe begin { }' 2>&1 >/dev/null | sed -n 's/^kept //p')
[ -f "$kept/script.c" ] || fail "-k kept nothing in '$kept'"
rm -r "$kept"
"$PROBEC" -p4 --disable-cache -r "$TARGET" -e 'probe begin { }' >/dev/null ||
	fail 'it does not build'
"$PROBEC" -p1 -e 'probe begin {' >/dev/null 2>&1
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"

# -v prints each pass, its result and its time, and the path of the cache.
"$PROBEC" -v -p4 --disable-cache -r "$TARGET" -e 'probe begin { }' 2>&1 >/dev/null |
	sed '/^  [a-z]*: [0-9.]* ms$/d; s/[0-9.]* ms, [0-9]* MiB$/N ms, N MiB/
	     s/[0-9]* bytes/N bytes/'
"$PROBEC" -p4 -r "$TARGET" -e 'probe begin { }' >/dev/null 2>&1
"$PROBEC" --verbose -p4 -r "$TARGET" -e 'probe begin { }' 2>&1 >/dev/null |
	grep -q '^pass 4: took .* from the cache' ||
	fail '-v says nothing of the cache'
