/* SPDX-License-Identifier: GPL-2.0 */
/* Argument registers that x86-64 code takes from its caller, and how it sets up its frame. */
#include "unit.h"

#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"

enum { RDI = 1, RSI = 2, RDX = 4, RCX = 8 };

/* Registers as bits by the numbers of arguments. */
static void takes(const char *code, size_t n, uint32_t reads, uint32_t writes)
{
	struct arch_taken ret;

	assert_true(arch_flow_taken((const unsigned char *)code, n, &ret));
	assert_int_equal(ret.reads, reads);
	assert_int_equal(ret.writes, writes);
}
#define TAKES(code, reads, writes) takes(code, sizeof(code) - 1, reads, writes)

TEST(registers_that_are_read)
{
	/* mov %rdi,%rbx; ret */
	TAKES("\x48\x89\xfb\xc3", RDI, 0);
	/* lea (%rdx,%rcx,4),%eax; ret */
	TAKES("\x67\x8d\x04\x8a\xc3", RDX | RCX, 0);
	/* mov %ecx,%edi; mov %rdi,%rax; ret: rdi has another value when it is used */
	TAKES("\x89\xcf\x48\x89\xf8\xc3", RCX, RDI);
	/* inc %rdi; ret: used and replaced */
	TAKES("\x48\xff\xc7\xc3", RDI, RDI);
}

TEST(registers_that_are_only_saved_or_cleared)
{
	struct arch_taken taken;

	/* push %rdi; push %rsi; mov %ecx,%esi; xor %edi,%edi; pop %rsi; pop %rdi; ret */
	TAKES("\x57\x56\x89\xce\x31\xff\x5e\x5f\xc3", RCX, RDI | RSI);
	/* mov %rdi,0x10(%rsp); or $-1,%edx; ret */
	TAKES("\x48\x89\x7c\x24\x10\x83\xca\xff\xc3", 0, RDX);
	/* mov %rdi,0x10(%rsp); xor %edi,%edi; mov %rdi,0x8(%rsp); mov %rsi,0x18(%rbp); ret */
	assert_true(arch_flow_taken((const unsigned char *)
		"\x48\x89\x7c\x24\x10\x31\xff\x48\x89\x7c\x24\x08\x48\x89\x75\x18\xc3",
		17, &taken));
	assert_int_equal(taken.stores, RDI | RSI);
	assert_int_equal(taken.reads, 0);
	/* nopw 0x0(%rdi); ret */
	TAKES("\x66\x0f\x1f\x47\x00\xc3", 0, 0);
}

TEST(all_paths)
{
	/* test %edx,%edx; je 1f; mov %edi,%eax; ret; 1: xor %edi,%edi; mov %esi,%eax; ret */
	TAKES("\x85\xd2\x74\x03\x89\xf8\xc3\x31\xff\x89\xf0\xc3", RDX | RDI | RSI, RDI);
	/* 1: add %rsi,%rax; dec %ecx; jne 1b; ret */
	TAKES("\x48\x01\xf0\xff\xc9\x75\xf9\xc3", RSI | RCX, RCX);
	/* call; mov %rdi,%rax; ret: the call has passed it on, and may have changed it */
	TAKES("\xe8\x00\x00\x00\x00\x48\x89\xf8\xc3", 0, 0);
	/* jmp far away */
	TAKES("\xe9\x00\x10\x00\x00", 0, 0);
}

TEST(vector_registers)
{
	/* pxor %xmm0,%xmm0; addsd %xmm1,%xmm0; ret */
	static const char code[] = "\x66\x0f\xef\xc0\xf2\x0f\x58\xc1\xc3";
	struct arch_taken ret;

	assert_true(arch_flow_taken((const unsigned char *)code, sizeof(code) - 1, &ret));
	assert_int_equal(ret.vector_reads, 2);
	assert_int_equal(ret.vector_writes, 1);
}

/* The beginning of a long function is followed, which may end within an instruction. */
TEST(long_code)
{
	static unsigned char code[9001];
	struct arch_taken ret;

	/* mov %rdi,%rbx; xchg %ax,%ax ...; ret */
	memcpy(code, "\x48\x89\xfb", 3);
	for (size_t i = 3; i + 2 < sizeof(code); i += 2)
		memcpy(code + i, "\x66\x90", 2);
	code[sizeof(code) - 2] = code[sizeof(code) - 1] = 0xc3;
	assert_true(arch_flow_taken(code, sizeof(code), &ret));
	assert_int_equal(ret.reads, RDI);
}

static void reads_slots(const char *code, size_t n, uint32_t slots)
{
	struct arch_taken ret;

	assert_true(arch_flow_taken((const unsigned char *)code, n, &ret));
	assert_int_equal(ret.slot_reads, slots);
}
#define READS_SLOTS(code, slots) reads_slots(code, sizeof(code) - 1, slots)

TEST(slots_of_the_caller)
{
	/* mov 0x8(%rsp),%eax; ret */
	READS_SLOTS("\x8b\x44\x24\x08\xc3", 1);
	/* push %rbx; sub $0x20,%rsp; mov 0x40(%rsp),%rax; add $0x20,%rsp; pop %rbx;
	 * mov 0x10(%rsp),%rdx; ret */
	READS_SLOTS("\x53\x48\x83\xec\x20\x48\x8b\x44\x24\x40\x48\x83\xc4\x20\x5b"
		    "\x48\x8b\x54\x24\x10\xc3", 2 | 4);
	/* push %rbp; mov %rsp,%rbp; movaps 0x20(%rbp),%xmm0; ret: two words */
	READS_SLOTS("\x55\x48\x89\xe5\x0f\x28\x45\x20\xc3", 4 | 8);
	/* movl $1,0x8(%rsp); lea 0x8(%rsp),%rax; ret: it is written */
	READS_SLOTS("\xc7\x44\x24\x08\x01\x00\x00\x00\x48\x8d\x44\x24\x08\xc3", 0);
	/* and $-16,%rsp; mov 0x8(%rsp),%rax; ret: not known what it is */
	READS_SLOTS("\x48\x83\xe4\xf0\x48\x8b\x44\x24\x08\xc3", 0);
}

TEST(code_that_is_none)
{
	struct arch_taken ret;

	assert_false(arch_flow_taken((const unsigned char *)"\x06\x06", 2, &ret));
	assert_true(arch_flow_taken((const unsigned char *)"", 0, &ret));
	assert_int_equal(ret.reads | ret.writes, 0);
}

TEST(frames)
{
	static const struct { const char *code; size_t n; bool sets; } all[] = {
		{ "\x55\x48\x89\xe5", 4, true },
		{ "\xf3\x0f\x1e\xfa\x55\x48\x8b\xec", 8, true },
		{ "\x55\x48\x89", 3, false },
		{ "\xf3\x0f\x1e\xfa\x55", 5, false },
		{ "\x53\x48\x89\xe5", 4, false },
		{ "", 0, false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *name = arch_flow_frame((const unsigned char *)all[i].code, all[i].n);

		assert_int_equal(name != NULL, all[i].sets);
		assert_true(!name || strcmp(name, "bp") == 0);
	}
}
