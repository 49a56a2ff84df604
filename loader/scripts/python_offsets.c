/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The offsets of CPython's structures. Up to 3.12 they are a table, by the headers of these
 * versions (Include/cpython, Include/internal; no release within a version has changed them). From
 * 3.13 on the interpreter publishes most of them at the beginning of _PyRuntime
 * (Include/internal/pycore_debug_offsets.h), as words that are initialised data of the file.
 */
#include <string.h>

#include "scripts/language.h"
#include "scripts/python.h"

/* ---- versions ---- */

static bool has(const struct script_file *f, const char *name)
{
	uint64_t address, size;

	return script_file_symbol(f, name, &address, &size);
}

/* Before 3.11 no symbol has the version; functions that came with one tell. */
uint32_t script_python_version(const struct script_file *f)
{
	uint64_t address, size, version;

	if (!has(f, "PyEval_EvalFrameEx"))
		return 0;
	if (script_file_symbol(f, "Py_Version", &address, &size) &&
	    script_file_bytes(f, address, &version, sizeof(version)))
		return (uint32_t)version;
	return has(f, "PyIter_Send") ? 0x030a0000 :
	       has(f, "PyThreadState_GetFrame") ? 0x03090000 :
	       has(f, "_PyEval_EvalFrameDefault") ? 0x03080000 : 0x02070000;
}

/* ---- up to 3.12 ---- */

/* 3.9 and 3.10 differ in the place of a frame's instruction alone. */
#define BEFORE_311                                                                             \
	.calls = PYTHON_ONE_FRAME, .holder = 568, .key = 584,                                  \
	.interpreters = 32, .next_interpreter = 0, .threads = 8, .next_thread = 8,             \
	.thread_id = 176, .frame = 24, .current = PYTHON_NONE,                                 \
	.previous = 24, .code = 32,                                                            \
	.owner = PYTHON_NONE, .entry = PYTHON_NONE, .tlbc_index = PYTHON_NONE,                 \
	.name = 112, .file = 104, .lines = 120, .first = 40,                                   \
	.number = PYTHON_NONE, .body = 48, .constants = 56,                                    \
	.traceable = PYTHON_NONE, .instructions = PYTHON_NONE, .tlbc = PYTHON_NONE,            \
	.code_size = 176, .basicsize = 32, .type = 8,                                          \
	.length = 16, .hash = 24, .state = 32, .kind_bit = 2,                                  \
	.ascii = 48, .compact = 72, .data = 72, .bytes_size = 16, .bytes = 32

static const struct python_offsets tables[] = {
	{ .version = 309, .lasti = 104, BEFORE_311 },
	{ .version = 310, .lasti = 96, BEFORE_311 },
	{
		.version = 311, .calls = PYTHON_ENTRY_FLAG, .holder = 576, .key = 592,
		.interpreters = 40, .next_interpreter = 0, .threads = 16, .next_thread = 8,
		.thread_id = 152, .frame = 56, .current = 8,
		.previous = 48, .code = 32, .lasti = 56, .owner = 69, .entry = 68,
		.tlbc_index = PYTHON_NONE,
		.name = 128, .file = 112, .lines = 136, .first = 72,
		.number = PYTHON_NONE, .body = 16, .constants = 24,
		.traceable = 168, .instructions = 184, .tlbc = PYTHON_NONE,
		.code_size = 184, .basicsize = 32, .type = 8,
		.length = 16, .hash = 24, .state = 32, .kind_bit = 2,
		.ascii = 48, .compact = 72, .data = 72, .bytes_size = 16, .bytes = 32,
	},
	{
		.version = 312, .calls = PYTHON_ENTRY_FRAME, .holder = PYTHON_NONE, .key = 1544,
		.thread_id = 136, .frame = 56, .current = 0,
		.previous = 8, .code = 0, .lasti = 56, .owner = 70, .entry = PYTHON_NONE,
		.tlbc_index = PYTHON_NONE,
		.name = 128, .file = 112, .lines = 136, .first = 68,
		.number = 92, .body = PYTHON_NONE, .constants = PYTHON_NONE,
		.traceable = 176, .instructions = 192, .tlbc = PYTHON_NONE,
		.code_size = 192, .basicsize = 32, .type = 8,
		.length = 16, .hash = 24, .state = 32, .kind_bit = 2,
		.ascii = 40, .compact = 56, .data = 56, .bytes_size = 16, .bytes = 32,
	},
};

/* ---- from 3.13 on ---- */

/* The numbers of words of struct _Py_DebugOffsets. */
struct published {
	unsigned interpreters_head;
	unsigned current_frame, thread_id;
	unsigned previous, executable, instr_ptr, owner, tlbc_index;
	unsigned filename, qualname, linetable, firstlineno, localsplusnames, instructions, tlbc;
	unsigned object_size, ob_type, tp_name;
	unsigned bytes_size, bytes;
	unsigned state, length, ascii_size;
};

enum { WORDS = 90, COOKIE = 0, VERSION = 1, FREE_THREADED = 2 };

static const struct published published_313 = {
	.interpreters_head = 5, .current_frame = 23, .thread_id = 24,
	.previous = 29, .executable = 30, .instr_ptr = 31, .owner = 33,
	.filename = 35, .qualname = 37, .linetable = 38, .firstlineno = 39,
	.localsplusnames = 41, .instructions = 43,
	.object_size = 44, .ob_type = 45, .tp_name = 47,
	.bytes_size = 65, .bytes = 66, .state = 68, .length = 69, .ascii_size = 70,
};

