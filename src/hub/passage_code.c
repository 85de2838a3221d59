/*
 * hub/passage_code.c - the gate for what language servers tell.
 *
 * They read every file of the workspace, also those that are kept from agents.
 * That a place is there may be told, for names of files are free; the text of
 * its line, and names of symbols, are what the file holds.
 */
#include "hub/passage_code.h"

#include "base/buf.h"
#include "base/limits.h"
#include "hub/gate.h"

#include <stdlib.h>

/* What leaves of one file after the other, told to the audit file by file. */
struct tally {
	const struct dt_workspace *ws;
	const struct dt_session *session;
	const char *path; /* NULL: none yet */
	bool is_denied;
	uint64_t bytes;
	uint64_t lines;
};

static void flush(struct tally *t)
{
	if (t->path && t->lines > 0)
		dt_gate_left(t->ws, t->session, DT_AUDIT_FILE, t->path,
		             t->bytes, t->lines);
	t->bytes = 0;
	t->lines = 0;
}

/* Whether something of this file may leave. */
static bool may_leave(struct tally *t, const char *path)
{
	if (!t->path || strcmp(t->path, path) != 0) {
		flush(t);
		t->path = path;
		t->is_denied = dt_gate_check(t->ws, t->session, DT_AUDIT_FILE,
		                             path, NULL) != DT_E_OK;
	}
	return !t->is_denied;
}

static void leave(struct tally *t, size_t bytes)
{
	t->bytes += bytes;
	t->lines++;
}

void dt_passage_locations(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_locations_result *result,
                          struct dt_answer *answer)
{
	const struct dt_location *from = result->items.ptr;
	struct dt_location *kept =
		dt_alloc((result->items.count + 1) * sizeof(*kept));
	struct dt_locations_result passed = *result;
	struct tally t = { .ws = ws, .session = session };

	passed.items.ptr = kept;
	for (size_t i = 0; i < result->items.count; i++) {
		kept[i] = from[i];
		if (!kept[i].preview.ptr)
			continue;
		if (may_leave(&t, kept[i].path))
			leave(&t, kept[i].preview.len);
		else
			kept[i].preview = (struct dt_str){ 0 };
	}
	flush(&t);
	dt_answer_end(answer, &passed);
	free(kept);
}

void dt_passage_symbols(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_symbols_result *result,
                        struct dt_answer *answer)
{
	const struct dt_symbol *from = result->items.ptr;
	struct dt_symbol *kept =
		dt_alloc((result->items.count + 1) * sizeof(*kept));
	struct dt_symbols_result passed = *result;
	struct tally t = { .ws = ws, .session = session };

	passed.items = (struct dt_items){ .ptr = kept };
	for (size_t i = 0; i < result->items.count; i++) {
		if (!may_leave(&t, from[i].path))
			continue;
		leave(&t, strlen(from[i].name));
		kept[passed.items.count++] = from[i];
	}
	flush(&t);
	dt_answer_end(answer, &passed);
	free(kept);
}

static struct dt_items keep_items(struct tally *t, const struct dt_items *items)
{
	const struct dt_hierarchy_item *from = items->ptr;
	struct dt_hierarchy_item *kept =
		dt_alloc((items->count + 1) * sizeof(*kept));
	struct dt_items passed = { .ptr = kept };

	for (size_t i = 0; i < items->count; i++) {
		if (!may_leave(t, from[i].path))
			continue;
		leave(t, strlen(from[i].name));
		kept[passed.count++] = from[i];
	}
	return passed;
}

void dt_passage_hierarchy(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_hierarchy_result *result,
                          struct dt_answer *answer)
{
	struct dt_hierarchy_result passed = *result;
	struct tally t = { .ws = ws, .session = session };

	passed.up = keep_items(&t, &result->up);
	passed.down = keep_items(&t, &result->down);
	flush(&t);
	dt_answer_end(answer, &passed);
	free(passed.up.ptr);
	free(passed.down.ptr);
}

/* The source is the last field of each such result. */
static const struct dt_code_source *source_of(const struct dt_operation *op,
                                              const void *result)
{
	const struct dt_field *field = op->result.fields;

	while (strcmp(field->name, "source") != 0)
		field++;
	return (const void *)((const char *)result + field->offset);
}

void dt_passage_code(const struct dt_workspace *ws,
                     const struct dt_session *session,
                     const struct dt_operation *op, const void *result,
                     struct dt_answer *answer)
{
	const struct dt_code_source *source = source_of(op, result);
	struct dt_fail fail = { 0 };
	struct dt_json_out out;
	struct dt_buf text;

	/* By its real name, which a link may have hidden. */
	if (source->path &&
	    dt_gate_check(ws, session, DT_AUDIT_FILE, source->path, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(&op->result, result, &out);
	if (source->path)
		dt_gate_left(ws, session, DT_AUDIT_FILE, source->path, text.len,
		             1);
	dt_buf_done(&text);
	dt_answer_end(answer, result);
}

static enum dt_err check_origins(const struct dt_workspace *ws,
                                 const struct dt_session *session,
                                 const struct dt_names *origins,
                                 struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; !err && i < origins->count; i++)
		err = dt_gate_check(ws, session, DT_AUDIT_FILE, origins->ptr[i],
		                    fail);
	return err;
}

void dt_passage_signatures(const struct dt_workspace *ws,
                           const struct dt_session *session,
                           const struct dt_signatures_result *result,
                           struct dt_answer *answer)
{
	struct dt_signatures_result passed = *result;
	struct dt_fail fail = { 0 };

	if (check_origins(ws, session, &result->origins, &fail)) {
		passed.items.count = 0;
		passed.active = 0;
		passed.parameter = 0;
		passed.source.doubt = fail.msg;
	}
	dt_passage_code(ws, session, &dt_op_get_signature_help, &passed,
	                answer);
}

void dt_passage_hover(const struct dt_workspace *ws,
                      const struct dt_session *session,
                      const struct dt_hover_result *result,
                      struct dt_answer *answer)
{
	struct dt_hover_result passed = *result;
	struct dt_fail fail = { 0 };

	if (check_origins(ws, session, &result->origins, &fail)) {
		passed.is_found = false;
		passed.text = (struct dt_str){ 0 };
		passed.source.doubt = fail.msg;
	}
	dt_passage_code(ws, session, &dt_op_get_hover, &passed, answer);
}
