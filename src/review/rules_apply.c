/*
 * review/rules_apply.c - the rules asked about a whole change set.
 *
 * A file has more than one name: the one the agent used, the one that links lead
 * to, the one it is renamed to.  None of them is a way around a rule.
 */
#include "review/rules.h"

#include "base/arena.h"
#include "base/linediff.h"
#include "base/path.h"

/* Lines removed plus lines added. */
static size_t count_file(const struct dt_entry *e, size_t *work)
{
	struct dt_arena arena = { 0 };
	struct dt_lines old;
	struct dt_lines fresh;
	struct dt_edits edits;
	size_t lines = 0;

	/* Others wait while we compare. */
	if (dt_lines_are_far(e->old_text, e->proposed))
		return dt_lines_count(e->old_text) +
		       dt_lines_count(e->proposed);
	old = dt_lines_split(&arena, e->old_text);
	fresh = dt_lines_split(&arena, e->proposed);
	edits = dt_lines_diff(&arena, old, fresh, work);
	for (size_t i = 0; i < edits.count; i++)
		lines += edits.ptr[i].old_count + edits.ptr[i].new_count;
	dt_arena_done(&arena);
	return lines;
}

/* It may be too high for a large change, where the search for a shorter way ends
 * early, and never too low. */
static uint32_t count(const struct dt_changeset *set)
{
	size_t work = DT_LINES_WORK;
	size_t sum = 0;

	for (size_t i = 0; i < set->count; i++)
		sum += count_file(&set->entries[i], &work);
	return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Most people have no rule about them. */
static bool counts_lines(const struct dt_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (strstr(rules->list[i].text, "lines"))
			return true;
	}
	return false;
}

static struct dt_ruling stricter(struct dt_ruling a, struct dt_ruling b)
{
	return b.action > a.action ? b : a;
}

/* What is asked about every name of a file. */
struct question {
	const struct dt_rules *rules;
	struct dt_documents *docs;
	struct dt_arena arena;
	struct dt_rule_subject subject; /* but for its path */
};

static struct dt_ruling ask_name(struct question *q, const char *path)
{
	struct dt_rule_subject subject = q->subject;
	const char *relative;

	if (dt_documents_root_of(q->docs, path, &relative))
		subject.path = relative;
	else
		subject.path = path;
	if (subject.path == path)
		subject.kinds |= DT_RULE_OUTSIDE;
	/* Folders above the workspace say nothing about it. */
	subject.kinds |= dt_rules_kinds_of(subject.path);
	return dt_rules_decide(q->rules, &subject);
}

static unsigned kinds_in(const struct dt_documents *docs, const char *path)
{
	const char *relative;

	return dt_rules_kinds_of(
		dt_documents_root_of(docs, path, &relative) ? relative : path);
}

bool dt_rules_is_settings(struct dt_documents *docs, const char *path)
{
	struct dt_arena arena = { 0 };
	const char *named = dt_path_join(&arena, "/", path);
	const char *lead = dt_path_lead(&arena, "/", named);
	unsigned kinds = kinds_in(docs, named);

	if (lead)
		kinds |= kinds_in(docs, lead);
	dt_arena_done(&arena);
	return (kinds & DT_RULE_SETTINGS) != 0;
}

static struct dt_ruling ask_file(struct question *q, const char *path)
{
	const char *named = dt_path_join(&q->arena, "/", path);
	struct dt_ruling ruling = ask_name(q, named);
	const char *lead = dt_path_lead(&q->arena, "/", named);

	if (!lead)
		return stricter(ruling,
		                (struct dt_ruling){ .action = DT_RULE_ASK });
	return strcmp(lead, named) != 0 ? stricter(ruling, ask_name(q, lead))
	                                : ruling;
}

struct dt_ruling dt_rules_apply(const struct dt_rules *rules, const char *agent,
                                struct dt_documents *docs,
                                const struct dt_changeset *set)
{
	struct dt_ruling ruling = { .action = DT_RULE_ALLOW };
	struct question q = { .rules = rules, .docs = docs };

	q.subject.agent = agent;
	q.subject.lines = counts_lines(rules) ? count(set) : 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct dt_entry *e = &set->entries[i];

		q.subject.kinds = 1u << e->kind;
		if (e->is_outside)
			q.subject.kinds |= DT_RULE_OUTSIDE;
		ruling = i ? stricter(ruling, ask_file(&q, e->path))
		           : ask_file(&q, e->path);
		if (e->new_path)
			ruling = stricter(ruling, ask_file(&q, e->new_path));
		/* Where it will be written, wherever links lead by now. */
		if (e->place)
			ruling = stricter(ruling, ask_name(&q, e->place));
	}
	dt_arena_done(&q.arena);
	return ruling;
}
