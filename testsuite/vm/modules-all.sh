# SPDX-License-Identifier: GPL-2.0
# The rest of what vm/modules.sh looks at: wildcards, two sessions, unloading under load, ends while the module comes or goes,
# points that can't be armed, a module of which nothing is known.
#@ needs: pahole
#@ slow
part=all
. "$TOP/testsuite/vm/modules.sh"
