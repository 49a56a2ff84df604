# SPDX-License-Identifier: GPL-2.0
# The rest of vm/modules.sh: wildcards, two sessions, unloading under load, ends while the module is
# loaded or removed, points that cannot be armed, a module without any information.
#@ needs: pahole
#@ slow
part=all
. "$TOP/testsuite/vm/modules.sh"
