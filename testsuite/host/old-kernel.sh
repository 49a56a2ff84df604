# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A kernel without the functions that the runtime is built on is refused in one line, which names
# those that it lacks, before its compiler is asked for. The build tree is one of our own, which has
# one of these functions.
# shellcheck shell=bash disable=SC2154
own_cache
release=5.10.0-1-cloud-amd64
tree=cache/lab/$release/build
mkdir -p cache/targets $tree/include/{linux,generated,config}
sed "2s/release .*/release $release/" "$TARGET" >cache/targets/$release
echo "#define UTS_RELEASE \"$release\"" >$tree/include/generated/utsrelease.h
echo 'CONFIG_CC_VERSION_TEXT="gcc-1 (Debian) 1.0"' >$tree/include/config/auto.conf
touch $tree/Module.symvers
echo 'mmap_read_trylock' >$tree/include/linux/mmap_lock.h
printf 'srctree := $(CURDIR)\nmodules:;\nsrc := $(M)\ninclude $(M)/Kbuild\n' >$tree/Makefile
compile=("$PROBEC" -p4 -r $release -e 'probe begin { exit() }')
refused E_OLD_KERNEL 'an old kernel' "${compile[@]}"
lacks='FTRACE_OPS_FL_PERMANENT proc_ops copy_from_kernel_nofault'
grep -qF "the kernel $release is too old: it lacks $lacks [" said && [ "$(wc -l <said)" = 2 ] ||
	fail 'what it lacks' said
[ -z "$(ls cache/runtime)" ] || fail 'something is in the cache'
# With all of them, the compiler is what is missing.
echo 'FTRACE_OPS_FL_PERMANENT' >$tree/include/linux/ftrace.h
echo 'proc_ops' >$tree/include/linux/proc_fs.h
echo 'copy_from_kernel_nofault' >$tree/include/linux/uaccess.h
refused E_NO_COMPILER 'a kernel that has them' "${compile[@]}"
