/*
 * tool/verdict_form.c - the question, and the answer taken for no more than it
 * says: only a form that was sent off with "accept" in it accepts a change.
 */
#include "tool/verdict_form.h"

#include "base/buf.h"
#include "base/utf8.h"

#define DIFF_BYTES (4u * DT_KIB) /* shown in the form */
#define TEXT_BYTES (2u * DT_KIB) /* of the agent's own words */

static struct dt_str keep(struct dt_arena *arena, struct dt_buf *buf)
{
	struct dt_str text = {
		dt_arena_strndup(arena, buf->ptr, buf->len),
		buf->len,
	};

	dt_buf_done(buf);
	return text;
}

static void add_cut(struct dt_buf *out, const char *z)
{
	struct dt_str text = dt_str(z);

	text.len = dt_utf8_cut(text, TEXT_BYTES);
	dt_buf_add_str(out, text);
	dt_buf_add_z(out, "\n\n");
}

/* Whole lines, as many as fit. */
static size_t fitting(struct dt_str diff)
{
	size_t len = DIFF_BYTES;

	if (diff.len <= DIFF_BYTES)
		return diff.len;
	while (len > 0 && diff.ptr[len - 1] != '\n')
		len--;
	return len;
}

static size_t count_lines(struct dt_str text, size_t from)
{
	size_t count = 0;

	for (size_t i = from; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count;
}

struct dt_str dt_verdict_message(struct dt_arena *arena,
                                 const struct dt_verdict_question *question)
{
	struct dt_str diff = question->diff;
	size_t shown = fitting(diff);
	bool is_more = shown < diff.len;
	struct dt_buf out;

	dt_buf_init(&out, DT_VERDICT_FILES_BYTES + DIFF_BYTES + 3 * TEXT_BYTES);
	add_cut(&out, question->title);
	if (question->reason && *question->reason)
		add_cut(&out, question->reason);
	dt_buf_add_str(&out, question->files);
	dt_buf_add_char(&out, '\n');
	dt_buf_add(&out, diff.ptr, shown);
	if (question->is_cut)
		dt_buf_add_z(&out, "... and much more: ");
	else if (is_more)
		dt_buf_addf(&out, "... and %zu more lines: ",
		            count_lines(diff, shown));
	if (question->is_cut || is_more)
		dt_buf_add_z(&out, "`dovetail review` shows all of it.\n");
	return keep(arena, &out);
}

struct dt_str dt_verdict_form(struct dt_arena *arena, struct dt_str message)
{
	struct dt_json_out out;
	struct dt_buf buf;

	/* At worst each byte becomes an escape of six. */
	dt_buf_init(&buf, 6 * message.len + DT_KIB);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_json_key(&out, "message");
	dt_json_put_str(&out, message);
	dt_json_key(&out, "requestedSchema");
	dt_json_put_raw(
		&out,
		DT_STR("{\"type\":\"object\",\"properties\":{"
	               "\"verdict\":{\"type\":\"string\",\"title\":\"Verdict\","
	               "\"description\":\"Whether the change may be made.\","
	               "\"enum\":[\"accept\",\"reject\"]},"
	               "\"comment\":{\"type\":\"string\",\"title\":\"Comment\","
	               "\"description\":\"What the agent should know.\"}},"
	               "\"required\":[\"verdict\"]}"));
	dt_json_end_object(&out);
	return keep(arena, &buf);
}

/* the answer */

static struct dt_str member(struct dt_arena *arena, const struct dt_json *of,
                            const char *name)
{
	const struct dt_json *value = of ? dt_json_get(of, name) : NULL;

	if (!value || value->type != DT_JSON_STRING)
		return (struct dt_str){ 0 };
	return dt_json_text(arena, value);
}

struct dt_verdict_answer dt_verdict_read(struct dt_arena *arena,
                                         const struct dt_json *answer)
{
	struct dt_verdict_answer read = { .is_missing = !answer };
	const struct dt_json *content =
		answer ? dt_json_get(answer, "content") : NULL;
	struct dt_str action = member(arena, answer, "action");
	struct dt_str verdict = member(arena, content, "verdict");
	struct dt_str comment = member(arena, content, "comment");
	bool is_sent = dt_str_is(action, "accept");

	if (comment.len > 0 && !memchr(comment.ptr, '\0', comment.len))
		read.comment =
			dt_arena_strndup(arena, comment.ptr, comment.len);
	if (is_sent && dt_str_is(verdict, "accept")) {
		read.has_outcome = true;
		read.outcome = DT_ACCEPTED;
	} else if (dt_str_is(action, "decline") ||
	           (is_sent && dt_str_is(verdict, "reject"))) {
		read.has_outcome = true;
		read.outcome = DT_REJECTED;
	}
	return read;
}
