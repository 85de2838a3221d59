/*
 * base/glob.c - all ways through a pattern followed at once.
 *
 * Patterns come with repositories that nobody has read yet, so there is no
 * backtracking: a set holds every place of the pattern that the path has led to
 * so far, and each byte of the path moves the whole set.
 */
#include "base/glob.h"

#include <stdint.h>

enum op {
	BYTE,   /* itself */
	ONE,    /* ? */
	STAR,   /* * */
	ANY,    /* ** */
	DEEP,   /* ** before a slash: whole folders, or none */
	DEEPER, /* the same, some of it passed */
	OPEN,
	COMMA,
	CLOSE,
};

/* A pattern, place by place. */
struct program {
	struct dt_str text;
	unsigned char op[DT_GLOB_MAX];
	/* From OPEN and COMMA to the next COMMA or the CLOSE. */
	unsigned char next[DT_GLOB_MAX];
};

/* A set of places, one bit each; the one behind the pattern is its end. */
#define WORD 64
#define NO_PLACE (DT_GLOB_MAX + 1)
_Static_assert(NO_PLACE % WORD == 0, "every place has a bit");
struct places {
	uint64_t words[NO_PLACE / WORD];
};

/* reading */

/* The stars at `at`; returns the place of the last byte they take up. */
static size_t read_stars(struct program *p, size_t at)
{
	const char *z = p->text.ptr;
	size_t end = at;
	bool begins_part = at == 0 || strchr("/{,", z[at - 1]);

	while (end < p->text.len && z[end] == '*')
		p->op[end++] = ANY;
	if (end - at == 1)
		p->op[at] = STAR;
	if (end - at != 2 || !begins_part || end == p->text.len ||
	    z[end] != '/')
		return end - 1;
	p->op[at] = DEEP;
	p->op[at + 1] = DEEPER;
	return end;
}

static enum dt_err read_glob(struct dt_str glob, struct program *p,
                             struct dt_fail *fail)
{
	unsigned char last[DT_GLOB_MAX]; /* OPEN or COMMA, by depth */
	size_t depth = 0;

	if (glob.len == 0 || glob.len > DT_GLOB_MAX)
		return dt_fail(fail, DT_E_ARGS,
		               "a pattern has from 1 to %d bytes", DT_GLOB_MAX);
	*p = (struct program){ .text = glob };
	for (size_t i = 0; i < glob.len; i++) {
		char c = glob.ptr[i];

		if (c == '}' && depth == 0)
			return dt_fail(fail, DT_E_ARGS,
			               "\"%.*s\" closes a brace that is not "
			               "open",
			               DT_STR_ARG(glob));
		if (c == '*') {
			i = read_stars(p, i);
		} else if (c == '?') {
			p->op[i] = ONE;
		} else if (c == '{') {
			p->op[i] = OPEN;
			last[depth++] = (unsigned char)i;
		} else if (c == '}') {
			p->op[i] = CLOSE;
			p->next[last[--depth]] = (unsigned char)i;
		} else if (c == ',' && depth > 0) {
			p->op[i] = COMMA;
			p->next[last[depth - 1]] = (unsigned char)i;
			last[depth - 1] = (unsigned char)i;
		}
	}
	if (depth > 0)
		return dt_fail(fail, DT_E_ARGS,
		               "\"%.*s\" opens a brace and does not close it",
		               DT_STR_ARG(glob));
	return DT_E_OK;
}

enum dt_err dt_glob_check(struct dt_str glob, struct dt_fail *fail)
{
	struct program p;

	return read_glob(glob, &p, fail);
}

enum dt_err dt_glob_check_path(struct dt_str glob, struct dt_fail *fail)
{
	if (glob.len > 0 && glob.ptr[glob.len - 1] == '/')
		return dt_fail(fail, DT_E_ARGS,
		               "\"%.*s\" fits no file; write %.*s** for all "
		               "below it",
		               DT_STR_ARG(glob), DT_STR_ARG(glob));
	if (dt_str_starts(glob, DT_STR("./")) ||
	    dt_str_starts(glob, DT_STR("../")) ||
	    dt_str_starts(glob, DT_STR("~")))
		return dt_fail(fail, DT_E_ARGS,
		               "\"%.*s\" fits no file; paths are relative to "
		               "the workspace, or absolute",
		               DT_STR_ARG(glob));
	return dt_glob_check(glob, fail);
}

