# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A script may come from a pipe; modules, tapsets and captured targets must be regular files. Any
# other file is rejected at once, and an endless file is not read to its end.
quick() { # STATUS WORDS COMMAND...
	local status
	timeout 60 "${@:3}" >said 2>&1
	status=$?
	[ "$status" = "$1" ] || fail "status $status: ${*:3}" said
	grep -q -- "$2" said || fail "does not say '$2': ${*:3}" said
}
mkfifo fifo
script='probe begin { println(1) }'

# Scripts: standard input, /dev/stdin, a process substitution, a FIFO.
echo "$script" | quick 0 println "$PROBEC" -p1 -
echo "$script" | quick 0 println "$PROBEC" -p1 /dev/stdin
quick 0 println "$PROBEC" -p1 <(echo "$script")
echo "$script" >fifo &
quick 0 println "$PROBEC" -p1 fifo
wait
quick 1 "can't read the script '/dev/zero': it is larger than 16 MB" "$PROBEC" -p1 /dev/zero
head -c 17000000 /dev/zero | tr '\0' ' ' >large.kp
quick 1 'it is larger than 16 MB' "$PROBEC" -p1 large.kp
quick 1 'it is larger than 16 MB' "$PROBEC" -p1 - <large.kp
quick 1 'Is a directory' "$PROBEC" -p1 .
# A writer may come late, and may take longer to write than probec waits for it to come.
(sleep 2; echo "$script" >fifo) &
quick 0 println "$PROBEC" -p1 fifo
wait
quick 0 println "$PROBEC" -p1 <(sleep 7; echo "$script")
(exec >fifo; sleep 7; echo "$script") &
quick 0 println "$PROBEC" -p1 fifo
wait
quick 1 "can't read the script 'fifo': it is a FIFO that no process writes to" "$PROBEC" -p1 fifo
# A signal ends a probec that waits for a FIFO.
timeout -s INT 1 "$PROBEC" -p1 fifo >said 2>&1
[ $? = 124 ] || fail 'a FIFO without a writer: not ended by SIGINT' said

# Tapsets and macro files.
mkdir tapsets macros
mkfifo tapsets/a.kp macros/a.kpm
quick 1 "cannot read 'tapsets/a.kp': it is not a regular file" "$PROBEC" -p2 -I tapsets -e "$script"
quick 1 "cannot read 'macros/a.kpm': it is not a regular file" "$PROBEC" -p2 -I macros -e \
	'probe begin { println(@nothing) }'

# Kernels.
quick 1 "cannot use './fifo' as a kernel: it is not a regular file" "$PROBEC" -p2 -r ./fifo -e \
	"$script"
quick 1 'it is not a regular file' "$PROBEC" -p2 -r /dev/zero -e "$script"

# An archive of relocatable files, a compressed program.
echo 'int f(void) { return 1; } int main(void) { return f(); }' >part.c
gcc -c part.c -o part.o && gcc part.o -o part && ar cr parts.a part.o part.o && gzip part ||
	fail 'the files were not made'
for file in parts.a part.gz part.o; do
	case $file in
	part.o) why='it is neither a program nor a library' ;;
	*) why='it is not an ELF file' ;;
	esac
	quick 1 "$file' can't be probed: $why" "$PROBEC" -p2 -r "$TARGET" -e \
		"probe process(\"$PWD/$file\").function(\"f\") { }"
done

# Files that a script names, plain and compressed, and headers.
mkfifo fifo.xz
for file in "$PWD/fifo" "$PWD/fifo.xz" /dev/zero; do
	quick 1 "$file: it is not a regular file" "$PROBEC" -p2 -r "$TARGET" -e \
		"probe module(\"$file\").function(\"f\") { }"
	quick 1 "'$file' can't be probed: it is not a file" "$PROBEC" -p2 -r "$TARGET" -e \
		"probe process(\"$file\").function(\"f\") { }"
	quick 1 'debug information' "$PROBEC" -p2 -r "$TARGET" -e \
		"probe begin { println(@cast(0, \"t\", \"$file\")->x) }"
done

# Saved runs and stacks, from a FIFO as well; keys.
quick 2 "can't open 'fifo': it is a FIFO that no process writes to" "$PROBEC" diff fifo fifo
for command in flame pprof; do
	quick 2 "can't open 'fifo': it is a FIFO that no process writes to" "$PROBEC" $command fifo
done
quick 0 '<svg' "$PROBEC" flame <(sleep 1; echo 'a;b 3')
(sleep 1; echo 'a;b 3' >fifo) &
quick 0 '<svg' "$PROBEC" flame fifo
wait
quick 2 "'.' is a directory" "$PROBEC" diff . .
: >key
quick 1 "can't read the key 'fifo': it is a FIFO that no process writes to" "$PROBEC" -p4 -r \
	"$TARGET" --sign fifo key -e "$script"
quick 1 "can't read the certificate 'fifo': it is a FIFO that no process writes to" "$PROBEC" -p4 \
	-r "$TARGET" --sign key fifo -e "$script"

# Completion looks for globals in the files on the command line.
mkfifo fifo.kp
printf '\n\tglobal only_here\n' >globals.kp
quick 0 'only_here=' "$PROBEC" --complete fifo.kp globals.kp -G ''

# Modules.
quick 1 "can't read the module 'fifo': it is not a regular file" "$PROBERUN" fifo
quick 1 'it is not a regular file' "$PROBERUN" /dev/zero
quick 1 'Is a directory' "$PROBERUN" .
truncate -s 1G huge.ko
quick 1 "it is larger than 256 MB" "$PROBERUN" huge.ko
