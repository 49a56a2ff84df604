/* SPDX-License-Identifier: GPL-2.0 */
/* The request to probec-grant: what proberun sends is taken, and anything else is refused. */
#include <fcntl.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "content.h"
#include "request.h"
#include "unit.h"

struct message {
	struct grant_request head;
	char parts[4096];
	size_t len;
};

static void add(struct message *m, const void *bytes, size_t n)
{
	memcpy(m->parts + m->len, bytes, n);
	m->len += n;
}

static size_t size_of(const struct message *m)
{
	return sizeof(m->head) + m->len;
}

/* A request with @name ("": with a descriptor), a signature if @is_signed, @n bytes of globals. */
static struct message message(const char *name, bool is_signed, const char *globals, size_t n)
{
	struct message m = { .head = { .version = GRANT_VERSION, .format = 1, .pid = 7,
				       .milliseconds = 1500, .flags = GRANT_TIMING } };
	char signature[GRANT_SIGNATURE_BYTES];

	memset(signature, 's', sizeof(signature));
	add(&m, name, m.head.name_bytes = (uint32_t)strlen(name));
	add(&m, signature, m.head.signature_bytes = is_signed ? sizeof(signature) : 0);
	add(&m, globals, m.head.globals_bytes = (uint32_t)n);
	return m;
}

#define GLOBALS "a=1\0_b2=x=y \n\0c=" /* and its NUL */

TEST(takes)
{
	struct message m = message("reads-6.1+b_1.ko", false, GLOBALS, sizeof(GLOBALS));
	static struct request r;

	assert_null(request_parse(&m, size_of(&m), 0, &r));
	assert_string_equal(r.name, "reads-6.1+b_1.ko");
	assert_int_equal(r.head.milliseconds, 1500);
	assert_false(r.is_signed);
	assert_int_equal(r.nglobals, 3);
	assert_string_equal(r.globals[0], "a=1");
	assert_string_equal(r.globals[1], "_b2=x=y \n");
	assert_string_equal(r.globals[2], "c=");
	m = message("", true, "", 0);
	assert_null(request_parse(&m, size_of(&m), 1, &r));
	assert_string_equal(r.name, "");
	assert_true(r.is_signed);
	assert_memory_equal(r.signature, "ssss", 4);
	assert_int_equal(r.nglobals, 0);
}

static void refuses(struct message m, size_t len, unsigned descriptors, const char *words)
{
	static struct request r;
	const char *wrong = request_parse(&m, len, descriptors, &r);

	if (!wrong || !strstr(wrong, words))
		fail_msg("not '%s', but %s", words, wrong ? wrong : "accepted");
}

TEST(refuses_heads)
{
	struct message good = message("x", false, "", 0), m;
	size_t len = size_of(&good);

	for (size_t i = 0; i < sizeof(m.head); i++)
		refuses(good, i, 0, "too short");
	refuses(good, len - 1, 0, "do not fit");
	refuses(good, len + 1, 0, "do not fit");
	refuses(good, len, 1, "or both");
	refuses(good, len, 2, "or both");
	m = message("", false, "", 0);
	refuses(m, size_of(&m), 0, "neither");
	refuses(m, size_of(&m), 2, "neither");
	m = good, m.head.version++;
	refuses(m, len, 0, "different versions");
	m = good, m.head.flags = GRANT_FLAGS + 1;
	refuses(m, len, 0, "out of range");
	m = good, m.head.format = GRANT_FORMATS;
	refuses(m, len, 0, "out of range");
	m = good, m.head.milliseconds = GRANT_MILLISECONDS_MAX + 1;
	refuses(m, len, 0, "out of range");
	m = good, m.head.pid = UINT32_MAX;
	refuses(m, len, 0, "out of range");
	m = good, m.head.signature_bytes = 1;
	refuses(m, len + 1, 0, "do not fit");
	m = good, m.head.name_bytes = GRANT_NAME_MAX + 1;
	refuses(m, len + GRANT_NAME_MAX, 0, "do not fit");
	m = good, m.head.globals_bytes = GRANT_GLOBALS_BYTES_MAX + 1;
	refuses(m, len + GRANT_GLOBALS_BYTES_MAX + 1, 0, "do not fit");
	/* Sums that wrap around. */
	m = good, m.head.name_bytes = UINT32_MAX, m.head.globals_bytes = 2;
	refuses(m, len, 0, "do not fit");
}

