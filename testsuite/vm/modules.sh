# SPDX-License-Identifier: GPL-2.0
#@ slow
# Probes in our own module (testsuite/modules/prey): it is loaded before and after the session
# starts, is removed below the session and loaded again; it differs from the build that the script
# was compiled for.
#@ needs: pahole
. "$TOP/testsuite/module.sh"

prey() { # VARIANT: prey.VARIANT.ko
	module_build prey "build.$1" VARIANT="$1"
	module_btf "build.$1/prey.ko"
	cp "build.$1/prey.ko" "prey.$1.ko"
}
prey 0
prey 1

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
probe kprobe.module("prey").function("prey_add").return { r += returnval() == 1 && probemod() == "prey" }
probe end { println(n, " ", r) }'
compile nothing 'probe kprobe.module("prey").function("prey_nothing") { println(1) }'
compile both "
global n, k
probe $here.function(\"prey_add\") { n += probemod() == \"prey\" }
probe kernel.function(\"vfs_write\") { k++ }
probe end { println(n, \" \", k > 0) }"
compile optional "probe $here.function(\"prey_add\") ? { println(1) }"

"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" PROBEC="$PROBEC" RUNTIME="$TOP/runtime" \
	TAPSETS="$TOP/tapsets" \
	bash "$TOP/testsuite/modules/prey/guest" "$PWD" "${part:-}" >said 2>&1 ||
		fail "status $?" said
[ ! -s said ] || fail "it said:" said
