/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fast ROUNDS THREADS FILE@OFFSET... - calls functions that begin with all kinds of instructions,
 * each beside a copy of it that no probe stands on, and compares all registers and flags after
 * both; at the same time it forks, executes itself again, gets signals whose handler does the same,
 * and maps the FILEs, from OFFSET on, over each other. Files made with -DLIBRARY=N begin with
 * mapped_N there; that of -DLIBRARY=0 with a breakpoint of its own. Prints how often each function
 * was called: NAME COUNT. A difference, or a breakpoint that is lost, ends it with status 1.
 */
#define _GNU_SOURCE
#ifdef LIBRARY
#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
__asm__(".text\n.balign 65536\n.globl mapped_" STRING(LIBRARY) "\n.type mapped_" STRING(LIBRARY)
	", @function\nmapped_" STRING(LIBRARY) ":\n"
#ifdef __aarch64__
#define RESULT "mov w0, #" STRING(LIBRARY)
#if LIBRARY == 0
	"brk #5\n"
#elif LIBRARY == 1
	"stp x19, x20, [sp, #-16]!\nldp x19, x20, [sp], #16\n"
#else
	"sub sp, sp, #48\nadd sp, sp, #48\n"
#endif
#else
#define RESULT "mov $" STRING(LIBRARY) ", %eax"
#if LIBRARY == 0
	"int3\n"
#elif LIBRARY == 1
	"push %rbx\npop %rbx\n"
#else
	"sub $40, %rsp\nadd $40, %rsp\n"
#endif
#endif
	RESULT "\nret\n.size mapped_" STRING(LIBRARY) ", .-mapped_"
	STRING(LIBRARY) "\n.balign 65536\n");
#else
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __aarch64__
#define FUNCTIONS(F)                                                                           \
	F(push, "stp x29, x30, [sp, #-16]!\nldp x29, x30, [sp], #16")                          \
	F(push_wide, "stp x19, x20, [sp, #-64]!\nldp x21, x22, [sp], #64")                     \
	F(push_one, "str x23, [sp, #-16]!\nldr x24, [sp], #16") F(nop, "nop")                  \
	F(bti, "hint #34") F(sign, "hint #25\nhint #29") F(sign_b, "hint #27\nhint #31")       \
	F(mov, "mov x0, x1") F(mov_half, "mov w9, w1") F(mov_value, "mov x3, #-5")              \
	F(mov_part, "movk x4, #77, lsl #32") F(sub_sp, "sub sp, sp, #48\nadd sp, sp, #48")     \
	F(sub, "sub x0, x0, #100") F(add, "add x3, x1, x2, lsl #3") F(adds, "adds w5, w6, w7") \
	F(cmp, "cmp w0, #5") F(cmp_two, "cmp x1, x14") F(test, "tst x1, x2")                   \
	F(and, "and x0, x0, x1") F(or, "orr w2, w3, w4") F(xor, "eor x8, x11, x9, ror #9")     \
	F(bic, "bic x5, x6, x7") F(adr, "adr x0, f_push") F(adrp, "adrp x0, f_push")           \
	F(shift, "lsl x0, x1, #7") F(widen, "sxtw x0, w1") F(jump, "b 7f\n7:")                 \
	F(jump_if, "b.ne 7f\nadd x0, x0, #1\n7:") F(jump_zero, "cbz x2, 7f\nmov x2, #0\n7:")  \
	F(jump_bit, "tbnz w1, #3, 7f\nadd x9, x9, #3\n7:") F(leave_now, "")                    \
	F(load, "ldr x16, [sp]") F(multiply, "mul x0, x0, x1")
#else
#define FUNCTIONS(F)                                                                           \
	F(push, "push %rbp\npop %rbp") F(push_new, "push %r12\npop %r13")                      \
	F(push_sp, "push %rsp\npop %rax") F(nop, "nop")                                        \
	F(nop_wide, ".byte 0x66, 0x0f, 0x1f, 0x44, 0, 0") F(endbr, "endbr64")               \
	F(mov, "mov %rdi, %rax") F(mov_half, "mov %esi, %r9d") F(mov_value, "mov $-5, %ecx")   \
	F(mov_long, "mov $-7, %rdx") F(sub_sp, "sub $40, %rsp\nlea 40(%rsp), %rsp")            \
	F(sub, "sub $100, %rdi") F(add, "add %rsi, %rdx") F(add_half, "add $1000, %ebx")       \
	F(xor, "xor %eax, %eax") F(xor_new, "xor %r8, %r11") F(and, "and $-16, %rdi")          \
	F(or, "or %edx, %esi") F(test, "test %rdi, %rdi") F(test_byte, "test %dil, %dil")      \
	F(cmp, "cmp $5, %edi") F(cmp_two, "cmp %rsi, %r14") F(cmp_byte, "cmp $3, %sil")        \
	F(lea, "lea 8(%rdi, %rsi, 4), %rax") F(lea_sp, "lea -8(%rsp), %rax")                   \
	F(lea_ip, "lea f_push(%rip), %rax") F(multiply, "imul %rdi, %rax")                     \
	F(widen, "movzbl %dil, %eax") F(jump, "jmp 7f\n7:") F(leave_now, "")                   \
	F(load, "mov (%rsp), %rax\nxor %eax, %eax")
