# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: perl setpriv
#@ seconds: 900
# The right side of each row of the guides' tables of equivalents runs in one guest, and what it
# shows of a program that reads a file in blocks of 777 bytes is what the program says of itself.
# shellcheck shell=bash disable=SC2154,SC2016
. "$TOP/testsuite/expect.sh"

# These are not run: rows that need hardware or modules that a guest lacks, and those that break or
# end whatever runs there.
cat >left <<'END'
perf.hw.
module("loop")
override_return
raise(9)
process("libstdc++")
END
# FRAGMENT|N|RE: of the output of the row with FRAGMENT, exactly N lines match.
cat >expected <<'END'
println(pid(), " ", tid())|5|^@PID@ @PID@$
println(uid(), " ", gid())|5|^1234 56$
{ println(execname()) }|5|^perl$
println(cpu())|5|^[01]$
println(task_current())|5|^-[0-9]*$
real_parent->tgid|5|^@PPID@$
println(pointer_arg(1), " ", ulong_arg(3))|5|^-[0-9]* 777$
{ println($count) }|5|^777$
{ println($$parms) }|5|^file=0xff[0-9a-f]* buf=0x@BUFFER@ count=0x309 pos=0xff[0-9a-f]*$
{ println($return) }|5|^777$
println(probefunc())|5|^vfs_read$
println(pp())|5|^kernel.function("vfs_read")$
print_stack(backtrace())|5| : vfs_read+0x
print_stack(callers(3))|15| : [a-z_0-9]*+0x
print_stack(callers(3))|5| : vfs_read+0x
print_stack(callers(3))|5| : ksys_read+0x
println(randint(1000))|5|^[0-9]\{1,3\}$
println($file->f_flags)|5|^\(32768\|557056\)$
@cast(p, "struct file")->f_flags) }|5|^\(32768\|557056\)$
println($pos[0])|1|^777$
println($pos[0])|1|^3108$
{ by[execname()]++ }|1|^by\["perl"\]=5$
by[pid(), execname()]|1|^by\[@PID@,"perl"\] @count=5 @min=777 @avg=777 @max=777 @sum=3885$
println(@count(n), " "|1|^5 777 777 777$
print(@hist_log(n)) }|1|^ *512 .* 5$
@hist_linear(n, 0, 100, 10)|1|^ *>=110 .* 5$
println(elapsed_ns())|5|^[1-9][0-9]*$
println(elapsed_us())|5|^[0-9]*$
x = 1; println(x)|5|^1$
x[1, 2] = 3|1|^x\[1,2\]=3$
if (tid() in x) println|1|^1$
foreach (k in x- limit 5)|1|^perl 5$
printf("%s %d\n", execname(), pid())|5|^perl @PID@$
{ println(pid()) }|5|^@PID@$
kernel_string($file->f_path|5|^in$
printf("%#.16M\n", $buf)|5|^[0-9a-f]\{32\}$
println(d_path($file->f_path))|5|^/tmp/guides/in$
println(symname($file->f_op->read_iter))|5|_read_iter$
println(&@var("jiffies"))|5|^-[0-9]*$
println(register("rip"))|5|^-[0-9]*$
println(ip_ntop(0x0100007f))|5|^127.0.0.1$
println(ctime(gettimeofday_s()))|5|^[A-Z][a-z][a-z] [A-Z][a-z][a-z] .* 20[0-9][0-9]$
println(cmdline_str())|5|^perl work.pl$
system("date")|5|20[0-9][0-9]
vfs_read") { system("cat /proc/loadavg") }|5|^[0-9.]* [0-9.]* [0-9.]*
println(@enumname(1, "enum pid_type"))|5|^PIDTYPE_TGID$
println(@flags($file->f_flags, "open"))|5|^O_RDONLY|.*0x8000$
println(@cast_sizeof("struct file"))|5|^[0-9]*$
for (i = 0; i < 5; i++)|5|^4$
if (pid() > 1) println(1)|5|^1$
function f(x)|1|^2$
function one:long|1|^1$
println($#)|1|^0$
@defined($file) ? 1 : 0|5|^\([0-9]*\) 1 \1$
error("mine")|5|^mine$
task_execname(task_parent|5|^@PARENT@$
kernel_v >= "6.1"|5|^@AGE@$
println(@min(x), " ", @variance(x))|1|^777 0$
println(@quantile(x, 99))|1|^777$
foreach ([a, b] in x- limit 5)|1|^@PID@ perl 5$
END
for guide in from-bpftrace from-systemtap; do
	mkdir "$guide"
	(cd "$guide" && "$TOP/testsuite/guide" "$TOP/doc/$guide.md") || fail "$guide: no rows"
done
# Hits of the program's reads alone. What happens each second happens at the end, or, where it
# switches others, at the beginning.
mkdir modules
for row in from-*/*.kp; do
	! grep -qFf left "$row" || continue
	name=${row%.kp} name=${name/\//-}
	sed 's/\(probe kernel.function("vfs_read")\(.call\|.return\|\)\( if (on)\|\)\) {/\1 {\
		if (pid() != target() || $count != 777) next; /
		s/probe timer.s(1) { foreach/probe end { foreach/
		s/probe timer.s(1) { on/probe begin { on/' "$row" >"$name.kp"
	"$PROBEC" -g -w -p4 -r "$TARGET" "$name.kp" >module 2>said || fail "$row" "$row" said
	cp "$(cat module)" "modules/$name.ko"
done
[ "$(find modules -name '*.ko' | wc -l)" -gt 90 ] || fail 'few rows'
cat >work.pl <<'PL'
open my $in, "<", "/tmp/guides/in" or die;
my $text = "\0" x 800;
my $at = unpack "Q", pack "p", $text;
sysread $in, $text, 777 for 1 .. 5;
open my $facts, ">", "/tmp/guides/facts" or die;
my $parent = getppid;
open my $comm, "<", "/proc/$parent/comm";
chomp(my $name = <$comm>);
printf $facts "s/\@PID\@/%d/g; s/\@PPID\@/%d/g; s/\@PARENT\@/%s/g; s/\@BUFFER\@/%x/g\n",
	$$, $parent, $name, $at;
PL
cat >guest <<'SH'
cd "$1" || exit
mkdir -m 777 /tmp/guides
head -c 10000 /dev/urandom >/tmp/guides/in
for module in modules/*.ko; do
	name=${module#modules/} name=${name%.ko}
	timeout 60 "$PROBERUN" "$module" \
		-c 'exec setpriv --reuid=1234 --regid=56 --clear-groups perl work.pl' \
		>/tmp/out 2>/tmp/said
	echo "@ $name.status"
	echo $?
	for what in out said guides/facts; do
		echo "@ $name.${what#*/}"
		cat /tmp/$what
	done
done
SH
"$TOP/lab/run" --smp 2 --timeout 700 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" \
	>all 2>log || fail "status $?" all log
awk '/^@ / { file = $2; next } { print >file }' all
wrong=
for module in modules/*.ko; do
	name=${module#modules/} name=${name%.ko}
	# Some of these places are not reached, the program has just begun when it reads, and
	# commands may take longer than it.
	grep -sv 'warning: 0 hits: \|^ *= \|are incomplete: the loader did not know' "$name.said" |
		grep -v '^proberun: waiting for commands of system(); ' >messages
	if [ "$(cat "$name.status")" != 0 ] || [ -s messages ]; then
		echo "$name: status $(cat "$name.status")"
		cat "$name.kp" messages
		wrong=1
	fi
done
age=old
[[ $KERNEL == 5.* ]] || age=new
while IFS='|' read -r fragment n re; do
	rows=$(grep -lF -- "$fragment" from-*/*.kp) || fail "no row has $fragment"
	for row in $rows; do
		name=${row%.kp} name=${name/\//-}
		its=$(sed "$(cat "$name.facts"); s/@AGE@/$age/" <<<"$re")
		[ "$(grep -c -- "$its" "$name.out")" = "$n" ] || {
			echo "$name: $fragment: not $n lines match $its"
			head -n 20 "$name.out"
			wrong=1
		}
	done
done <expected
[ -z "$wrong" ]
