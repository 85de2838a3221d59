/*
 * dialect/claude_words.c - sentences for the model, each within its budget.
 *
 * The CLI tells its model that an edit was made as the model wanted it, whatever
 * a hook made of the input.  So what a person changed is told here, as a diff
 * from the proposal to what is on disk: the other way round from what a person
 * looks at, for the model knows its own text.
 */
#include "dialect/claude_words.h"

#include "base/hunk.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "data/json.h"

static void add_comment(struct dt_buf *out, const char *comment)
{
	struct dt_str words = dt_str(comment);
	size_t len = dt_utf8_cut(words, DT_CLAUDE_WORDS_COMMENT);

	dt_buf_add(out, words.ptr, len);
	if (len < words.len)
		dt_buf_add_z(out, " [...]");
}

static bool is_said(const char *comment)
{
	return comment && *comment;
}

/* the difference */

/* A diff that ends where its budget does. */
struct diff {
	struct dt_buf *out;
	size_t room;
	size_t hidden; /* lines that had no room */
};

static void add_line(char mark, struct dt_str line, void *owner)
{
	static const struct dt_str no_end =
		DT_STR("\n\\ No newline at end of file\n");
	struct diff *diff = owner;
	bool has_end = line.len && line.ptr[line.len - 1] == '\n';
	size_t len = 1 + line.len + (has_end ? 0 : no_end.len);

	if (diff->hidden || len > diff->room) {
		diff->hidden++;
		return;
	}
	diff->room -= len;
	dt_buf_add_char(diff->out, mark);
	dt_buf_add_str(diff->out, line);
	if (!has_end)
		dt_buf_add_str(diff->out, no_end);
}

static void ignore_line(char mark, struct dt_str line, void *owner)
{
	(void)mark;
	(void)line;
	(void)owner;
}

/* A diff counts lines from 1, and an empty run by the line before it. */
static size_t number(size_t first, size_t count)
{
	return count > 0 ? first + 1 : first;
}

static void add_hunk(const struct dt_hunks *hunks, size_t n, struct diff *diff)
{
	struct dt_edit range;

	dt_hunks_show(hunks, n, &range, ignore_line, NULL);
	if (!diff->hidden)
		dt_buf_addf(diff->out, "@@ -%zu,%zu +%zu,%zu @@\n",
		            number(range.old_first, range.old_count),
		            range.old_count,
		            number(range.new_first, range.new_count),
		            range.new_count);
	dt_hunks_show(hunks, n, NULL, add_line, diff);
}

static void add_diff(const struct dt_claude_accepted *accepted,
                     struct dt_buf *out)
{
	struct diff diff = { .out = out, .room = DT_CLAUDE_WORDS_DIFF };
	struct dt_hunks hunks;

	dt_hunks_init(&hunks, accepted->proposed, accepted->final, NULL);
	for (size_t i = 0; i < hunks.count; i++)
		add_hunk(&hunks, i, &diff);
	dt_hunks_done(&hunks);
	if (diff.hidden)
		dt_buf_addf(out,
		            "... and %zu more lines; read the file again\n",
		            diff.hidden);
}

/* what is said */

void dt_claude_words_accepted(const char *path,
                              const struct dt_claude_accepted *accepted,
                              struct dt_buf *out)
{
	bool is_edited = !dt_str_eq(accepted->final, accepted->proposed);

	if (is_edited) {
		dt_buf_addf(out,
		            "The person changed this edit before accepting it: "
		            "%s does not hold the text you proposed. From your "
		            "text (-) to what the file holds now (+):\n",
		            dt_path_base(path));
		add_diff(accepted, out);
	}
	if (!is_said(accepted->comment))
		return;
	dt_buf_add_z(out, is_edited ? "The person says: "
	                            : "The person accepted this change and "
	                              "says: ");
	add_comment(out, accepted->comment);
}

void dt_claude_words_reason(const char *reason, const char *comment,
                            struct dt_buf *out)
{
	dt_buf_add_z(out, reason);
	if (!is_said(comment))
		return;
	dt_buf_add_z(out, " The person says: ");
	add_comment(out, comment);
}

void dt_claude_words_later(bool is_accepted, const char *path,
                           const char *comment, struct dt_buf *out)
{
	dt_buf_addf(out, "The person %s your change of %s%s: ",
	            is_accepted ? "accepted" : "rejected", path,
	            is_accepted ? " and says" : "");
	add_comment(out, comment);
	dt_buf_add_char(out, '\n');
}

void dt_claude_words_prompt(struct dt_str words, struct dt_buf *buf)
{
	struct dt_json_out out = dt_json_out(buf);

	dt_json_begin_object(&out);
	dt_json_key(&out, "hookSpecificOutput");
	dt_json_begin_object(&out);
	dt_json_key(&out, "hookEventName");
	dt_json_put_z(&out, "UserPromptSubmit");
	dt_json_key(&out, "additionalContext");
	dt_json_put_str(&out, words);
	dt_json_end_object(&out);
	dt_json_end_object(&out);
}
