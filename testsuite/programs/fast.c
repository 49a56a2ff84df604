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
__asm__(".text\n.balign 4096\n.globl mapped_" STRING(LIBRARY) "\n.type mapped_" STRING(LIBRARY)
	", @function\nmapped_" STRING(LIBRARY) ":\n"
#if LIBRARY == 0
	"int3\n"
#elif LIBRARY == 1
	"push %rbx\npop %rbx\n"
#else
	"sub $40, %rsp\nadd $40, %rsp\n"
#endif
	"mov $" STRING(LIBRARY) ", %eax\nret\n.size mapped_" STRING(LIBRARY) ", .-mapped_"
	STRING(LIBRARY) "\n.balign 4096\n");
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

enum { N = sizeof(functions) / sizeof(*functions), FILES = 3, STATUS = 0x8d5 };

struct registers { uint64_t r[15], flags; };

/* run(registers, function): calls it with these, and stores what it leaves. */
void run(struct registers *r, void (*function)(void));
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

	for (int i = 0; i < 15; i++)
		both[0].r[i] = random_number() >> random_number() % 64;
	both[0].flags = 0x202 | (random_number() & STATUS);
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

static void on_trap(int signal)
{
	(void)signal;
	traps++;
}

/* All files in turn at one address, over each other, unmapped, and moved. */
static void map_files(char *at)
{
	for (int i = 0; i < 2 * nfiles; i++) {
		int nr = i % nfiles;
		char *code = mmap(at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
				  files[nr].fd, files[nr].offset);

		if (i == nfiles)
			code = mremap(code, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, at + 8192);
		for (int k = 0; k < 3; k++) {
			traps = 0;
			if (((int (*)(void))code)() != nr || traps != (nr == 0))
				fail("the code of another file ran", arguments[3 + nr]);
			count(&all->mapped[nr]);
		}
		if (i % 3 == 1)
			munmap(code, 4096);
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
	char *at = mmap(NULL, 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

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
	signal(SIGTRAP, on_trap);
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