/* sets */

static void add(struct places *set, size_t place)
{
	set->words[place / WORD] |= UINT64_C(1) << place % WORD;
}

/* The first place in the set from `place` on, or NO_PLACE. */
static size_t next_in(const struct places *set, size_t place)
{
	while (place < NO_PLACE) {
		uint64_t rest = set->words[place / WORD] >> place % WORD;

		if (rest)
			return place + (size_t)__builtin_ctzll(rest);
		place = (place / WORD + 1) * WORD;
	}
	return NO_PLACE;
}

/* matching */

/* Add what is reached without a byte of the path.  Every such way leads on in
 * the pattern, so one pass finds all. */
static void pass_on(const struct program *p, struct places *at)
{
	for (size_t i = next_in(at, 0); i < p->text.len;
	     i = next_in(at, i + 1)) {
		size_t j = i;

		switch ((enum op)p->op[i]) {
		case STAR:
		case ANY:
		case CLOSE:
			add(at, i + 1);
			break;
		case DEEP:
			add(at, i + 3);
			break;
		case OPEN:
			add(at, i + 1);
			for (j = p->next[i]; p->op[j] == COMMA; j = p->next[j])
				add(at, j + 1);
			break;
		case COMMA:
			while (p->op[j] == COMMA)
				j = p->next[j];
			add(at, j + 1);
			break;
		case BYTE:
		case ONE:
		case DEEPER:
			break;
		}
	}
}

/* Where the byte `c` leads from place `i`; `is_last`: of its character. */
static void step(const struct program *p, size_t i, char c, bool is_last,
                 struct places *to)
{
	size_t deeper = p->op[i] == DEEP ? i + 1 : i;

	switch ((enum op)p->op[i]) {
	case BYTE:
		if (c == p->text.ptr[i])
			add(to, i + 1);
		break;
	case ONE:
		if (c != '/')
			add(to, is_last ? i + 1 : i);
		break;
	case STAR:
		if (c != '/')
			add(to, i);
		break;
	case ANY:
		add(to, i);
		break;
	case DEEP:
	case DEEPER:
		add(to, deeper);
		if (c == '/')
			add(to, deeper + 2);
		break;
	case OPEN:
	case COMMA:
	case CLOSE:
		break;
	}
}

static bool is_plain(char c)
{
	return c != '*' && c != '?' && c != '{' && c != '}';
}

/* Most patterns miss at one end of the path, and need not be read for that. */
static bool misses_at_end(struct dt_str glob, struct dt_str path)
{
	if (glob.len == 0 || path.len == 0)
		return false;
	return (is_plain(glob.ptr[0]) && glob.ptr[0] != path.ptr[0]) ||
	       (is_plain(glob.ptr[glob.len - 1]) &&
	        glob.ptr[glob.len - 1] != path.ptr[path.len - 1]);
}

/* The next byte of the path that moves the set, from `i` on: inside of folders
 * that are passed as a whole only a slash does, and nothing moves an empty one. */
static size_t next_byte(const struct program *p, const struct places *at,
                        struct dt_str path, size_t i)
{
	size_t first = next_in(at, 0);
	const char *slash;

	if (first == NO_PLACE || i >= path.len)
		return path.len;
	if (first == p->text.len || p->op[first] != DEEPER ||
	    next_in(at, first + 1) != NO_PLACE)
		return i;
	slash = memchr(path.ptr + i, '/', path.len - i);
	return slash ? (size_t)(slash - path.ptr) : path.len;
}

bool dt_glob_matches(struct dt_str glob, struct dt_str path)
{
	struct program p;
	struct places at = { 0 };

	if (misses_at_end(glob, path) || read_glob(glob, &p, NULL))
		return false;
	add(&at, 0);
	pass_on(&p, &at);
	for (size_t i = next_byte(&p, &at, path, 0); i < path.len;
	     i = next_byte(&p, &at, path, i + 1)) {
		struct places to = { 0 };
		bool is_last = i + 1 == path.len ||
		               ((unsigned char)path.ptr[i + 1] & 0xc0) != 0x80;

		for (size_t j = next_in(&at, 0); j < glob.len;
		     j = next_in(&at, j + 1))
			step(&p, j, path.ptr[i], is_last, &to);
		pass_on(&p, &to);
		at = to;
	}
	return next_in(&at, glob.len) == glob.len;
}
