# SPDX-License-Identifier: GPL-2.0
# The runtime in user space, and fuzzing: testsuite/README.md. Builds with sanitizers are in
# build/asan, build/tsan and build/fuzz (clang's libFuzzer), each with the folders of the tree.

TWIN_CLANG := clang
asan_flags := -fsanitize=address,undefined -fno-sanitize-recover=all
tsan_flags := -fsanitize=thread
fuzz_flags := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
asan_cc = $(CC)
tsan_cc = $(CC)
fuzz_cc = $(TWIN_CLANG)

# Kernel code is compiled with the kernel's assumptions; memcpy() of 0 bytes from NULL is valid
# there.
twin_mode := -std=gnu11 -D_GNU_SOURCE -MMD -MP -O1 -g -fno-omit-frame-pointer $(CPPFLAGS)
twin_runtime_flags := -D__KERNEL__ -Ibuild/twin -Itestsuite/twin -Iruntime -Iruntime/abi -Iloader -I. \
	-fno-strict-aliasing -fno-sanitize=nonnull-attribute -mno-red-zone \
	-Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Wno-pointer-sign
twin_loader_flags := -Iloader -I. -Iruntime/abi $(LOADER_CFLAGS) $(WARN)
twin_compiler_flags = -Icompiler -Iclients -I. -Ibuild -Iruntime/abi $(LIB_CFLAGS) $(WARN)
twin_grant_flags := -Igrant -I. $(GRANT_CFLAGS) $(WARN)
twin_shared_flags := -I. $(WARN)
twin_libs = $(if $(filter grant,$(1)),$(GRANT_LIBS)) $(if $(filter compiler,$(1)),$(LIBS)) $(if $(filter loader,$(1)),$(LOADER_LIBS)) -lpthread

# The headers that testsuite/twin/kernel_headers.h stands for.
twin_headers := $(patsubst %,build/twin/%,$(shell sed -n 's|^/\* ---- \(.*\.h\) ---- \*/$$|\1|p' testsuite/twin/kernel_headers.h))
$(twin_headers):
	@mkdir -p $(@D)
	@echo '#include "kernel_headers.h"' >$@
twin-headers: $(twin_headers)

twin_sources := $(wildcard testsuite/twin/*.c)
twin_programs := build/asan/testsuite/twin/twin build/tsan/testsuite/twin/twin

# Rules for one sanitizer.
define twin_rules
build/$(1)/testsuite/twin/%.o: testsuite/twin/%.c | $$(twin_headers)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_runtime_flags) -c -o $$@ $$<
build/$(1)/loader/%.o: loader/%.c config.h
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_loader_flags) -c -o $$@ $$<
build/$(1)/shared/%.o: shared/%.c config.h
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_shared_flags) -c -o $$@ $$<
build/$(1)/grant/%.o: grant/%.c config.h
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_grant_flags) -c -o $$@ $$<
build/$(1)/runtime/format.o: runtime/format.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_loader_flags) -c -o $$@ $$<
build/$(1)/compiler/%.o: compiler/%.c config.h | $$(generated_headers)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_compiler_flags) -c -o $$@ $$<
build/$(1)/clients/%.o: clients/%.c config.h | $$(generated_headers)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_compiler_flags) -c -o $$@ $$<
build/$(1)/build/grammar/%.o: build/grammar/%.c config.h | $$(generated_headers)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(twin_compiler_flags) $$(WARN_GENERATED) -c -o $$@ $$<
build/$(1)/testsuite/fuzz/frame/%.o: testsuite/fuzz/frame/%.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($(1)_cc) $$(twin_mode) $$($(1)_flags) $$(WARN) -c -o $$@ $$<

build/$(1)/twin-runtime.a: $(patsubst %.c,build/$(1)/%.o,$(filter-out %/main.c,$(twin_sources)) loader/device/ring.c)
build/$(1)/twin-loader.a: $(patsubst %.c,build/$(1)/%.o,$(filter-out %/main.c,$(loader_sources)) $(shared_sources) runtime/format.c)
build/$(1)/twin-compiler.a: $(patsubst %.c,build/$(1)/%.o,$(filter-out compiler/main.c,$(compiler_sources)) \
	$(grammar_sources) $(shared_sources) runtime/format.c)
build/$(1)/twin-grant.a: $(patsubst %.c,build/$(1)/%.o,$(filter-out %/main.c,$(grant_sources)) $(shared_sources))
build/$(1)/twin-runtime.a build/$(1)/twin-loader.a build/$(1)/twin-compiler.a build/$(1)/twin-grant.a:
	$$(call say,AR)
	@rm -f $$@
	$$(Q)$$(AR) rcs $$@ $$^
build/$(1)/testsuite/twin/twin: $(patsubst %.c,build/$(1)/%.o,$(twin_sources) loader/device/ring.c)
	$$(call say,LINK)
	$$(Q)$$($(1)_cc) $$($(1)_flags) -o $$@ $$^ -lpthread -lm
endef
$(foreach s,asan tsan fuzz,$(eval $(call twin_rules,$(s))))

# A fuzzing target is one file, linked with what its comment says: "links: loader".
fuzz_targets := $(patsubst testsuite/fuzz/%.c,%,$(wildcard testsuite/fuzz/*.c))
fuzz_replays := $(patsubst %,build/asan/testsuite/fuzz/%,$(fuzz_targets))
fuzz_programs := $(patsubst %,build/fuzz/testsuite/fuzz/%,$(fuzz_targets))
define fuzz_rules
fuzz_links_$(1) := $(shell sed -n 's|^/\* links: \([a-z]*\) \*/$$|\1|p' testsuite/fuzz/$(1).c)
build/asan/testsuite/fuzz/$(1).o build/fuzz/testsuite/fuzz/$(1).o: build/%/testsuite/fuzz/$(1).o: testsuite/fuzz/$(1).c | $$(twin_headers)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$($$*_cc) $$(twin_mode) $$($$*_flags) -Itestsuite/fuzz/frame $$(twin_$$(fuzz_links_$(1))_flags) -c -o $$@ $$<
build/asan/testsuite/fuzz/$(1): build/asan/testsuite/fuzz/$(1).o build/asan/testsuite/fuzz/frame/replay.o \
		build/asan/twin-$$(fuzz_links_$(1)).a
	$$(call say,LINK)
	$$(Q)$$(CC) $$(asan_flags) -o $$@ $$^ $$(call twin_libs,$$(fuzz_links_$(1)))
build/fuzz/testsuite/fuzz/$(1): build/fuzz/testsuite/fuzz/$(1).o build/fuzz/twin-$$(fuzz_links_$(1)).a
	$$(call say,LINK)
	$$(Q)$$(TWIN_CLANG) $$(fuzz_flags) -fsanitize=fuzzer -o $$@ $$^ $$(call twin_libs,$$(fuzz_links_$(1)))
endef
$(foreach t,$(fuzz_targets),$(eval $(call fuzz_rules,$(t))))

twin-tests: $(twin_programs) $(fuzz_replays)
fuzz-programs: $(if $(TARGET),$(patsubst %,build/fuzz/testsuite/fuzz/%,$(TARGET)),$(fuzz_programs))

check-twin:
	@testsuite/run 'twin/*' 'fuzz/*'

# make fuzz SECONDS=600 TARGET='meta format': runs each target for that time, one after the other.
SECONDS := 60
fuzz:
	@testsuite/fuzz/run "$(TWIN_CLANG)" "$(SECONDS)" $(or $(TARGET),$(fuzz_targets))

.PHONY: twin-headers twin-tests fuzz-programs check-twin fuzz
