# SPDX-License-Identifier: GPL-2.0
# The right side of each row of the guides' tables of equivalents compiles on each kernel, and the
# commands are accepted.
#@ needs: target
# shellcheck shell=bash disable=SC2154
touch script.kp global.kp
printf 'probe begin { println($#) %%( $# > 0 %%? println(@1) %%) exit() }\n' >script.kp
printf 'global x = 0\nprobe begin { println(x) exit() }\n' >global.kp
for guide in from-bpftrace from-systemtap; do
	mkdir "$guide"
	(cd "$guide" && "$TOP/testsuite/guide" "$TOP/doc/$guide.md") || fail "$guide: no rows"
done
[ "$(find from-bpftrace -name '*.kp' | wc -l)" -ge 75 ] || fail 'few rows of from-bpftrace.md'
[ "$(find from-systemtap -name '*.kp' | wc -l)" -ge 23 ] || fail 'few rows of from-systemtap.md'
grep -o '| `[a-z]*\.kp` |' "$TOP"/doc/from-*.md | grep -o '[a-z]*\.kp' | while read -r tool; do
	[ -x "$TOP/tools/$tool" ] || fail "there is no $tool"
done || exit 1
for kernel in $KERNELS; do
	other=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
	for row in from-*/*.kp; do
		"$PROBEC" -g -w --check -r "$other" "$row" >said 2>&1 ||
			fail "doc/${row%/*}.md:${row#*/} on $kernel" "$row" said
	done
done

# Commands are those of users but for the kernel, and end before the module is loaded.
mkdir bin
cat >bin/probec <<SH
#!/bin/sh
case " \$* " in
*' -p4 '*) set -- "\$@" --disable-cache ;;
*' --remote'*) exit 0 ;;
*' -l '* | *' -L '* | *--doc* | *--dump*) ;;
*) set -- "\$@" --check ;;
esac
exec "$PROBEC" -r "$TARGET" "\$@"
SH
printf '#!/bin/sh\nexit 0\n' >bin/proberun
chmod +x bin/*
for row in from-*/*.sh; do
	PATH=$PWD/bin:$PATH sh "$row" >said 2>&1 || fail "doc/${row%/*}.md:${row#*/}" "$row" said
done
