# SPDX-License-Identifier: GPL-2.0
#@ slow
# Memory of a program that is not resident when a probe reads or writes it
# (testsuite/programs/absent.c): nothing is lost, whatever the script does before it reads, and each
# effect of a hit happens once. Memory that other threads unmap meanwhile
# (testsuite/programs/moving.c) is an error that the script catches.
unset PROBEC_DEBUGINFO
build_program absent -g
build_program moving -g -lpthread
at="process(\"$PWD/absent\").function(\"take\")"

build reads "
global n, texts, names, kept, errors, last
function visit:string(item) {
	last = user_string(@cast(item, \"struct item\", \"$PWD/absent\")->text)
	return last
}
probe $at.call {
	n++
	texts[user_string(\$text), user_string_n(\$text, 9)] <<< 1
	if (!(user_string(\$text) in names)) printf(\"%s %s %d\\n\", \$item\$, \$item->in\$\$, \$item->next->part)
	names[user_string(\$text)]++
	for (item = \$item; item; item = @cast(item, \"struct item\")->next) names[visit(item)]++
	try { user_string(1) } catch { errors++ }
}
probe $at.return {
	kept[@entry(user_string(\$text)), @entry(\$item->in->number), user_string(@entry(\$item->in->name))]++
}
probe end {
	foreach ([a, b] in texts) println(a, \" \", b, \" \", @count(texts[a, b]))
	foreach (a+ in names) println(a, \" \", names[a])
	foreach ([a, i, b] in kept) println(a, \" \", i, \" \", b, \" \", kept[a, i, b])
	println(n, \" \", errors, \" \", last)
}"
build writes "
global n
probe $at.call {
	n++
	\$item->id = 40 + n
	@cast(\$item, \"struct item\")->part++
	\$item->next->in->number = 3
}
probe $at.return { if (user_long(@entry(\$item)) != 40 + n || user_int32(@entry(\$item->in)) != 3) println(\"not written\") }
probe end { println(n) }" -g

# Parameters in the caller's stack. That of a new process is shared with its parent until one of
# them writes.
cat >slots.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone)) void eight(int a, int b, int c, int d, int e, int f, int g,
					      long h)
{
	__asm__ volatile("" : "+m" (g), "+m" (h));
	printf("%d %ld\n", g, h);
	fflush(stdout);
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		eight(1, 2, 3, 4, 5, 6, i, 10 + i);
		if (!child)
			return 0;
		waitpid(child, NULL, 0);
	}
	return 0;
}
END
gcc -O0 -g -o slots slots.c 2>log || fail slots log
build slots "
global n
probe process(\"$PWD/slots\").function(\"eight\") { n++; \$g += 100; \$h = 1 << 40 | \$h }
probe end { println(n) }" -g

# Handlers that read before they have any effect, where each third address is none.
build keys "
global texts
probe $at.call { texts[user_string_n(\$n % 3 ? \$text : 1, 9), \$item->in->number] <<< \$item->id }
probe end {
	foreach ([a, i] in texts)
		println(a, \" \", i, \" \", @count(texts[a, i]), \" \", @sum(texts[a, i]))
}"
build prints "
probe $at.call { printf(\"%s %d\\n\", user_string(\$n % 3 ? \$item->next->text : 2), \$n % 3) }"
build locked "
global n, m
function id(item) { return @cast(item, \"struct item\", \"$PWD/absent\")->id }
probe $at.call { if (id(\$n % 3 ? \$item : 3) == 1 && n++ < 100) m++ }
probe end { println(n, \" \", m) }"
# Nothing else says that its memory is needed.
build bytes "
global n
probe $at.call { n[user_string_n(\$text, 4)]++ }
probe end { foreach (a in n) println(a, \" \", n[a]) }"

build moves "
global n, read, errors, wrong = 0
probe process(\"$PWD/moving\").function(\"take\").call {
	n++
	try { if (strlen(user_string(\$text))) wrong++; read++ } catch { errors++ }
}
probe end { println(n, \" \", read + errors == n, \" \", wrong); println(read > 0, \" \", errors > 0) }"

cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
"$PROBERUN" -o said -c './absent 300 >told' reads.ko || exit 1
check 'the program' "$(cat told)" '300 300 1 5'
check 'reads' "$(sed 's/0x[0-9a-f]*/ADDRESS/g' said)" '{.id=1, .text="over the end of a page", .in=ADDRESS, .next=ADDRESS, .part=5} {.number=7, .name="inner"} 2
over the end of a page over the  300
over the end of a page 600
second 300
over the end of a page 7 inner 300
300 300 second'
"$PROBERUN" -o said -c './absent 100 >told' writes.ko || exit 1
check 'writes' "$(cat said)" 100
check 'the program after writes' "$(cat told)" '100 100 140 6'
"$PROBERUN" -o said -c './slots >told' slots.ko || exit 1
check 'writes to the stack' "$(cat said)" 6
check 'the program after them' "$(sort -n told)" '100 1099511627786
100 1099511627786
101 1099511627787
101 1099511627787
102 1099511627788
102 1099511627788'
for how in '' --no-fast-user; do
	for name in keys prints locked; do
		"$PROBERUN" -v --suppress-handler-errors $how -o said -c './absent 300 >told' \
			$name.ko 2>messages || { cat messages; exit 1; }
		{ sort said | uniq -c; grep -o '[1-9][0-9]* errors' messages; } >$name.said
	done
	check "reads first $how" "$(sed 's/^ *//' keys.said prints.said locked.said)" \
		'1 over the  7 200 200
100 errors
100 second 1
100 second 2
100 errors
1 200 100
100 errors'
done
"$PROBERUN" -o said -c './absent 300 >told' bytes.ko || exit 1
check 'a part of a string' "$(cat said)" 'over 300'
"$PROBERUN" -o said -c './moving 2000 >told' moves.ko || exit 1
check 'memory that moves' "$(cat said)" "$(cat told) 1 0
1 1"
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
