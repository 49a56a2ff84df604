# SPDX-License-Identifier: GPL-2.0
#@ needs: target gcc
# A library that switches stacks by the first function in its list of symbols: a return address on
# its stack is not replaced. vm/user-returns has the other ways.
cat >switches.c <<'END'
void swapcontext(void);
void switches(void) { swapcontext(); }
int jumps(int (*to)(void)) { return to(); }
END
gcc -O2 -shared -fPIC -nostdlib -o switches switches.c 2>log || fail gcc log
refused E_NOT_PROBEABLE 'a jump' "$PROBEC" -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/switches\").function(\"jumps\").return { println(1) }"
grep -qF 'the program switches stacks (swapcontext)' said || fail 'another reason' said
"$PROBEC" -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/switches\").function(\"switches\").return { println(1) }" \
	>out 2>said && fail 'a jump to another file' out
grep -qF 'the program switches stacks (swapcontext)' said || fail 'another reason' said