#endif

/* ret comes last in each of them. */
#define CODE(name, text) ".globl " #name "\n.type " #name ", @function\n" #name ":\n" text         \
	"\nret\n.size " #name ", .-" #name "\n.balign 16\n"
#define BOTH(name, text) __asm__(CODE(f_##name, text) CODE(g_##name, text));
#define DECLARE(name, text) void f_##name(void), g_##name(void);
#define ROW(name, text) { #name, { f_##name, g_##name } },

__asm__(".text\n");
FUNCTIONS(BOTH)
FUNCTIONS(DECLARE)

static const struct {
	const char *name;
	void (*both[2])(void);
} functions[] = { FUNCTIONS(ROW) };

enum { N = sizeof(functions) / sizeof(*functions), FILES = 3, PAGE = 65536 };
#ifdef __aarch64__
enum { REGISTERS = 27, FIXED = 0, STATUS = 0xf0000000 }; /* x0 to x15, x19 to x29 */
#else
enum { REGISTERS = 15, FIXED = 0x202, STATUS = 0x8d5 };
#endif

struct registers { uint64_t r[REGISTERS], flags; };

/* run(registers, function): calls it with these, and stores what it leaves. */
void run(struct registers *r, void (*function)(void));
#ifdef __aarch64__
#define ALL(op)                                                                                \
	op " x0, x1, [x17]\n" op " x2, x3, [x17, #16]\n" op " x4, x5, [x17, #32]\n"            \
	op " x6, x7, [x17, #48]\n" op " x8, x9, [x17, #64]\n" op " x10, x11, [x17, #80]\n"     \
	op " x12, x13, [x17, #96]\n" op " x14, x15, [x17, #112]\n"                            \
	op " x19, x20, [x17, #128]\n" op " x21, x22, [x17, #144]\n"                           \
	op " x23, x24, [x17, #160]\n" op " x25, x26, [x17, #176]\n"                           \
	op " x27, x28, [x17, #192]\n"
__asm__("run:\n"
	"stp x29, x30, [sp, #-112]!\nstp x19, x20, [sp, #16]\nstp x21, x22, [sp, #32]\n"
	"stp x23, x24, [sp, #48]\nstp x25, x26, [sp, #64]\nstp x27, x28, [sp, #80]\n"
	"str x0, [sp, #96]\nmov x17, x0\nmov x16, x1\n"
	"ldp x29, x18, [x17, #208]\nmsr nzcv, x18\n" ALL("ldp") "blr x16\n"
	"ldr x17, [sp, #96]\nmrs x18, nzcv\nstp x29, x18, [x17, #208]\n" ALL("stp")
	"ldp x19, x20, [sp, #16]\nldp x21, x22, [sp, #32]\nldp x23, x24, [sp, #48]\n"
	"ldp x25, x26, [sp, #64]\nldp x27, x28, [sp, #80]\nldp x29, x30, [sp], #112\nret\n");
#else
__asm__("run:\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\npushf\n"
	"push %rdi\npush %rsi\n"
	"push 120(%rdi)\npopf\n"
	"mov 0(%rdi), %rax\nmov 8(%rdi), %rbx\nmov 16(%rdi), %rcx\nmov 24(%rdi), %rdx\n"
	"mov 32(%rdi), %rsi\nmov 40(%rdi), %rbp\nmov 48(%rdi), %r8\nmov 56(%rdi), %r9\n"
	"mov 64(%rdi), %r10\nmov 72(%rdi), %r11\nmov 80(%rdi), %r12\nmov 88(%rdi), %r13\n"
	"mov 96(%rdi), %r14\nmov 104(%rdi), %r15\nmov 112(%rdi), %rdi\n"
	"call *(%rsp)\n"
	"push %rdi\nmov 16(%rsp), %rdi\npop 112(%rdi)\npushf\npop 120(%rdi)\n"
	"mov %rax, 0(%rdi)\nmov %rbx, 8(%rdi)\nmov %rcx, 16(%rdi)\nmov %rdx, 24(%rdi)\n"
	"mov %rsi, 32(%rdi)\nmov %rbp, 40(%rdi)\nmov %r8, 48(%rdi)\nmov %r9, 56(%rdi)\n"
	"mov %r10, 64(%rdi)\nmov %r11, 72(%rdi)\nmov %r12, 80(%rdi)\nmov %r13, 88(%rdi)\n"
	"mov %r14, 96(%rdi)\nmov %r15, 104(%rdi)\n"
	"add $16, %rsp\n"
	"popf\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");