TEST(refuses_parts)
{
	static const char *const names[] = { "../x", "a/b", ".x", "a b", "a\nb", "\303\244",
					     "x%n" };
	static const char *const globals[] = { "-o=x", "--output=x", "a", "=1", "1a=2", "a b=1",
					       "a-b=1" };
	char many[(GRANT_GLOBALS_MAX + 1) * 4];
	struct message m;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		m = message(names[i], false, "", 0);
		refuses(m, size_of(&m), 0, "the name of the module");
	}
	m = message("x", false, "", 0);
	m.parts[0] = '\0';
	refuses(m, size_of(&m), 0, "the name of the module");
	for (size_t i = 0; i < sizeof(globals) / sizeof(*globals); i++) {
		m = message("x", false, globals[i], strlen(globals[i]) + 1);
		refuses(m, size_of(&m), 0, "not NAME=VALUE");
	}
	m = message("x", false, "a=1", 3);
	refuses(m, size_of(&m), 0, "does not end");
	for (size_t i = 0; i <= GRANT_GLOBALS_MAX; i++)
		memcpy(many + 4 * i, "a=1", 4);
	m = message("x", false, many, sizeof(many));
	refuses(m, size_of(&m), 0, "too many");
}

/* ---- the socket ---- */

static void send_with(int sock, const void *bytes, size_t len, const int *fds, unsigned n)
{
	union {
		char bytes[CMSG_SPACE(8 * sizeof(int))];
		struct cmsghdr head;
	} control = { { 0 } };
	struct iovec part = { (void *)(uintptr_t)bytes, len };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (n) {
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
		control.head = (struct cmsghdr){ CMSG_LEN(n * sizeof(int)), SOL_SOCKET,
						 SCM_RIGHTS };
		memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	}
	assert_int_equal(sendmsg(sock, &m, 0), len);
}

static unsigned open_descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

TEST(receives)
{
	struct message m = message("", false, "", 0);
	int socks[2], null = open("/dev/null", O_RDONLY), fds[] = { null, null, null, null, null };
	unsigned before;
	static struct request r;
	static const char long_one[GRANT_REQUEST_MAX + 1];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, socks), 0);
	before = open_descriptors();
	send_with(socks[0], &m, size_of(&m), fds, 1);
	assert_null(request_receive(socks[1], 5, &r));
	assert_true(r.module >= 0);
	assert_int_equal(fcntl(r.module, F_GETFD), FD_CLOEXEC);
	close(r.module);
	/* Descriptors of messages that are refused are closed. */
	for (unsigned n = 2; n <= 5; n++) {
		send_with(socks[0], &m, size_of(&m), fds, n);
		assert_non_null(request_receive(socks[1], 5, &r));
		assert_int_equal(r.module, -1);
	}
	m.head.version = 0;
	send_with(socks[0], &m, size_of(&m), fds, 1);
	assert_non_null(request_receive(socks[1], 5, &r));
	send_with(socks[0], long_one, sizeof(long_one), NULL, 0);
	assert_string_equal(request_receive(socks[1], 5, &r), "it is too long");
	assert_string_equal(request_receive(socks[1], 0, &r), "it did not come in time");
	assert_int_equal(open_descriptors(), before);
	close(socks[0]);
	assert_string_equal(request_receive(socks[1], 5, &r), "it is too short");
	close(socks[1]);
	close(null);
}

/* ---- the module ---- */

static int sealed(const char *text, int seals)
{
	int fd = memfd_create("test", MFD_ALLOW_SEALING);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void opens(int fd, bool is_sealed, const char *wrong)
{
	struct content c;
	const char *said = content_open(fd, is_sealed, &c);

	if (!said != !wrong || (said && strcmp(said, wrong) != 0))
		fail_msg("%s, not %s", said, wrong);
	content_deinit(&c);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

TEST(opens_modules)
{
	enum { ALL = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK };
	static const int lacking[] = { ALL & ~F_SEAL_WRITE, ALL & ~F_SEAL_GROW,
				       ALL & ~F_SEAL_SHRINK,
				       (ALL & ~F_SEAL_WRITE) | F_SEAL_FUTURE_WRITE };
	int fd;

	opens(sealed("abc", ALL), true, NULL);
	for (size_t i = 0; i < sizeof(lacking) / sizeof(*lacking); i++)
		opens(sealed("abc", lacking[i]), true, "it is not a sealed memfd");
	opens(open("/proc/self/exe", O_RDONLY), true, "it is not a sealed memfd");
	opens(open("/dev/zero", O_RDONLY), true, "it is not a sealed memfd");
	opens(open("/proc/self/exe", O_RDONLY), false, NULL);
	opens(sealed("", ALL), true, "it is empty");
	opens(open("/dev/zero", O_RDONLY), false, "it is not a file");
	fd = memfd_create("test", MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fd, GRANT_MODULE_BYTES_MAX + 1L), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, ALL), 0);
	opens(fd, true, "it is larger than 64 MB");
}

