/*
 * base/glob.c - all ways through a pattern followed at once.
 *
 * Patterns come with repositories that nobody has read yet, so there is no
 * backtracking: a set holds every place of the pattern that the path has led to
 * so far, and each byte of the path moves the whole set.
 */
#include "base/glob.h"

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

struct places {
	bool has[DT_GLOB_MAX + 1]; /* the last one: the end */
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

/* matching */

/* Add what is reached without a byte of the path.  Every such way leads on in
 * the pattern, so one pass finds all. */
static void pass_on(const struct program *p, struct places *at)
{
	for (size_t i = 0; i < p->text.len; i++) {
		size_t j = i;

		if (!at->has[i])
			continue;
		switch ((enum op)p->op[i]) {
		case STAR:
		case ANY:
		case CLOSE:
			at->has[i + 1] = true;
			break;
		case DEEP:
			at->has[i + 3] = true;
			break;
		case OPEN:
			at->has[i + 1] = true;
			for (j = p->next[i]; p->op[j] == COMMA; j = p->next[j])
				at->has[j + 1] = true;
			break;
		case COMMA:
			while (p->op[j] == COMMA)
				j = p->next[j];
			at->has[j + 1] = true;
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
		to->has[i + 1] |= c == p->text.ptr[i];
		break;
	case ONE:
		to->has[is_last ? i + 1 : i] |= c != '/';
		break;
	case STAR:
		to->has[i] |= c != '/';
		break;
	case ANY:
		to->has[i] = true;
		break;
	case DEEP:
	case DEEPER:
		to->has[deeper] = true;
		to->has[deeper + 2] |= c == '/';
		break;
	case OPEN:
	case COMMA:
	case CLOSE:
		break;
	}
}

bool dt_glob_matches(struct dt_str glob, struct dt_str path)
{
	struct program p;
	struct places at = { .has = { true } };

	if (read_glob(glob, &p, NULL))
		return false;
	pass_on(&p, &at);
	for (size_t i = 0; i < path.len; i++) {
		struct places to = { 0 };
		bool is_last = i + 1 == path.len ||
		               ((unsigned char)path.ptr[i + 1] & 0xc0) != 0x80;

		for (size_t j = 0; j < glob.len; j++) {
			if (at.has[j])
				step(&p, j, path.ptr[i], is_last, &to);
		}
		pass_on(&p, &to);
		at = to;
	}
	return at.has[glob.len];
}
