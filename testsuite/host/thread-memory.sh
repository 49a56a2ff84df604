# SPDX-License-Identifier: GPL-2.0
#@ needs: target gcc
# How the runtime finds thread-local memory of libraries, in user space: the table that probec emits
# and the runtime's own code, compared with what glibc itself answers. vm/thread-local has values.
cp "$TOP/testsuite/programs/thread_local.c" "$TOP/testsuite/programs/thread_memory.c" .
for name in fixed first second; do
	model=
	[ $name = fixed ] && model=-ftls-model=initial-exec
	gcc -std=gnu11 -w -O2 -g -shared -fPIC -DLIBRARY=$name $model -o lib$name.so \
		thread_local.c 2>log || fail "lib$name.so does not compile" log
done
unset PROBEC_DEBUGINFO
"$PROBEC" -p3 -r "$TARGET" -e "
probe process(\"$PWD/libfirst.so\").function(\"library_look\") { println(@var(\"own\")->a) }" \
	>script.c 2>log || fail 'the script' log
sed -n '/prt_thread_layout threads/,/^};/p' script.c >table.h
grep -v '^#include' "$TOP/runtime/thread_memory.c" >body.c
gcc -std=gnu11 -w -O2 -o compare thread_memory.c -pthread -ldl 2>log || fail 'the comparison' log
./compare "$PWD"/lib{fixed,first,second}.so >seen || fail 'glibc differs:' seen

# Texts with all variables leave out those for which the thread may have no memory.
cat >locals.c <<'END'
int look(int n) { static __thread int inner = 3; inner += n; return inner; }
END
gcc -g -O1 -shared -fPIC -o liblocals.so locals.c 2>log || fail 'liblocals.so' log
"$PROBEC" -p3 -r "$TARGET" -e \
	"probe process(\"$PWD/liblocals.so\").function(\"look\") { println(\$\$vars) }" \
	>script.c 2>log || fail 'the script' log
! grep -q 'prt_thread_block(' script.c || fail 'a variable may be missing:' script.c
grep -q 'inner=?' script.c || fail 'a variable is not named:' script.c
