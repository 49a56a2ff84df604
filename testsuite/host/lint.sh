# SPDX-License-Identifier: GPL-2.0
# The sources obey the rules that testsuite/lint/run checks, and it finds violations. host/sparse
# runs the rest of it.
# shellcheck shell=bash disable=SC2154
(cd "$TOP" && testsuite/lint/run --quick) >said 2>&1 ||
	fail 'the tree breaks a rule of testsuite/lint/run' said

# Plant one violation of each rule in a copy of the tree.
mkdir -p copy/testsuite
cp -r "$TOP"/{compiler,clients,grammar,loader,grant,shared,runtime,bench} copy
cp -r "$TOP"/{doc,lab,runner,tapsets,tools,debian,packaging,editors} copy
cp "$TOP"/{check,configure,quickstart,setup.sh,Makefile.in,NEWS} copy
cp -r "$TOP"/testsuite/{lint,litmus,analyse,parse,host,live,vm,*.sh} copy/testsuite
cd copy || exit 1
testsuite/lint/run --quick >../said 2>&1 ||
	fail 'the copy breaks a rule of testsuite/lint/run' ../said
sed -i 's/^Version: .*/Version: 9/' packaging/probec.spec
echo '#include "emit/emit.h"' >compiler/base/above.c
mkdir compiler/nowhere
echo 'int nowhere;' >compiler/nowhere/nowhere.c
echo '#include "target/btf/btf.h"' >compiler/emit/no.c
echo '#include "../../runtime/memory.h"' >loader/common/elsewhere.c
echo '#include "runtime/memory.h"' >loader/common/elsewhere.h
echo '#include "attach/attach.h"' >runtime/abi/above.h
echo '#include <bpf/btf.h>' >compiler/parse/libbpf.c
echo '#include <elfutils/libdw.h>' >loader/common/libdw.c
echo '#include <linux/types.h>' >compiler/parse/linux.c
# Names are read from objects.
mkdir -p build/compiler/parse build/runtime
echo 'int strange_name, named_well, parse_well;' | tee compiler/parse/named.c >runtime/format.c
gcc -c -o build/compiler/parse/named.o compiler/parse/named.c || fail 'no object for a strange name'
cp build/compiler/parse/named.o build/runtime/format.o
printf 'int tab;\t/*%079d */\n' 0 >compiler/base/fits.c
printf 'int tab;\t/*%080d */\n' 0 >compiler/base/wide.c
printf '/* %095d */\n' 0 | tee loader/common/wide.h >runtime/wide.c
printf '// SPDX\n// comment\n' >loader/common/slashes.c
printf 'int is_same(char *a)\n{\n\treturn !strcmp(a, "");\n}\n' >loader/common/dialect.c
printf \
	'int c(char *a)\n{\n\tif (strcmp(a, ")") && *a)\n\t\treturn strcmp(a, "") != 0;\n\treturn strcmp(a, "");\n}\n' \
	>compiler/base/order.c
{ printf 'int fits(void)\n{\n'; yes '	;' | head -n 59; echo '}'; } >runtime/fits.c
{ printf 'int much(int n)\n{\n'; yes '	;' | head -n 60; echo '}'; } >runtime/much.c
yes ';' | head -n 601 >bench/long.c
printf 'int gap(int n)\n{\n\tint a = n,\n\t    b[] = {\n\t\t1,\n\t};\n\tstruct gap *c;\n\t/* n */\n\ta += b[0];\n\tconst char *d = c;\n
\treturn *d; /*\n\tint e;\n\t*/\n}\n' >loader/show/gap.c
printf '%0101d\n' 0 >doc/wide.md
printf '.B %0101d\n%0101d\n' 0 0 >doc/wide.1
printf '#@ run: %0101d\nprobe begin { println("%0100d") }\n' 0 0 >tapsets/wide.kp
printf 'echo "%0100d"\n' 0 >lab/wide.sh
sed -i '/err.E_LIMIT.sizes/s/2$/3/' testsuite/lint/wide-left
printf "/* Of the two, the first. */\nstruct site {\n\tint n;\n};\n" >clients/list/words.c
printf \
	'/** one - what it does. */\nstruct token {\n\tint n;\n};\nstruct site {\n\tint n; /* What counts. */\n};\n' \
	>compiler/base/regex/words.h
printf \
	'#!/bin/sh\n#\n# tools/words FILE - what it reads.\n\n# %099d\nf() { # WHAT it says\n' 0 >tools/words
