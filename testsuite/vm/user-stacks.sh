# SPDX-License-Identifier: GPL-2.0
#@ seconds: 600
# Stacks of processes beside those that libdwfl finds in the process when it is stopped at the same
# instruction (testsuite/beside/framed.c): from samples, from functions of programs and of the
# kernel, and from returns.
make -s -C "$TOP" build/testsuite/beside/framed >made 2>&1 || fail 'not built' made
framed=$TOP/build/testsuite/beside/framed
for kind in dynamic static; do
	flags=
	[ $kind = dynamic ] || flags=-static
	# shellcheck disable=SC2086
	g++ -O2 $flags -o $kind "$TOP/testsuite/programs/walks.cc" 2>log || fail "$kind" log
done
unset PROBEC_DEBUGINFO
script_options=(-g)
# Takes a stack and stops the process at that instruction.
take='{ if (pid() == target() && n < most) { n++; println(ubacktrace()); raise(19) } }'
global='global n = 0, most = 0'
build sample "$global probe timer.profile.freq.hz(37) { if (user_mode()) $take }"
build call "$global probe kernel.function(\"ksys_read\") $take"
build entry "$global probe process(\"$PWD/dynamic\").function(\"_ZL4deepj\") $take"
build return "$global probe process(\"$PWD/dynamic\").function(\"_ZL8variablej\").return $take"