TEST(copies)
{
	int fd = memfd_create("test", 0), other = dup(fd);
	char hex[CONTENT_HEX_SIZE], bytes[4] = "";
	struct content c;

	assert_int_equal(write(fd, "abc", 3), 3);
	assert_null(content_open(fd, false, &c));
	content_hex(&c, hex);
	/* FIPS 180-2, B.1 */
	assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223"
				 "b00361a396177a9cb410ff61f20015ad");
	assert_null(content_copy(&c));
	/* The copy is another file. */
	assert_int_equal(pwrite(other, "x", 1, 0), 1);
	assert_int_equal(pread(c.fd, bytes, 3, 0), 3);
	assert_string_equal(bytes, "abc");
	content_deinit(&c);
	assert_int_equal(pwrite(other, "abc", 3, 0), 3);
	assert_null(content_open(dup(other), false, &c));
	assert_int_equal(pwrite(other, "x", 1, 0), 1);
	assert_string_equal(content_copy(&c), "it changes");
	content_deinit(&c);
	close(other);
}

/* ---- the signature ---- */

static struct {
	char pem[256];
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
} key;

static int make_key(void **state)
{
	static const unsigned char head[] = { 0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
					      0x2b, 0x65, 0x70, 0x03, 0x21, 0x00 };
	unsigned char public[sizeof(head) + crypto_sign_PUBLICKEYBYTES];
	char base64[128];

	(void)state;
	memcpy(public, head, sizeof(head));
	crypto_sign_keypair(public + sizeof(head), key.secret);
	sodium_bin2base64(base64, sizeof(base64), public, sizeof(public),
			  sodium_base64_VARIANT_ORIGINAL);
	snprintf(key.pem, sizeof(key.pem),
		 "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n", base64);
	return 0;
}

/* The bytes that were hashed are those that the signature is of, whatever happens to the file. */
TEST_WITH(checks_signatures, make_key, NULL)
{
	unsigned char signature[GRANT_SIGNATURE_BYTES];
	int fd = sealed("abc", 0);
	struct content c;
	const char *wrong;

	crypto_sign_detached(signature, NULL, (const unsigned char *)"abc", 3, key.secret);
	assert_null(content_open(dup(fd), false, &c));
	assert_null(content_check_signature(&c, signature, key.pem, strlen(key.pem)));
	content_deinit(&c);
	assert_int_equal(pwrite(fd, "x", 1, 0), 1);
	assert_null(content_open(fd, false, &c));
	assert_string_equal(content_check_signature(&c, signature, key.pem, strlen(key.pem)),
			    "the signature was not made with this key");
	assert_int_equal(pwrite(fd, "a", 1, 0), 1);
	wrong = content_check_signature(&c, signature, key.pem, strlen(key.pem));
	assert_true(wrong && strcmp(wrong, "it changes") == 0);
	content_deinit(&c);
}

/* The user keeps the file, and so the memory that a reader would fill its holes with. */
TEST_WITH(fills_no_holes, make_key, NULL)
{
	enum { SEALS = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK, SIZE = 1 << 20 };
	unsigned char signature[GRANT_SIGNATURE_BYTES];
	int fd = memfd_create("test", MFD_ALLOW_SEALING);
	struct content c;
	struct stat st;

	crypto_sign_detached(signature, NULL, (const unsigned char *)"abc", 3, key.secret);
	assert_int_equal(ftruncate(fd, SIZE), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, SEALS), 0);
	assert_null(content_open(dup(fd), true, &c));
	assert_string_equal(content_check_signature(&c, signature, key.pem, strlen(key.pem)),
			    "the signature was not made with this key");
	assert_null(content_copy(&c));
	content_deinit(&c);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_blocks, 0);
	close(fd);
}
