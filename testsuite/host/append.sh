# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A module is the same as the one that the kernel's own linker makes of the same two objects:
# sections, code, data, relocations, symbols. What is unusual is left to the linker. Scripts are
# compiled by the stages of the compiler, to the same object as by its driver.
# shellcheck shell=bash disable=SC2154
cat >small.kp <<'K'
global calls, sizes
probe kernel.function("vfs_read") { calls[execname()] <<< 1 }
probe kernel.function("vfs_read").return { if ($return > 0) sizes <<< $return }
probe end {
	foreach (n in calls- limit 3) printf("%s %d\n", n, @count(calls[n]))
	print(@hist_log(sizes))
}
K
cat >embedded.kp <<'K'
%{
#include <linux/sched.h>
static int numbers[100] = { 1 };
static const char *const words[] = { "one", "two" };
%}
function f:string (n:long) %{ numbers[STAP_ARG_n & 63]++; STAP_RETURN(words[STAP_ARG_n & 1]); %}
probe begin { println(f(pid())) }
K
cat >common.kp <<'K'
%{ int prt_common_variable __attribute__((common)); %}
function f:long () %{ STAP_RETURN(prt_common_variable); %}
probe begin { println(f()) }
K
# The kernel's linker script renames this section.
cat >renamed.kp <<'K'
%{ static void *const prt_constructor __attribute__((section(".init_array.5"), used)) = 0; %}
function f:long () %{ STAP_RETURN(1); %}
probe begin { println(f()) }
K

build() { # TARGET OPTION... SCRIPT: the kept directory, in $kept
	"$PROBEC" -g -k -vvv -p4 --disable-cache --debuginfo= -r "$@" >said 2>log ||
		fail "$* is not compiled" log
	kept=$(sed -n 's/^kept //p' log)
	[ -d "$kept" ] || fail 'nothing is kept' log
}
# Everything in a module that has a meaning, in an order of its own.
describe() { # MODULE
	local section
	# Between functions the linker has instructions that do nothing.
	objdump -drw "$1" | sed '/file format/d; /\tnopw\? *\|\tcs nopw\|\tdata16\|\tint3/d'
	for section in .rodata .data .orc_unwind .probec .note.gnu.build-id __versions; do
		echo "contents of $section"
		objcopy -O binary -j "$section" "$1" bytes && od -Ax -tx1 bytes
	done
	objdump -rw "$1" | awk '/^RELOCATION/ { of = $4 } / R_/ { print of, $0 }' | sort
	# ld also writes symbols of sections to which nothing refers.
	{ readelf -SW "$1" | sed -n 's/^ *\[ *\([0-9]\+\)\] \([^ ]*\) .*/section \1 \2/p'
		readelf -sW "$1"; } | awk '$1 == "section" { name[$2] = $3 }
		$1 ~ /^[0-9]+:$/ && $4 != "SECTION" && $4 != "FILE" {
			print $2, $3, $4, $5, $6, ($7 in name ? name[$7] : $7), $8 }' | sort
	readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' |
		awk '$2 ~ /BITS|NOTE/ && $1 !~ /^\.comment$|^\.note\.GNU-stack$/ {
			print $1, $2, $5, $(NF - 3), $NF }' | sort
}
for kernel in $KERNELS; do
	target=$("$TOP/lab/run" --target "$kernel")
	for script in small.kp embedded.kp; do
		build "$target" "$script"
		read -r _ runtime object < <(grep '^joined ' log) ||
			fail 'the linker was started' log
		lds=$(sed -n '/^-T$/{ n; p }' "${runtime%/*}/flags")
		id=$(readelf -n "$kept/module.ko" 2>/dev/null | awk '/Build ID/ { print $3 }')
		ld -r -m elf_x86_64 -z noexecstack --build-id="0x$id" -T "$lds" -o by-ld.ko \
			"${runtime%/*}/runtime.o" "$object" 2>ld-said ||
			fail "ld -r, $kernel" ld-said
		# Linux 7.2 joins .text.unlikely and others with .text, which makes no difference to
		# the loader; in ours they are apart.
		if grep -q '[*](.text .text.\[0-9a-zA-Z_\][*])' "$lds"; then
			ld -r -m elf_x86_64 -z noexecstack -T "$lds" -o ours.ko \
				"$kept/module.ko" 2>ld-said || fail "ld -r again, $kernel" ld-said
		else
			cp "$kept/module.ko" ours.ko
		fi
		describe ours.ko >ours
		describe by-ld.ko >theirs
		[ "$(wc -l <ours)" -gt 20000 ] || fail "nothing is compared, $kernel" ours
		diff theirs ours >differences ||
			fail "$script on $kernel, <: the linker's" differences
		! readelf -aW "$kept/module.ko" 2>&1 >/dev/null | grep . ||
			fail "readelf finds faults in $script on $kernel"
		rm -rf "$kept"
	done
	for script in common renamed; do
		build "$target" "$script.kp"
		grep -q '^[^ ]*ld -r ' log && ! grep -q '^joined ' log ||
			fail "$script, $kernel" log
		rm -rf "$kept"
	done
	# The same object by the driver, if the user has it look for its stages elsewhere.
	build "$target" small.kp
	grep -q '/cc1 .* -o script.s script.c$' log &&
		grep -q '^[^ ]*as .* -o script.o script.s$' log ||
		fail "the stages of the compiler are not started, $kernel" log
	cp "$kept/script.o" by-stages.o
	rm -rf "$kept"
	COMPILER_PATH=/nonexistent build "$target" small.kp
	grep -q '^[^ ]*gcc[^ ]* .* -c -o script.o script.c$' log && ! grep -q '/cc1 ' log ||
		fail "the driver is not started, $kernel" log
	cmp by-stages.o "$kept/script.o" || fail "another object by the driver, $kernel"
	rm -rf "$kept"
done
true
