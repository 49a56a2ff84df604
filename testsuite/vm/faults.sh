# SPDX-License-Identifier: GPL-2.0
# Checks that lab/run notices what the checked kernel reports: a correct module, then one fault in
# each boot.
#@ kernels: debug
release=$("$TOP/lab/run" --release "$KERNEL")
cp "$TOP"/testsuite/faults/* .
make -C "${TARGET%/targets/*}/lab/$release/build" M="$PWD" CONFIG_DEBUG_INFO_BTF_MODULES= modules \
	>log 2>&1 ||
	fail "the module does not build" log

boot() { # FAULT
	"$TOP/lab/run" "$KERNEL" -- sh -c "insmod faults.ko fault=$1 && rmmod faults" >said 2>&1
}

boot none || fail "a module without a fault: status $?" said

reported() { # FAULT PATTERN
	boot "$1"
	local status=$?
	[ "$status" = 125 ] || fail "$1: status $status, not 125" said
	grep -qE "$2" said || fail "$1: no '$2' in what was reported" said
}
reported sleep 'BUG: sleeping function called from invalid context'
reported use-after-free 'KASAN: (slab-)?use-after-free'
reported out-of-bounds 'KASAN: slab-out-of-bounds'
reported global-out-of-bounds 'KASAN: global-out-of-bounds'
reported lock-inversion 'WARNING: possible circular locking dependency'
reported outside-rcu 'WARNING: suspicious RCU usage'
reported shift 'UBSAN: shift-out-of-bounds'
reported preemption-off 'preemption imbalance'
reported list 'list_del corruption'
reported refcount 'refcount_t: addition on 0'
reported timer 'ODEBUG: free active'