printf '# Of the two,\n# what counts.\nprobe begin { } # Those of "# What"\n' >tapsets/words.kp
printf '/* Which is read. */\n' >testsuite/words.c
printf 'struct prt_site {\n\tint n;\n};\n' >runtime/words.h
printf 'struct probe {\n\tint n;\n};\n' >loader/common/words.h
echo 'shared/buf.c 1' >>testsuite/lint/comments-left
echo 'shared/buf.c buf' >>testsuite/lint/terms-left
printf '| %0101d |\n```\n%0101d\n```\n    %0101d\n' 0 0 0 >doc/code.md
echo 'shared/buf.c buf_puts 70' >>testsuite/lint/long-functions
sed -i 's/| ring |$/| ringed |/' runtime/README.md
testsuite/lint/run --quick >../found 2>&1 && fail 'faults in the sources, and status 0' ../found
cd ..
cat >expected <<'END'
error: the version is that of configure
  packaging/probec.spec: Version: 9
error: a file has 600 lines at most
  bench/long.c: 601 lines
error: a function has 60 lines at most, but for those in testsuite/lint/long-functions
  runtime/much.c:2: much() has 61 lines
  testsuite/lint/long-functions: 'shared/buf.c buf_puts' is not needed
error: a line has 100 columns at most
  compiler/base/wide.c:1: 101 columns
  loader/common/wide.h:1: 101 columns
  runtime/wide.c:1: 101 columns
error: a comment of a script has 100 columns at most
  tools/words:5: 101 columns
error: a line of a script has 100 columns at most, but for those in testsuite/lint/wide-left
  lab/wide.sh:1: 107 columns
  tapsets/wide.kp:2: 127 columns
  testsuite/lint/wide-left: 'testsuite/parse/err.E_LIMIT.sizes.kp' has 2, not 3
error: a line of a document has 100 columns at most
  doc/wide.1:2: 101 columns
  doc/wide.md:1: 101 columns
error: comments are /* */
  loader/common/slashes.c:1:// SPDX
  loader/common/slashes.c:2:// comment
error: blank lines stand between declarations and statements
  loader/show/gap.c:8: no blank line after declarations
  loader/show/gap.c:10: no blank line before declarations
error: strings are compared by == 0 or != 0
  compiler/base/order.c:3: 	if (strcmp(a, ")") && *a)
  loader/common/dialect.c:3: 	return !strcmp(a, "");
error: a flag and what answers yes or no are bool
  loader/common/dialect.c:1:int is_same(char *a)
error: a comment does not begin with a fragment, but for those in testsuite/lint/comments-left
  clients/list/words.c:1: a comment begins with "Of"
  compiler/base/regex/words.h:1: a comment begins with "what"
  compiler/base/regex/words.h:6: a comment begins with "What"
  tapsets/words.kp:1: a comment begins with "Of"
  tapsets/words.kp:3: a comment begins with "Those"
  testsuite/lint/comments-left: 'shared/buf.c' is not needed
  testsuite/words.c:1: a comment begins with "Which"
  tools/words:3: a comment begins with "what"
error: a type's name has one meaning, but for those in testsuite/lint/terms-left
  clients/list/words.c:2: struct site: doc/glossary.md defines the term "site" elsewhere
  compiler/base/regex/words.h:5: struct site: doc/glossary.md defines the term "site" elsewhere
  compiler/parse/token.h:13: struct token: compiler/base/regex/words.h defines another one
  loader/common/words.h:1: struct probe: doc/glossary.md defines the term "probe" elsewhere
  runtime/words.h:1: struct prt_site: doc/glossary.md defines the term "site" elsewhere
  testsuite/lint/terms-left: 'shared/buf.c buf' is not needed
error: includes follow the order of testsuite/lint/order
  compiler/base/above.c:1: compiler/base includes emit/emit.h of compiler/emit, which is above it
  compiler/emit/no.c:1: compiler/emit includes target/btf/btf.h of compiler/target/btf, which is forbidden
  compiler/nowhere/nowhere.c: no entry of testsuite/lint/order has its folder
  loader/common/elsewhere.c:1: loader/common includes ../../runtime/memory.h of runtime, another program
  loader/common/elsewhere.h:1: loader/common includes runtime/memory.h of runtime, another program
  runtime/abi/above.h:1: runtime/abi includes attach/attach.h of runtime/attach, which is above it
error: only target/dwarf, target/object and clients/lines include libdw
  loader/common/libdw.c:1:#include <elfutils/libdw.h>
error: only compiler/target/btf includes libbpf
  compiler/parse/libbpf.c:1:#include <bpf/btf.h>
error: the compiler includes no kernel headers
  compiler/parse/linux.c:1:#include <linux/types.h>
error: external names begin with the name of their file or folder
  compiler/parse/named.c: strange_name
error: names of the runtime begin with prt_
  named_well
  parse_well
  strange_name
error: each program of testsuite/litmus is in one row of "What orders what" (runtime/README.md)
  ring
  ringed
END
diff expected found >said || fail 'expected, and found:' said
