# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# For a kernel that checks the types of functions (kCFI), a script has a function of the type of
# each tracepoint: with the structures declared before, integers without typedefs, const behind
# pointers. A type that can't be written has none; nor has any on another kernel.
own_cache
release=6.9.0-1-cloud-amd64
tree=cache/lab/$release/build
mkdir -p cache/targets $tree/include/{generated,config}
sed "2s/release .*/release $release/" "$TARGET" >cache/targets/$release
echo "#define UTS_RELEASE \"$release\"" >$tree/include/generated/utsrelease.h
script='probe kernel.trace("sched_switch"), kernel.trace("sched_process_exec"),
	kernel.trace("sched_switch"), kernel.trace("cgroup_attach_task"),
	kernel.trace("cpuhp_enter") {
	println(pp())
}'
write() { "$PROBEC" -w -p3 -r $release -e "$script" >script.c 2>said || fail 'the script' said; }

echo 'CONFIG_X86_64=y' >$tree/include/config/auto.conf
write
! grep -q 'receive' script.c || fail 'a function that no kernel asks for' script.c

echo 'CONFIG_CFI_CLANG=y' >>$tree/include/config/auto.conf
write
task='struct task_struct \*'
for text in "_Bool a0, $task a1, $task a2, unsigned int a3" \
	"$task a0, int a1, struct linux_binprm \* a2" \
	"struct cgroup \* a0, const char \* a1, $task a2, _Bool a3"; do
	grep -q "^static void receive_[0-9]*(void \*point, $text)\$" script.c ||
		fail "no function for '$text'" script.c
done
[ "$(grep -c '^static void receive_' script.c)" = 3 ] || fail 'one for each tracepoint' script.c
[ "$(grep -c '^struct task_struct;$' script.c)" = 1 ] || fail 'the declarations' script.c
[ "$(grep -c '\.receiver = receive_' script.c)" = 4 ] || fail 'the sites' script.c
grep '"cpuhp_enter"' script.c | grep '\.offset' | grep -qv receiver ||
	fail 'a tracepoint without a function' script.c
