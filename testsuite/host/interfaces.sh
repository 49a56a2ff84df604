# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A probe at a function of system calls is hit by those of an interface through its aliases, by all
# through the name of the function, also in an alias of the script that is named like a family.
[ "$(uname -m)" = x86_64 ] || { echo 'the functions are those of x86-64'; exit 77; }
interface() { # WANTED SCRIPT
	"$PROBEC" -p3 -w -r "$TARGET" -e "$2" >script.c 2>said || fail "$2" said
	grep -o 'interface = PRT_CALL_[0-9]*' script.c | sort -u | paste -sd' ' >got
	[ "$(cat got)" = "$1" ] || fail "$2: not '$1'" got
}
interface 'interface = PRT_CALL_64' 'probe syscall.getpid { println(1) }'
interface 'interface = PRT_CALL_64' 'probe nd_syscall.getpid { println(1) }'
interface 'interface = PRT_CALL_32' 'probe syscall32.getpid { println(1) }'
interface '' 'probe kernel.function("__x64_sys_getpid") { println(1) }'
for family in syscall nd_syscall syscall32; do
	interface '' "probe $family = kernel.function(\"__x64_sys_getpid\") { }
		probe $family { println(1) }"
done
