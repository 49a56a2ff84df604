/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of C++ and Rust: how mangled names are shown, and which of them match a script's name. The
 * mangled names are from g++ 12, clang 14 and rustc 1.95.
 */
#include "target/object/demangle.h"
#include "unit.h"

static const struct { const char *symbol, *shown, *name; } names[] = {
	{ "main", "main", "main" },
	{ "_start", "_start", "_start" },
	{ "_Z", "_Z", "_Z" },
	{ "_Zebra", "_Zebra", "_Zebra" },
	{ "_Rabbit", "_Rabbit", "_Rabbit" },
	{ "_ZN2ns5Class6methodEi", "ns::Class::method(int)", "ns::Class::method" },
	{ "_ZNK2ns5Class3getEv", "ns::Class::get() const", "ns::Class::get" },
	{ "_ZN2ns7largestIiEET_S1_S1_", "ns::largest<int>(int, int)", "ns::largest<int>" },
	{ "_ZN2ns3BoxIdE4takeEd.isra.0", "ns::Box<double>::take(double)",
	  "ns::Box<double>::take" },
	{ "_ZN12_GLOBAL__N_16hiddenEi", "(anonymous namespace)::hidden(int)",
	  "(anonymous namespace)::hidden" },
	{ "_ZN1r6shapes6Square4grow17h0123456789abcdefE", "r::shapes::Square::grow",
	  "r::shapes::Square::grow" },
	{ "_ZN53_$LT$r..shapes..Square$u20$as$u20$r..shapes..Area$GT$4area17h4127e2e850b1f94bE",
	  "<r::shapes::Square as r::shapes::Area>::area",
	  "<r::shapes::Square as r::shapes::Area>::area" },
	{ "_RNvCs6GmmlP4bgsG_1r4main", "r::main", "r::main" },
	{ "_RNvMs_NtCs6GmmlP4bgsG_1r6shapesNtB4_6Square4grow", "<r::shapes::Square>::grow",
	  "<r::shapes::Square>::grow" },
	{ "_RINvNtCs6GmmlP4bgsG_1r6shapes7largestjEB4_", "r::shapes::largest::<usize>",
	  "r::shapes::largest::<usize>" },
};