#endif

static struct { uint64_t calls[N], mapped[FILES], failed; } *all; /* shared with children */
static struct { int fd; off_t offset; } files[FILES];
static int nfiles;
static char **arguments;
static __thread uint64_t seed = 1;
static __thread volatile sig_atomic_t traps;

static uint64_t random_number(void)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return seed >> 20 ^ seed >> 50;
}

static void count(uint64_t *of)
{
	__atomic_fetch_add(of, 1, __ATOMIC_RELAXED);
}

static void fail(const char *what, const char *name)
{
	count(&all->failed);
	fprintf(stderr, "%s: %s\n", what, name);
}

static void call_both(uint32_t nr)
{
	struct registers both[2];

	for (int i = 0; i < REGISTERS; i++)
		both[0].r[i] = random_number() >> random_number() % 64;
	both[0].flags = FIXED | (random_number() & STATUS);
	both[1] = both[0];
	count(&all->calls[nr]);
	for (int i = 0; i < 2; i++)
		run(&both[i], functions[nr].both[i]);
	if (memcmp(&both[0], &both[1], sizeof(both[0])) != 0)
		fail("registers differ", functions[nr].name);
}

static void on_alarm(int signal)
{
	uint64_t kept = seed;

	(void)signal;
	call_both((uint32_t)(kept >> 33) % N);
	seed = kept;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	traps++;
#ifdef __aarch64__
	((ucontext_t *)context)->uc_mcontext.pc += 4;
#endif
}

/* All files in turn at one address, over each other, unmapped, and moved. */
static void map_files(char *at)
{
	for (int i = 0; i < 2 * nfiles; i++) {
		int nr = i % nfiles;
		char *code = mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
				  files[nr].fd, files[nr].offset);

		if (i == nfiles)
			code = mremap(code, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
				      at + 2 * PAGE);
		for (int k = 0; k < 3; k++) {
			traps = 0;
			if (((int (*)(void))code)() != nr || traps != (nr == 0))
				fail("the code of another file ran", arguments[3 + nr]);
			count(&all->mapped[nr]);
		}
		if (i % 3 == 1)
			munmap(code, PAGE);
	}
}

/* A child that goes on with this program, or with a new one in its place. */
static void spawn(bool executes)
{
	static char *again[8];
	pid_t child;

	for (int i = 0; i < 3 + FILES; i++)
		again[i] = arguments[i];
	again[1] = "0";
	child = fork();
	if (!child) {
		for (int i = 0; i < 20; i++)
			call_both(random_number() % N);
		if (executes)
			execv("/proc/self/exe", again);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static pthread_barrier_t all_mapped;

static void *thread(void *data)
{
	uint64_t rounds = strtoull(arguments[1], NULL, 10);
	char *at = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* An address that is unmapped below must not become the stack of a later thread. */
	pthread_barrier_wait(&all_mapped);
	seed = (uint64_t)data * 77 + 1;
	for (uint64_t i = 0; i < rounds; i++) {
		call_both(random_number() % N);
		if (i % 64 == 5)
			map_files(at);
		if (i % 128 == 7)
			spawn(i % 256 == 7);
	}
	return NULL;
}

/* A program that was executed anew shares the counts, in the memory behind descriptor 3. */
static void share(void)
{
	int fd = 3;

	if (strcmp(arguments[1], "0") != 0) {
		fd = memfd_create("counts", 0);
		if (fd != 3 || ftruncate(fd, sizeof(*all)))
			exit(2);
	}
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (all == MAP_FAILED)
		exit(2);
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	struct sigaction trap = { .sa_sigaction = on_trap, .sa_flags = SA_RESTART | SA_SIGINFO };
	struct sigaction alarm = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	pthread_t threads[16];
	int n = argc > 2 ? atoi(argv[2]) : 0;

	arguments = argv;
	share();
	if (strcmp(argv[1], "0") == 0) {
		for (int i = 0; i < N; i++)
			call_both((uint32_t)i);
		return 0;
	}
	for (; nfiles < FILES && nfiles + 3 < argc; nfiles++) {
		char *offset = strchr(argv[3 + nfiles], '@');

		*offset = '\0';
		files[nfiles].fd = open(argv[3 + nfiles], O_RDONLY | O_CLOEXEC);
		files[nfiles].offset = strtol(offset + 1, NULL, 16);
	}
	sigaction(SIGALRM, &alarm, NULL);
	sigaction(SIGTRAP, &trap, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	pthread_barrier_init(&all_mapped, NULL, n > 0 ? (unsigned)n : 1);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, thread, (void *)(uintptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
	for (int i = 0; i < N; i++)
		printf("f_%s %llu\n", functions[i].name, (unsigned long long)all->calls[i]);
	for (int i = 1; i < nfiles; i++)
		printf("mapped_%d %llu\n", i, (unsigned long long)all->mapped[i]);
	return all->failed || argc < 3;
}
#endif