static const struct published published_314 = {
	.interpreters_head = 5, .current_frame = 26, .thread_id = 27,
	.previous = 32, .executable = 33, .instr_ptr = 34, .owner = 36, .tlbc_index = 38,
	.filename = 40, .qualname = 42, .linetable = 43, .firstlineno = 44,
	.localsplusnames = 46, .instructions = 48, .tlbc = 49,
	.object_size = 50, .ob_type = 51, .tp_name = 53,
	.bytes_size = 75, .bytes = 76, .state = 78, .length = 79, .ascii_size = 80,
};

/* From the list of interpreters to autoTSSkey in _PyRuntime, in 3.13 and 3.14. */
enum { HEAD_TO_KEY = 1528 };

/* Whether the words are those that the numbers mean: these do not depend on anything. */
static bool is_published(const uint64_t *words, const struct published *n)
{
	uint64_t object = words[FREE_THREADED] ? 32 : 16;

	for (unsigned i = FREE_THREADED + 4; i <= n->ascii_size; i++)
		if (words[i] >= 1 << 20)
			return false;
	return words[n->object_size] == object && words[n->ob_type] == object - 8 &&
	       words[n->tp_name] == object + 8 && words[n->bytes_size] == object &&
	       words[n->bytes] == object + 16 && words[n->length] == object &&
	       words[n->state] == object + 16 && words[n->ascii_size] == object + 24;
}

static void take_published(const uint64_t *words, const struct published *n,
			   struct python_offsets *ret)
{
	bool is_free = words[FREE_THREADED], has_tlbc = is_free && n->tlbc;
	uint64_t object = words[n->object_size];

	*ret = (struct python_offsets){
		.calls = PYTHON_ENTRY_FRAME, .holder = PYTHON_NONE,
		.key = (uint16_t)(words[n->interpreters_head] + HEAD_TO_KEY),
		.thread_id = (uint16_t)words[n->thread_id],
		.frame = (uint16_t)words[n->current_frame], .current = PYTHON_NONE,
		.previous = (uint16_t)words[n->previous], .code = (uint16_t)words[n->executable],
		.lasti = (uint16_t)words[n->instr_ptr], .owner = (uint16_t)words[n->owner],
		.entry = PYTHON_NONE,
		.tlbc_index = has_tlbc ? (uint16_t)words[n->tlbc_index] : PYTHON_NONE,
		.name = (uint16_t)words[n->qualname], .file = (uint16_t)words[n->filename],
		.lines = (uint16_t)words[n->linetable], .first = (uint16_t)words[n->firstlineno],
		.number = (uint16_t)(words[n->localsplusnames] - 4),
		.body = PYTHON_NONE, .constants = PYTHON_NONE,
		.instructions = (uint16_t)words[n->instructions],
		/* uint32_t co_version; PyObject *co_localsplusnames; and later
		 * int _co_firsttraceable; void *co_extra; [co_tlbc;] char co_code_adaptive[] */
		.traceable = (uint16_t)(words[n->instructions] - (has_tlbc ? 24 : 16)),
		.tlbc = has_tlbc ? (uint16_t)words[n->tlbc] : PYTHON_NONE,
		.code_size = (uint16_t)words[n->instructions],
		.basicsize = (uint16_t)(object + 16), .type = (uint16_t)words[n->ob_type],
		.length = (uint16_t)words[n->length], .hash = (uint16_t)(words[n->length] + 8),
		.state = (uint16_t)words[n->state], .kind_bit = has_tlbc ? 8 : 2,
		.ascii = (uint16_t)words[n->ascii_size],
		.compact = (uint16_t)(words[n->ascii_size] + 16),
		.data = (uint16_t)(words[n->ascii_size] + 16),
		.bytes_size = (uint16_t)words[n->bytes_size], .bytes = (uint16_t)words[n->bytes],
	};
}

static bool read_published(const struct script_file *f, uint32_t version,
			   struct python_offsets *ret)
{
	const struct published *n = version >> 16 == 0x30d ? &published_313 : &published_314;
	uint64_t address, size, words[WORDS];

	if (!script_file_symbol(f, "_PyRuntime", &address, &size) ||
	    !script_file_bytes(f, address, words, sizeof(words)) ||
	    memcmp(&words[COOKIE], "xdebugpy", 8) != 0 || words[VERSION] != version ||
	    !is_published(words, n))
		return false;
	take_published(words, n, ret);
	ret->version = 300 + (version >> 16 & 0xff);
	return true;
}

/* ---- either ---- */

/* Whether the file's interpreter has code objects of that size, and a state with the key: builds
 * for debugging and patched ones do not pass. */
static bool is_right(const struct script_file *f, const struct python_offsets *o)
{
	uint64_t address, size, basic;

	return script_file_symbol(f, "PyCode_Type", &address, &size) &&
	       script_file_bytes(f, address + o->basicsize, &basic, sizeof(basic)) &&
	       basic == o->code_size &&
	       script_file_symbol(f, "_PyRuntime", &address, &size) && size >= o->key + 8u;
}

bool script_python_offsets(const struct script_file *f, uint32_t version,
			   struct python_offsets *ret)
{
	unsigned number = (version >> 24) * 100 + (version >> 16 & 0xff);

	*ret = (struct python_offsets){ 0 };
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (tables[i].version == number)
			*ret = tables[i];
	if ((number == 313 || number == 314) && !read_published(f, version, ret))
		return false;
	return ret->version && is_right(f, ret);
}