/* Checks that a pattern matches a name, or does not. */
static const struct { const char *pattern, *symbol; bool same; } pairs[] = {
	/* Names of C, and the symbol itself. */
	{ "main", "main", true }, { "mai", "main", false }, { "m*n", "main", true },
	{ "_ZN2ns5Class6methodEi", "_ZN2ns5Class6methodEi", true },
	{ "_ZN2ns5Class6method*", "_ZN2ns5Class6methodEic", true },
	{ "_ZN2ns5Class6method", "_ZN2ns5Class6methodEi", false },
	/* With and without scopes and parameters. */
	{ "method", "_ZN2ns5Class6methodEi", true },
	{ "Class::method", "_ZN2ns5Class6methodEi", true },
	{ "ns::Class::method", "_ZN2ns5Class6methodEi", true },
	{ "::ns::Class::method", "_ZN2ns5Class6methodEi", true },
	{ "::Class::method", "_ZN2ns5Class6methodEi", false },
	{ "lass::method", "_ZN2ns5Class6methodEi", false },
	{ "ns::method", "_ZN2ns5Class6methodEi", false },
	{ "ns::Class", "_ZN2ns5Class6methodEi", false },
	{ "ns::*", "_ZN2ns5Class6methodEi", true },
	{ "meth*", "_ZN2ns5Class6methodEi", true },
	{ "std::*", "_ZN2ns5Class6methodEi", false },
	{ "method(int)", "_ZN2ns5Class6methodEi", true },
	{ "method(int)", "_ZN2ns5Class6methodEic", false },
	{ "method(int,char)", "_ZN2ns5Class6methodEic", true },
	{ "method(int, char)", "_ZN2ns5Class6methodEic", true },
	{ "method(int,*)", "_ZN2ns5Class6methodEic", true },
	{ "method()", "_ZN2ns5Class6methodEi", false },
	{ "get", "_ZNK2ns5Class3getEv", true },
	{ "Class::get()", "_ZNK2ns5Class3getEv", true },
	{ "Class::get() const", "_ZNK2ns5Class3getEv", true },
	/* Templates. */
	{ "largest", "_ZN2ns7largestIiEET_S1_S1_", true },
	{ "ns::largest<int>", "_ZN2ns7largestIiEET_S1_S1_", true },
	{ "ns::largest<long>", "_ZN2ns7largestIiEET_S1_S1_", false },
	{ "ns::largest<int>(int, int)", "_ZN2ns7largestIiEET_S1_S1_", true },
	{ "ns::largest(int, int)", "_ZN2ns7largestIiEET_S1_S1_", true },
	{ "ns::Box::take", "_ZN2ns3BoxIdE4takeEd", true },
	{ "ns::Box<double>::take", "_ZN2ns3BoxIdE4takeEd", true },
	{ "ns::Box<*>::take", "_ZN2ns3BoxIdE4takeEd", true },
	{ "Box::take", "_ZN2ns3BoxIdE4takeEd.isra.0", true },
	{ "push_back", "_ZNSt6vectorIiSaIiEE9push_backEOi", true },
	{ "std::vector::push_back", "_ZNSt6vectorIiSaIiEE9push_backEOi", true },
	{ "std::*", "_ZNSt6vectorIiSaIiEE9push_backEOi", true },
	{ "vector<int,std::allocator<int>>::push_back", "_ZNSt6vectorIiSaIiEE9push_backEOi", true },
	/* Names that the mangled form abbreviates. */
	{ "std::string::append", "_ZNSs6appendEPKc", true },
	{ "std::ostream::put", "_ZNSo3putEc", true },
	{ "allocate", "_ZNSaIcE8allocateEm", true },
	{ "std::allocator::allocate", "_ZNSaIcE8allocateEm", true },
	{ "f[abi:cxx11]", "_ZN2ns1fB5cxx11Ev", true },
	/* Constructors, destructors, operators, conversions. */
	{ "Class::Class", "_ZN2ns5ClassC1Ei", true }, { "Class::Class", "_ZN2ns5ClassC2Ei", true },
	{ "Class::Class(int)", "_ZN2ns5ClassC1Ei", true },
	{ "Class::~Class", "_ZN2ns5ClassD0Ev", true }, { "~Class", "_ZN2ns5ClassD1Ev", true },
	{ "operator()", "_ZN2ns5ClassclEi", true }, { "operator()(int)", "_ZN2ns5ClassclEi", true },
	{ "Class::operator[]", "_ZN2ns5ClassixEi", true },
	{ "Class::operator<", "_ZNK2ns5ClassltERKS0_", true },
	{ "ns::Class::operator<(ns::Class const&)", "_ZNK2ns5ClassltERKS0_", true },
	{ "operator<", "_ZN2nslsERSoRKNS_5ClassE", false },
	{ "operator<<", "_ZN2nslsERSoRKNS_5ClassE", true },
	{ "operator<< <int>", "_ZN2nslsIiEEiiT_", true },
	{ "ns::operator<<", "_ZN2nslsIiEEiiT_", true },
	{ "operator->", "_ZN2ns5ClassptEv", true },
	{ "Class::operator*", "_ZN2ns5ClassdeEv", true },
	{ "operator new", "_Znwm", true }, { "operator new*", "_Znam", true },
	{ "Class::operator int", "_ZN2ns5ClasscviEv", true },
	{ "Class::operator+", "_ZNK2ns5ClassplERKS0_", true },
	/* Unnamed entities, and entities in functions. */
	{ "hidden", "_ZN12_GLOBAL__N_16hiddenEi", true },
	{ "(anonymous namespace)::hidden", "_ZN12_GLOBAL__N_16hiddenEi", true },
	{ "(anonymous namespace)::*", "_ZN12_GLOBAL__N_16hiddenEi", true },
	{ "*lambda*::operator()", "_ZZ4mainENKUliE_clEi", true },
	{ "operator()", "_ZZ4mainENKUliE_clEi.constprop.0.isra.0", true },
	{ "main", "_ZZ4mainENKUliE_clEi", false },
	/* Symbols that are not functions of their own. */
	{ "f", "_ZThn8_N2ns5Class1fEv", false }, { "*thunk*f()", "_ZThn8_N2ns5Class1fEv", true },
	{ "f", "_ZN2ns5Class1fEv.cold", false }, { "*", "_ZN2ns5Class1fEv.cold", false },
	/* Rust, before and after RFC 2603. */
	{ "grow", "_ZN1r6shapes6Square4grow17h0123456789abcdefE", true },
	{ "Square::grow", "_ZN1r6shapes6Square4grow17h0123456789abcdefE", true },
	{ "::r::shapes::*", "_ZN1r6shapes6Square4grow17h0123456789abcdefE", true },
	{ "*h0123456789abcdef", "_ZN1r6shapes6Square4grow17h0123456789abcdefE", false },
	{ "Square::grow", "_RNvMs_NtCs6GmmlP4bgsG_1r6shapesNtB4_6Square4grow", true },
	{ "r::shapes::Square::grow", "_RNvMs_NtCs6GmmlP4bgsG_1r6shapesNtB4_6Square4grow", true },
	{ "<r::shapes::Square>::grow", "_RNvMs_NtCs6GmmlP4bgsG_1r6shapesNtB4_6Square4grow", true },
	{ "Pair::sum", "_RNvMs0_NtCs6GmmlP4bgsG_1r6shapesINtB5_4PairdE3sumB7_", true },
	{ "Pair<f64>::sum", "_RNvMs0_NtCs6GmmlP4bgsG_1r6shapesINtB5_4PairdE3sumB7_", true },
	{ "Pair<usize>::sum", "_RNvMs0_NtCs6GmmlP4bgsG_1r6shapesINtB5_4PairdE3sumB7_", false },
	{ "Square::area", "_RNvXNtCs6GmmlP4bgsG_1r6shapesNtB2_6SquareNtB2_4Area4area", true },
	{ "Area::area", "_RNvXNtCs6GmmlP4bgsG_1r6shapesNtB2_6SquareNtB2_4Area4area", false },
	{ "*Area>::area", "_RNvXNtCs6GmmlP4bgsG_1r6shapesNtB2_6SquareNtB2_4Area4area", true },
	{ "shapes::largest", "_RINvNtCs6GmmlP4bgsG_1r6shapes7largestjEB4_", true },
	{ "largest::<usize>", "_RINvNtCs6GmmlP4bgsG_1r6shapes7largestjEB4_", true },
	{ "r::main", "_RNvCs6GmmlP4bgsG_1r4main", true },
	/* A name that debug information is the source of. */
	{ "hidden", "(anonymous namespace)::hidden", true },
	{ "main::*", "main::<lambda(int)>::operator()", true },
};

