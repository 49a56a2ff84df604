# SPDX-License-Identifier: GPL-2.0
# The image of probec flame in a browser: zoom, search, tooltips, keys, the width of the window.
#@ slow
#@ needs: python3 chromium
export HOME=$PWD
cat >in.folded <<'END'
dd;entry_[k];do_syscall_64_[k];ksys_write_[k];vfs_write_[k] 50
dd;entry_[k];do_syscall_64_[k];ksys_read_[k];vfs_read_[k];read_zero_[k] 30
cc1plus;main;std::vector<int, std::allocator<int> >::push_back(int const&);operator new(unsigned long) 20
END
"$PROBEC" flame in.folded >graph.svg 2>err || fail 'flame' err
timeout 300 python3 "$TOP/testsuite/host/flame-browser.py" "$(command -v chromium)" graph.svg >out \
	2>&1 || fail 'in the browser' out
