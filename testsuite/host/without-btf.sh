# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3 strace
# Types of debug information, where the kernel has no BTF, beside those of BTF: members, constants,
# arguments of tracepoints and of functions, tapsets, tools. What is refused, and why.
# shellcheck shell=bash disable=SC2154
for kernel in $KERNELS; do
	symbols=$("$TOP/lab/symbols" --if-here "$kernel") && break
done
[ -n "${symbols:-}" ] || { echo "there are no symbols of the kernels (lab/symbols)"; exit 77; }
target=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
release=$(sed -n 's/^release //p; /^section/q' "$target")
btf="$TOP/testsuite/beside/btf.py"
python3 "$btf" without "$target" "$release" >without || fail 'BTF is not taken out'
with_btf() { "$PROBEC" -r "$target" --debuginfo "$symbols" "$@"; }
without() { "$PROBEC" -r ./without --debuginfo "$symbols" "$@"; }

# Without either: both reasons, and the next step.
for script in 'probe begin { println(@cast(0, "struct file")->f_flags) }' \
	'probe begin { println(@enum("PIDTYPE_PID")) }' \
	'probe kernel.trace("sched_switch") { println($prev->pid) }' \
	'probe kernel.function("vfs_read") { println($count) }' \
	'probe netfilter.ip.pre_routing { println($skb->len) }'; do
	refused E_NO_BTF "$script" "$PROBEC" -p2 -r ./without --debuginfo= -e "$script"
done
PROBEC_CACHE=$PWD/empty "$PROBEC" -p2 -r ./without --debuginfo /nowhere -e \
	'probe begin { println(@enum("PIDTYPE_PID")) }' 2>said && fail 'a constant of nothing'
grep -q '= BTF: the captured target has none' said || fail 'why there is no BTF' said
grep -q '= debug information: there is none for kernel .*--debuginfo' said || fail 'no step' said

# With BTF, debug information is not opened.
strace -f -e trace=open,openat -o opened "$PROBEC" -p2 -r "$target" --debuginfo "$symbols" -e \
	'probe begin { println(@cast(0, "struct file")->f_flags, @enum("PIDTYPE_PID")) }
	 probe kernel.trace("sched_switch") { println($prev->pid) }' >out 2>&1 || fail 'by BTF' out
! grep -F "$symbols" opened || fail 'debug information is opened in spite of BTF'

# Members and constants: the same code, but for names that debug information has several types of,
# and for the few types that are defined within functions.
python3 "$btf" names "$target" 8 >names || fail 'no names'
[ "$(grep -c '^one' names)" -gt 7000 ] || fail 'few names' names
sed -n 's/^one \(.*\)/try { println(\1) } catch { }/p' names | split -l 2000 - part.
: >unknown
for part in part.*; do
	while
		{ echo 'probe begin {'; cat "$part"; echo '}'; } >one.kp
		! without -p3 one.kp >there 2>said
	do
		grep 'error:' said | grep -v 'E_UNKNOWN_TYPE\]$' && fail "$part" said
		grep 'error:' said >>unknown || fail "$part" said
		sed -n 's/^one.kp:\([0-9]*\):.*error:.*/\1/p' said | sed 's/$/d/' >drop
		sed -f drop one.kp | sed '1d;$d' >"$part"
	done
	with_btf -p3 one.kp >here 2>said || fail "$part with BTF" said
	diff here there >difference || fail "$part" difference
done
# Debian's 6.1, with 8200 structures and 15000 constants, has 37 such names in all.
sed "s/.* \(type\|constant\) '\([^']*\)'.*/\2/" unknown | sort -u >names.unknown
[ "$(wc -l <names.unknown)" -lt 40 ] || fail 'these are not found' names.unknown
grep -q '^several' names || fail 'no name has several types'
sed -n 's/^several //p' names | shuf -n 10 >several
while read -r expression; do
	without -p2 -e "probe begin { println($expression) }" >out 2>said && fail "$expression" out
	grep -q 'E_AMBIGUOUS\]\|E_UNKNOWN_TYPE\]' said || fail "$expression" said
done <several