TEST(shown)
{
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_string_equal(demangle_shown(a, names[i].symbol), names[i].shown);
		assert_string_equal(demangle_name(a, names[i].symbol), names[i].name);
	}
	arena_destroy(a);
}

static bool is_same(const char *pattern, const char *symbol)
{
	struct arena *a = arena_create();
	struct demangle_pattern p;
	bool same;

	demangle_pattern_read(a, pattern, false, &p);
	same = demangle_matches(&p, symbol);
	arena_destroy(a);
	return same;
}

TEST(parameters)
{
	static const struct { const char *shown; int n; } all[] = {
		{ "f()", 0 }, { "f(int)", 1 }, { "ns::C::f(int, long) const", 2 },
		{ "f(std::variant<int, double>, int, ...)", 3 },
		{ "f(void (*)(int, long), A<(B)1, C>)", 2 }, { "C::operator()(int) &&", 1 },
		{ "f(decltype (x->y), int)", 2 }, { "f", -1 }, { "", -1 }, { ")", -1 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_int_equal(demangle_parameters(all[i].shown), all[i].n);
}

TEST(compared)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (is_same(pairs[i].pattern, pairs[i].symbol) == pairs[i].same)
			continue;
		print_message("'%s' and %s\n", pairs[i].pattern, pairs[i].symbol);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* The name that is shown leads to the function itself. */
TEST(shown_names_match)
{
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_true(is_same(demangle_shown(a, names[i].symbol), names[i].symbol));
		assert_true(is_same(demangle_name(a, names[i].symbol), names[i].symbol));
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		const char *name = demangle_shown(a, pairs[i].symbol);

		if (!strstr(pairs[i].symbol, ".cold") && !is_same(name, pairs[i].symbol))
			fail_msg("'%s' is not %s", name, pairs[i].symbol);
	}
	arena_destroy(a);
}

/* In an object without mangled names, patterns follow fnmatch(3). */
TEST(plain)
{
	struct arena *a = arena_create();
	struct demangle_pattern p;

	demangle_pattern_read(a, "Class::method", true, &p);
	assert_false(demangle_matches(&p, "_ZN2ns5Class6methodEi"));
	demangle_pattern_read(a, "vfs_[rw]*", true, &p);
	assert_true(demangle_matches(&p, "vfs_read"));
	assert_false(demangle_matches(&p, "vfs_open"));
	arena_destroy(a);
}

/* Prefixes of mangled names are damaged names: they are shown unchanged, or decoded, and cause no
 * harm. */
TEST(cut)
{
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		for (size_t n = strlen(pairs[i].symbol); n-- > 0;) {
			const char *symbol = arena_strndup(a, pairs[i].symbol, n);

			assert_non_null(demangle_shown(a, symbol));
			is_same("*::x(int)", symbol);
		}
	}
	arena_destroy(a);
}
