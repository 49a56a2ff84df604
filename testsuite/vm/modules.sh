# SPDX-License-Identifier: GPL-2.0
# Probes in a module of our own (testsuite/modules): it comes before the session and after it, goes below the session and comes
# again; it is another build than the script was compiled for.
#@ needs: pahole
release=$("$TOP/lab/run" --release "$KERNEL")
build=/lib/modules/$release/build
[ -d "$build" ] || build=${TARGET%/targets/*}/lab/$release/build

# The kernel's BTF out of the target, on which that of the module stands.
head=$(LC_ALL=C grep -abo -m 1 '^section btf [0-9]*$' "$TARGET") || fail "the target has no BTF"
at=${head%%:*}
tail -c +$((at + ${#head} - ${#at} + 1)) "$TARGET" | head -c "${head##* }" >base.btf

prey() { # VARIANT: prey.VARIANT.ko
	mkdir "build.$1" && cp "$TOP"/testsuite/modules/* "build.$1"
	make -C "$build" M="$PWD/build.$1" VARIANT="$1" CONFIG_DEBUG_INFO_BTF_MODULES= modules >log 2>&1 ||
		fail "the module does not build" log
	pahole -J --btf_base base.btf "build.$1/prey.ko" >log 2>&1 || fail "pahole" log
	cp "build.$1/prey.ko" "prey.$1.ko"
}
prey 0
prey 1

compile() { # NAME SCRIPT
	"$PROBEC" -p4 -r "$TARGET" -e "$2" >module 2>said || fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
here="module(\"$PWD/prey.0.ko\")"
compile values "
probe $here.function(\"prey_add\") { printf(\"add %d %d\\n\", \$a, \$b) }
probe $here.function(\"prey_add\").return { printf(\"%d + %d = %d\\n\", \$a, \$b, \$return) }
probe $here.function(\"prey_thing\") { printf(\"%s %s %d\\n\", kernel_string(\$t->name), kernel_string(\$t->next->name), \$t->next->number) }
probe $here.function(\"prey_thing\").return { println(\$return) }
probe $here.function(\"prey_early\") { printf(\"early %d\\n\", \$x) }
probe $here.function(\"prey_early\").return { printf(\"early = %d\\n\", \$return) }
probe $here.function(\"prey_late\") { printf(\"late %d\\n\", \$x) }"
compile counts "
global n, r
probe $here.function(\"prey_*\") { n[probefunc()]++ }
probe $here.function(\"prey_*\").return { r[probefunc()]++ }
probe end { foreach ([f+] in n) printf(\"%s %d %d\\n\", f, n[f], r[f]) }"
compile unseen '
global n, r
probe kprobe.module("prey").function("prey_add") { n++ }
probe kprobe.module("pr-ey").function("prey_add") ? { n = -1000 }
probe kprobe.module("prey").function("prey_add").return { r += returnval() == 1 }
probe end { println(n, " ", r) }'
compile nothing 'probe kprobe.module("prey").function("prey_nothing") { println(1) }'
compile both "
global n, k
probe $here.function(\"prey_add\") { n++ }
probe kernel.function(\"vfs_write\") { k++ }
probe end { println(n, \" \", k > 0) }"
compile optional "probe $here.function(\"prey_add\") ? { println(1) }"

"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" PROBEC="$PROBEC" RUNTIME="$TOP/runtime" TAPSETS="$TOP/tapsets" \
	bash "$TOP/testsuite/modules/guest" "$PWD" "${part:-}" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