# Arguments of all tracepoints, and of functions, of which gcc has merged some; tapsets, tools.
for pattern in 'kernel.trace("*")' 'kernel.function("tcp_*")' \
	'kernel.function("pci_quirk_*").return'; do
	with_btf -L "$pattern" >here 2>said || fail "$pattern" said
	without -L "$pattern" >there 2>said || fail "$pattern without BTF" said
	[ -s here ] || fail "nothing is listed of $pattern"
	diff here there >difference || fail "$pattern" difference
done
with_btf -L '*.*' >here 2>said || fail 'tapsets' said
without -L '*.*' >there 2>said || fail 'tapsets without BTF' said
# gcc may describe the parameters of a system call otherwise, which BTF merges.
diff <(grep -v syscall here) <(grep -v syscall there) >difference || fail 'tapsets' difference
for tool in $(grep -lE "@cast|kernel\.trace|->" "$TOP"/tools/*.kp); do
	with_btf -p3 "$tool" >here 2>&1
	without -p3 "$tool" >there 2>&1
	diff here there >difference || fail "$tool" difference
done

# A function whose first instruction is that of an inlined copy has its own parameters.
cat >begins.c <<'EOF'
static inline __attribute__((always_inline)) void copy(int key)
{
	__asm__ volatile("nop # %0" :: "i"(key));
}
int begins(int first, unsigned char second) { copy(5); return first + second; }
const char info[] __attribute__((section(".modinfo"))) = "name=begins";
EOF
gcc -O2 -g -fno-pie -c begins.c -o begins.ko || fail 'no module is made'
point="module(\"$PWD/begins.ko\").function(\"begins\")"
without -L "$point" >out 2>&1
grep -q ' \$first:int \$second:unsigned char$' out || fail 'a function that begins with a copy' out
without -L "$point.return" >out 2>&1
grep -q ' \$second:unsigned char \$return:int$' out || fail 'its result' out
# The same, whether a pattern or the name finds it.
without -L "${point/begins\")/*\")}.return" >pattern 2>&1
diff out pattern >difference || fail 'a pattern in a module that is named by its path' difference

# Variables of each processor.
for value in '@var("runqueues")->nr_running' '&@var("runqueues")' '@var("jiffies")'; do
	with_btf -p3 -e "probe begin { println($value) }" >here 2>&1 || fail "$value" here
	without -p3 -e "probe begin { println($value) }" >there 2>&1 || fail "$value" there
	diff here there >difference || fail "$value" difference
done

# gcc's plugin arranges members after the debug information has their order: they are refused
# whichever way their type came. The order decides on sizes as well.
python3 "$btf" without "$target" 6.1.0-shuffled >shuffled || fail 'no target'
tree=$PWD/cache/lab/6.1.0-shuffled/build
mkdir -p "$tree/include/config"
# The index of the debug information is there already.
cp -r "${PROBEC_CACHE:-$HOME/.cache/probec}/symbols" cache/ || fail 'no symbols are kept'
echo 'CONFIG_GCC_PLUGIN_RANDSTRUCT=y' >"$tree/include/config/auto.conf"
shuffled() { # PROBE
	PROBEC_CACHE=$PWD/cache "$PROBEC" -p2 -r ./shuffled \
		--debuginfo "$symbols/boot/vmlinux-$release" -e "$1"
}
for script in 'begin { println(@cast(0, "struct file")->f_flags) }' \
	'begin { println(@cast(0, "struct file", "kernel")$) }' \
	'begin { println(&@cast(0, "struct file")[1]) }' \
	'begin { println(&@cast(0, "struct file")->f_path) }' \
	'begin { println(@var("init_task")->pid) }' \
	'begin { println(@var("runqueues")->nr_running) }' \
	'kernel.trace("sched_switch") { println($prev->pid) }' \
	'kernel.trace("sched_switch") { p = $prev; println(p->pid) }' \
	'kernel.function("vfs_read") { println($file->f_flags) }' \
	'netfilter.ip.pre_routing { println($skb->len) }'; do
	shuffled "probe $script" >out 2>said && fail "$script is accepted" out
	grep -q 'randomizes the order.*\[E_BAD_ACCESS\]' said || fail "$script: another reason" said
done
shuffled 'probe kernel.trace("sched_switch") { println($preempt, @enum("PIDTYPE_TGID")) }
	probe kernel.function("vfs_read").return { println($return, @entry($count)) }' \
	>out 2>said || fail 'arguments are refused' said
