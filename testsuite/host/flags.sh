# SPDX-License-Identifier: GPL-2.0
# @flags by the macros of headers has the numbers that a program which includes them has; each table
# of the library that it takes is in the list of doc/language.md, and each of that list is taken.
#@ needs: target
# shellcheck shell=bash disable=SC2154,SC2016
. "$TOP/testsuite/expect.sh"
words() { # PATTERN HEADERS: the words of the table for these, as NAME NUMBER
	"$PROBEC" -w -p3 -r "$TARGET" -e "probe begin { println(@flags(1, \"$1\", \"$2\")) }" \
		>emitted 2>said || fail "$1 of $2" said
	sed -n 's/^\t\t{ 0x\([0-9a-f]*\)ULL, "\(.*\)" },$/\2 \1/p' emitted
}
compared=0
while read -r pattern headers; do
	words "$pattern" "$headers" >have
	[ -s have ] || fail "no words for $pattern of $headers"
	{
		printf '#define _GNU_SOURCE\n#include <stdio.h>\n'
		sed 's/></>\n</g' <<<"$headers" | sed 's/^/#include /'
		echo 'int main(void) {'
		sed 's/\(.*\) .*/	printf("%s %llx\\n", "\1", (unsigned long long)(\1));/' have
		echo '}'
	} >judge.c
	gcc -w -o judge judge.c 2>said && ./judge >want || fail "$pattern" said
	sed 's/ ffffffff\(........\)$/ \1/' want | diff - have >said ||
		fail "$pattern of $headers" said
	# No macro that is a number with a single bit is left out.
	gcc -E -dM judge.c | sed -n 's/^#define \([A-Z_0-9]*\) (*[0-9].*/\1/p' >names
	{
		sed '/^int main/,$d' judge.c
		echo 'int main(void) { unsigned long long v;'
		while read -r name; do
			# shellcheck disable=SC2254
			case $name in $pattern) ;; *) continue ;; esac
			echo "v = $name; if (v && !(v & (v - 1))) printf(\" %llx\\n\", v);"
		done <names
		echo '}'
	} >single.c
	gcc -w -o single single.c 2>said && ./single >want || fail "$pattern" said
	while read -r value; do
		grep -q " $value\$" have || fail "$value of $headers has no word" have
	done <want
	compared=$((compared + $(wc -l <have)))
done <<'END'
O_* <fcntl.h>
EPOLL* <sys/epoll.h>
MAP_* <sys/mman.h>
IN_* <sys/inotify.h>
CLONE_* <sched.h>
POLL* <sys/socket.h><poll.h>
END
[ $compared -gt 80 ] || fail "$compared words were compared"

# The kernel's own headers, by the kernel's compiler.
words 'SB_*' 'kernel<linux/fs.h>' >have
grep -q '^SB_NOUSER 80000000$' have && grep -q '^SB_BORN 20000000$' have || fail 'SB_*' have

grep -rhoE '^function _[a-z0-9_]*_str:string \(flags:long\)' "$TOP"/tapsets/*.kp \
	"$TOP"/tapsets/x86_64/*.kp |
	sed 's/function _\(.*\)_str:.*/\1/; s/_flags$//' | sort -u >known
sed -n '/^The flags of the library are /,/\.$/p' "$TOP/doc/language.md" | grep -o '`[a-z0-9_]*`' |
	tr -d '\140' | sort >listed
diff known listed >said || fail 'the list of doc/language.md' said
{
	echo 'probe begin {'
	sed 's/.*/	println(@flags(1, "&"))/' listed
	echo '}'
} >all.kp
"$PROBEC" -w -p3 -r "$TARGET" all.kp >emitted 2>said || fail 'the tables of the library' said