# One stack in two processes at other addresses, whose file has gone when its names are printed.
cat >calls.c <<'END'
__attribute__((noinline)) int leaf(int n) { __asm__ volatile(""); return n + 1; }
__attribute__((noinline)) int middle(int n) { return leaf(n) * 2; }
int main(int argc, char **argv)
{
	int sum = 0;
	(void)argv;
	for (int i = 0; i < 3; i++)
		sum += middle(i + argc);
	return sum == 0;
}
END
gcc -O2 -fomit-frame-pointer -fpie -pie -o calls calls.c 2>log || fail calls log
build kept "
global n
probe process(\"$PWD/calls\").function(\"leaf\") { n[ubacktrace()]++ }
probe end {
	foreach (s in n) {
		println(n[s])
		print_ustack(s)
		printf(\"frame %016x %d\\n\", stack_frame(s, 0), stack_frame(s, 100))
	}
}"

# A function whose exits can't be known has its return address replaced by the kernel, and leaf's
# stack goes through it.
cat >nested.c <<'END'
__attribute__((noinline)) int leaf(int n) { __asm__ volatile(""); return n + 1; }
__attribute__((noinline)) int middle(int n)
{
	static const void *const to[] = { &&twice, &&thrice };
	goto *to[n & 1];
twice:
	return leaf(n) * 2;
thrice:
	return leaf(n) * 3;
}
int main(int argc, char **argv)
{
	int sum = 0;
	(void)argv;
	for (int i = 0; i < 4; i++)
		sum += middle(i + argc);
	return sum == 0;
}
END
gcc -O2 -fomit-frame-pointer -fpie -pie -o nested nested.c 2>log || fail nested log
build returns "
global n, r
probe process(\"$PWD/nested\").function(\"leaf\") { n[ubacktrace()]++ }
probe process(\"$PWD/nested\").function(\"middle\").return { r[ubacktrace()]++ }
probe end {
	foreach (s in n) { println(n[s]); print_ustack(s) }
	foreach (s in r) { println(r[s]); print_ustack(s) }
}"

# Code that a program makes while the session runs, and names in /tmp/perf-PID.map, or with an
# argument in a jitdump file: in two places, the second of which is mapped and named later.
cat >made.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
static int dump = -1;
static void open_dump(void)
{
	const uint32_t header[10] = { 0x4a695444, 1, sizeof(header), 62 };
	char path[64];

	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	dump = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (write(dump, header, sizeof(header)) < 0 ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		perror(path);
}
static void name_in_dump(void *at, int i)
{
	struct {
		uint32_t kind, size;
		uint64_t time, ids, old, address, bytes, number;
		char name[16];
	} it = { 0, sizeof(it), 0, 0, (uint64_t)at, (uint64_t)at, 4096, i };

	snprintf(it.name, sizeof(it.name), "dumped %d::run", i);
	if (write(dump, &it, sizeof(it)) < 0)
		perror("write");
}
int main(int argc, char **argv)
{
	/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
	static const char code[] = "\x55\x48\x89\xe5\xff\xd7\x5d\xc3";
	char path[64];
	FILE *f;

	(void)argv;
	if (argc > 1)
		open_dump();
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	for (int i = 0; i < 2; i++) {
		void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

		memcpy(at, code, sizeof(code));
		mprotect(at, 4096, PROT_READ | PROT_EXEC);
		f = dump < 0 ? fopen(path, "a") : NULL;
		if (f) {
			fprintf(f, "%lx %x made %d::run\n", (unsigned long)at, 4096, i);
			fclose(f);
		} else {
			name_in_dump(at, i);
		}
		/* It is looked at ten times a second at most, and by a busy machine later. */
		for (int calls = 0; calls < 10; calls++) {
			usleep(200000);
			((void (*)(void (*)(void)))at)(leaf);
		}
	}
	return 0;
}
END
gcc -O2 -fomit-frame-pointer -o made made.c 2>log || fail made log
build made "
probe process(\"$PWD/made\").function(\"leaf\") { print_ubacktrace() }
"

# Names in the hit, and a caller's address in a script without stack values.
leaf="probe process(\"$PWD/nested\").function(\"leaf\")"
build names "
$leaf {
	a = ustack(1)
	println(usymname(uaddr()), \" \", usymdata(a), \" \", umodname(a))
	println(usymname(1), \" \", usymdata(1), \" \", umodname(1))
	exit()
}"
build callers "$leaf { printf(\"%d %x\\n\", ustack(0) == uaddr(), ustack(1) & 4095); exit() }"
build brief "$leaf { print_ubacktrace_brief(); exit() }"

cat >guest <<END
cd '$PWD'
'$PROBERUN' made.ko -c ./made | sed 's/^/made output /'
'$PROBERUN' made.ko -c './made dump' | sed 's/^/dumped output /'
'$PROBERUN' names.ko -c ./nested | sed 's/^/names output /'
'$PROBERUN' callers.ko -c ./nested | sed 's/^/callers output /'
'$PROBERUN' brief.ko -c ./nested | sed 's/^/brief output /'
'$PROBERUN' returns.ko -c './nested' | sed 's/^/returns output /'
'$PROBERUN' kept.ko -c './calls; ./calls; rm calls' | sed 's/^/kept output /'
compare() { # NAME MODULE NUMBER COMMAND...
	local name=\$1 module=\$2 most=\$3 pid
	shift 3
	"\$@" >/dev/null 2>&1 &
	pid=\$!
	sleep 1
	(
		'$framed' \$pid \$most >theirs.\$name
		kill -9 \$pid
	) &
	timeout 300 '$PROBERUN' --native-frames \$module.ko most=\$most -x \$pid >ours.\$name \
		2>said.\$name
	echo "\$name status \$?"
	wait
	sed "s/^/\$name ours /" ours.\$name
	sed "s/\\[vdso: [0-9]*\\]/[vdso]/g; s/^/\$name theirs /" theirs.\$name
	sed "s/^/\$name said /" said.\$name
}
# Tables that earlier sessions have kept are used from here on.
[ "\$(find /run/probec/unwind -type f -size +64k | wc -l)" -ge 1 ] || echo 'no table was kept'
compare walks sample 25 ./dynamic
compare static sample 15 ./static
compare entry entry 12 ./dynamic
compare return return 12 ./dynamic
compare python sample 15 python3 -c 'while True: sorted([str(i) for i in range(2000)])'
compare perl sample 10 perl -e 'while (1) { my @a = sort map { \$_ * 7 % 113 } 1 .. 3000; s/1/b/ for @a }'
compare bash sample 10 bash -c 'while :; do x=\$((x + 1)); y=\${x//1/2}; done'
compare reads call 10 dd if=/dev/zero of=/dev/null bs=1
END
"$TOP/lab/run" "$KERNEL" -- bash ./guest >all 2>log || fail "status $?" log all

! grep '^no table' all || exit 1
# A breakpoint's process stops after the instruction, within the same frame. The judge ends at code
# without call frame information; ours says so, or knows the code.
awk '$1 == "kept" { kept = kept " " ($3 ~ /^0x/ ? $5 : $3) }
	END { sub(/\+[^ ]*/, "", kept); gsub(/\+[^ ]*/, "", kept); exit kept !~ /^ 6 leaf middle main / }' all ||
	fail 'not one stack of both processes' all
read -r leaf _ < <(nm calls | grep ' leaf$')
grep -qx "kept output frame $leaf 0" all || fail "stack_frame: not $leaf" all
awk '$1 == "returns" { names = names " " ($3 ~ /^0x/ ? $5 : $3) }
	END {
		gsub(/\+[^ ]*/, "", names)
		exit names !~ /^ 2 leaf middle main .* 2 leaf middle main .* 4 main / ||
			names ~ /[.][.][.]/
	}' all || fail 'stacks through a replaced return address' all
# The judge of the caller's address: the instruction after the first call of leaf in middle.
objdump -d --no-show-raw-insn nested | awk '/^[0-9a-f]+ <middle>:/ { start = $1; inside = 1 }
	inside && called { sub(":", "", $1); print start, $1; exit }
	inside && /call.*<leaf>/ { called = 1 }' >places
read -r start after <places
size=$(nm -S nested | awk '$4 == "middle" { print $2 }')
for how in 'made perf-PID.map' 'dumped jit-PID.dump'; do
	read -r word file <<<"$how"
	sed -n "s/^$word output *0x[0-9a-f]* : \([^+]*\).*\[\([^]]*\)\]\$/\1 \2/p" all |
		sed 's/\(perf\|jit\)-[0-9]*/\1-PID/; s|/.*/||' | paste -sd' ' >named
	for i in 0 1; do
		grep -q "leaf made $word $i::run $file main made " named ||
			fail "code that was made, $word" named all
	done
done
printf 'names output %s\n' \
	"leaf $(printf 'middle+0x%x/0x%x' $((0x$after - 0x$start)) $((0x$size))) [nested] nested" \
	'0x1 0x1 <unknown>' >named
printf 'callers output 1 %x\n' $((0x$after & 4095)) >>named
grep -E '^(names|callers) ' all | diff named - >log || fail 'names and callers in the hit' log
sed -n 's/^brief output //p' all >brief
[ "$(head -n 3 brief | sed '3s/0x.*/0x/')" = " leaf+0x0
 middle+0x$(printf %x $((0x$after - 0x$start)))
 main+0x" ] && ! grep -qvxE ' ([A-Za-z_][A-Za-z_0-9]*\+)?0x[0-9a-f]+' brief ||
	fail 'brief stacks' brief
awk 'function same_stack(ours, theirs) {
	return sub(/ guessed$/, "", theirs) ? index(ours " ", theirs " ") == 1 : ours == theirs
}
$1 ~ /^(kept|returns|made|dumped|names|callers|brief)$/ { next }
{
	name = $1; kind = $2; $1 = $2 = ""
	if (name == "entry")
		$3 = ""
	sub(/ \.\.\.$/, "")
	gsub(/ ?\[(python|perl)\][^ ]*/, "")    # the judge knows no scripts
	line[name, kind, ++count[name, kind]] = $0
	names[name]
}
END {
	for (name in names) {
		n = count[name, "ours"]
		for (i = 1; i <= n; i++)
			if (!same_stack(line[name, "ours", i], line[name, "theirs", i]))
				printf "%s: ours  %s\n%s: theirs%s\n", name, line[name, "ours", i], name,
					line[name, "theirs", i]
			else
				same[name]++
		printf "%s %d of %d\n", name, same[name], n
	}
}' all | sort >compared
[ "${COUNTS:-}" = "" ] || cat compared >>"$COUNTS"
while read -r name least; do
	awk -v name="$name" -v least="$least" '$1 == name && $3 == "of" { ok = $2 == $4 && $4 >= least }
		END { exit !ok }' compared || fail "$name: other stacks" compared all
done <<END
walks 25
static 15
entry 12
return 12
python 15
perl 10
bash 10
reads 10
END
