# SPDX-License-Identifier: GPL-2.0
# Macros of the tapsets and of -I directories: the first definition counts, those of the script
# before all others.
# shellcheck shell=bash disable=SC2154
mkdir one two
cat >one/a.stpm <<'X'
@define twice(x) %( (2 * @x) %)
%( 1 == 1 %? @define which %( "one" %) %: @define which %( "never" %) %)
X
echo '@define which %( "two" %) @define only_two %( 2 %) @define choose_defined(a, b) %( @b %)' \
	>two/b.kpm
show "$PROBEC" -p1 -I one -I two -e 'probe begin { println(@twice(3), @which, @only_two) }'
show "$PROBEC" -p1 -I two -I one -e 'probe begin { println(@which, @choose_defined(1, 2)) }'
show "$PROBEC" -p1 -I one -e '@define which %( "mine" %) probe begin { println(@which) }'
show "$PROBEC" -p1 -e 'probe begin { println(@choose_defined(a, b)) }'
show "$PROBEC" -p1 -I one -e 'probe begin { println(@twice) }'
echo 'global x' >one/bad.kpm
show "$PROBEC" -p1 -I one -e 'probe begin { println(@twice(3)) }'
show "$PROBEC" -p1 -I one -e 'probe begin { println(1) }'
