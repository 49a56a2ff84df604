# SPDX-License-Identifier: GPL-2.0
# The runtime in user space, and fuzzing: testsuite/README.md. What is built with a sanitizer lies in
# build/asan, build/tsan and build/fuzz (clang's libFuzzer), each with the tree's own folders below.

SANITIZERS := asan tsan
asan_flags := -fsanitize=address,undefined -fno-sanitize-recover=all
tsan_flags := -fsanitize=thread -Wno-tsan

# Kernel code, as the kernel compiles it; memcpy() of nothing from nowhere is fine there.
TWIN_FLAGS := -D__KERNEL__ -Itestsuite/twin/include -Itestsuite/twin -Iruntime -Iruntime/abi -Iloader -I. \
	-fno-strict-aliasing -fno-sanitize=nonnull-attribute
TWIN_WARN := -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Wno-pointer-sign
TWIN_MODE := -std=gnu11 -D_GNU_SOURCE -MMD -MP -O1 -g -fno-omit-frame-pointer

twin_sources := $(wildcard testsuite/twin/*.c)
twin_loader_sources := loader/ring.c
twin_programs := $(patsubst %,build/%/testsuite/twin/twin,$(SANITIZERS))

define sanitizer_rules
build/$(1)/testsuite/twin/%.o: testsuite/twin/%.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(CC) $$(TWIN_FLAGS) $$(TWIN_MODE) $$($(1)_flags) $$(TWIN_WARN) -c -o $$@ $$<
build/$(1)/loader/%.o: loader/%.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(CC) -Iloader -I. -Iruntime/abi $$(TWIN_MODE) $$($(1)_flags) $$(WARN) -c -o $$@ $$<
build/$(1)/testsuite/twin/twin: $$(patsubst %.c,build/$(1)/%.o,$$(twin_sources) $$(twin_loader_sources))
	$$(call say,LINK)
	$$(Q)$$(CC) $$($(1)_flags) -o $$@ $$^ -lpthread
endef
$(foreach s,$(SANITIZERS),$(eval $(call sanitizer_rules,$(s))))

twin-tests: $(twin_programs)

check-twin:
	@testsuite/run 'twin/*'

.PHONY: twin-tests check-twin
