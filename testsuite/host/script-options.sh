# Options and arguments that a script declares: help, their forms, and the message for each mistake.
cat >opens.kp <<'KP'
#! /usr/bin/env -S probec
# SPDX-License-Identifier: GPL-2.0
# opens - show files as they are opened
#
# A line for each file.
#
# Example:
#   # opens.kp -p 1234 'do_*'
#   cat  /etc/passwd

global only_pid = 0       #: -p, --pid=PID      show only this process
                          #:                    and no other
global failed = 0         #: -x, --failed       show only calls that failed
private global far = -1;  #: --far-away=N       a long name alone
global name = ""          #: -n, --name=NAME    show only processes with this name
global size = 5           #: -z SIZE            a letter alone
#: PATTERN    functions to trace
#: [SECONDS]  end after this time

probe begin {
	println("#: is no comment here: ", $#) /* #: nor
	here: */ # #: nor here
	printf("%d %d %d %s %d %s\n", only_pid, failed, far, name, size, @1)
	%( $# > 1 %? println(@2) %)
	exit()
}
KP
chmod +x opens.kp
show "$PROBEC" opens.kp --help
"$PROBEC" opens.kp --help >help
"$PROBEC" -c true opens.kp one -h | cmp - help || fail '-h behind the script'
"$PROBEC" -h opens.kp | grep -q '^Usage: probec' || fail '-h before the script'
"$PROBEC" - --help <opens.kp | tail -n +4 | cmp - <(tail -n +4 help) ||
	fail '--help of standard input'

# The values that a module gets, and the arguments: one line.
values() { # ARGUMENT...
	"$PROBEC" -p3 opens.kp "$@" >c 2>said || fail "$*" said
	[ ! -s said ] || fail "$*" said
	echo "$*: $(grep -oP '\.init = \K.*(?=,)|\.init_str = \{ \K.*(?=, sizeof)' c | tr '\n' ' ')"
}
values one
values one two
values -p 7 one
values one -p7
values --pid=7 one
values --pid 0x10 one
values --pi=7 one
values --fai one
values -xp 7 one
values -p 1 -p 2 --pid=3 one
values --name=-x -z 9 -n -p one
values --name= --far-away=-4 one
values -x -- one -5
values one -5
# Other options are probec's, also in a group of flags, and so are those before the script's name.
"$PROBEC" opens.kp one -xvp7 --pass=3 >c 2>said || fail 'a group of both' said
grep -q '^pass 3' said && grep -q '\.init = 7,' c && grep -q '\.init = 1,' c ||
	fail 'a group of both' c said
"$PROBEC" -p1 opens.kp one -W -Wno-unused >tree 2>said || fail 'warnings' said
# -G and an option: the option counts.
"$PROBEC" -p3 -G only_pid=3 opens.kp one | grep -q '\.init = 3,' || fail '-G'
"$PROBEC" -p3 -G only_pid=3 opens.kp one -p 4 | grep -q '\.init = 4,' || fail '-G and -p'

show "$PROBEC" opens.kp
show "$PROBEC" opens.kp one two three
show "$PROBEC" opens.kp one -p
show "$PROBEC" opens.kp one -p x
show "$PROBEC" opens.kp one --pid=
show "$PROBEC" opens.kp one -z 99999999999999999999
show "$PROBEC" opens.kp one --failed=1
show "$PROBEC" opens.kp one --fa
show "$PROBEC" opens.kp one --pdi=1
show "$PROBEC" opens.kp one --verbsoe
show "$PROBEC" opens.kp one -y
show "$PROBEC" opens.kp one --quite-another
show "$PROBEC" opens.kp -e 'probe begin { }'
show "$PROBEC" -p1 -e 'probe begin { println(@1) }' opens.kp

# A script that only describes itself has no options, and any arguments.
printf '# Says a word.\n\nprobe begin { println(@1) exit() }\n' >says.kp
show "$PROBEC" says.kp --help
show "$PROBEC" -p1 says.kp word
# Arguments that repeat, and a script without options.
printf '#: FILE...   names\nprobe begin { println(@1, $#) exit() }\n' >files.kp
show "$PROBEC" files.kp
show "$PROBEC" files.kp --help
"$PROBEC" -p2 files.kp a b >/dev/null 2>&1 || fail 'arguments that repeat'
# Kinds of arguments: short forms of probe points are written in full.
cat >kinds.kp <<'KP'
#: [N:number]           a number
#: [FUNCTION:function]  a function
#: [POINT:point]...     points
probe begin { println(@$#) exit() }
KP
sed -i 's/@\$#/%( $# > 1 %? %( $# > 2 %? @3 %: @2 %) %)/' kinds.kp
passed() { # WORD ARGUMENT...
	"$PROBEC" -w -p1 kinds.kp 1 "${@:2}" >tree
	echo "$1: $(sed -n 's/.*println(\(.*\));/\1/p' tree)"
}
for point in vfs_read 'vfs_*' /bin/bash:readline libc.so.6:malloc sched:sched_switch \
	kprobe:vfs_read kretprobe:vfs_read t:sched:sched_switch u:/bin/sh:main usdt:/bin/x:p:m \
	p::vfs_read r:c:malloc syscall.openat do_x.isra.0 'module("m").function("f")' /a/b:ns::f; do
	passed "$point" vfs_read "$point"
done
for function in vfs_read kretprobe:vfs_read /bin/sh:main 'kernel.function("f").call'; do
	passed "$function" "$function"
done
show "$PROBEC" -p1 kinds.kp x
show "$PROBEC" -p1 kinds.kp 1 sched:sched_switch
# Neither a description nor options: the help of probec.
echo 'probe begin { exit() }' >plain.kp
"$PROBEC" plain.kp --help | grep -q '^Usage: probec' || fail 'a plain script'

cat >wrong.kp <<'KP'
global a    #: -a, --aa=N   no initial value
global c = 0, d = 1 #: -c   two globals
global e = 1 + 2    #: -e   an expression
global f = 0        #: -f, --ff=N
global g = ""       #: -g, --gg   a flag that is a string
global h = 0        #: -h, --hh   the help
global i = 0        #: --color=N  probec's
global j = 0        #: -j, jj     no hyphens
global l = 0        #: -l, --ll=N good
global m = 0        #: -l, --mm=N a letter again
global n = 0        #: -n, --ll=N a name again
global l = 0        #: -o, --oo=N a global again
probe begin { x = 1 #: in a probe
}
#: lower    case
#: [FIRST]  good
#: SECOND   behind one that may be left out
#: [FIRST]  again
#: [OPEN    bracket
#:
#: [MORE]... good
#: [END]    behind all
#:::: a line
KP
show "$PROBEC" -p1 wrong.kp

# A spelling that means probec's option also where the script has that name, and which no script
# can take.
"$PROBEC" opens.kp one -x --probec-pid=1 --probec-pass=3 >c 2>said || fail '--probec-NAME' said
grep -q '\.init = 1,' c || fail '--probec-NAME: -x is not that of the script'
sed 's/--far-away/--probec-far/' opens.kp >far.kp
show "$PROBEC" far.kp one
show "$PROBEC" opens.kp one two true
