/* backend/code_tell.c - what is said about one place: hover, signatures, what is
 * around it. */
#include "backend/code_job.h"

#include "backend/code_origins.h"
#include "backend/code_place.h"
#include "backend/code_read.h"
#include "base/limits.h"
#include "editor/text.h"

/* hover */

static void end_hover(struct dt_code_job *job)
{
	struct dt_hover_result *hover = job->state;

	hover->origins = job->origins;
	hover->source = job->source;
	dt_code_end(job, hover);
}

static void take_hover(struct dt_code_job *job, const struct dt_json *result)
{
	struct dt_hover_result *hover =
		dt_arena_alloc(&job->arena, sizeof(*hover));

	hover->text =
		dt_code_read_text(&job->arena, dt_json_get(result, "contents"));
	hover->is_found = hover->text.ptr != NULL;
	if (!dt_code_read_range(dt_json_get(result, "range"), &hover->range))
		hover->range =
			(struct dt_range){ job->place.at, job->place.at };
	job->state = hover;
	if (hover->is_found)
		dt_code_find_origins(job, end_hover);
	else
		end_hover(job);
}

void dt_code_get_hover(struct dt_headless *h, const void *args,
                       struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/hover",
		.provider = "hoverProvider",
		.params = dt_code_put_place,
		.take = take_hover,
	};
	const struct dt_code_place *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->path, answer);

	if (dt_code_find_place(job, wanted))
		dt_code_ask(job, &step);
}

/* signatures */

/* A parameter is named by its text, or by where it is in the signature, in
 * UTF-16 units. */
static struct dt_str read_label(struct dt_arena *arena,
                                const struct dt_json *json,
                                struct dt_str signature)
{
	const struct dt_json *first;
	struct dt_range range = { 0 };

	if (json && json->type == DT_JSON_STRING)
		return dt_str(dt_code_read_name(arena, json));
	if (!json || dt_code_list(json)->count != 2)
		return DT_STR("");
	first = dt_json_first(json);
	range.start.character = dt_code_read_u32(first, 0);
	range.end.character = dt_code_read_u32(dt_json_next(json, first), 0);
	return dt_text_slice(signature, range);
}

static void read_signature(struct dt_arena *arena, const struct dt_json *json,
                           struct dt_signature *out)
{
	const struct dt_json *list =
		dt_code_list(dt_json_get(json, "parameters"));
	const char *label =
		dt_code_read_name(arena, dt_json_get(json, "label"));
	struct dt_signature_parameter *parameters =
		dt_arena_alloc(arena, (list->count + 1) * sizeof(*parameters));

	out->label = dt_str(label ? label : "");
	out->doc = dt_code_read_text(arena, dt_json_get(json, "documentation"));
	out->parameters.ptr = parameters;
	dt_json_each(one, list) {
		parameters[out->parameters.count++] =
			(struct dt_signature_parameter){
				.label = read_label(arena,
			                            dt_json_get(one, "label"),
			                            out->label),
				.doc = dt_code_read_text(
					arena,
					dt_json_get(one, "documentation")),
			};
	}
}

static void end_signatures(struct dt_code_job *job)
{
	struct dt_signatures_result *told = job->state;

	told->origins = job->origins;
	told->source = job->source;
	dt_code_end(job, told);
}

/* What is called is named before the parenthesis that the place is in. */
static void go_to_callee(struct dt_code_job *job)
{
	struct dt_buf text;

	if (dt_code_text(job->h, job->place.path, &text))
		job->place.at =
			dt_code_callee(dt_buf_str(&text), job->place.at);
	dt_buf_done(&text);
}

static void take_signatures(struct dt_code_job *job,
                            const struct dt_json *result)
{
	const struct dt_json *list =
		dt_code_list(dt_json_get(result, "signatures"));
	const struct dt_json *own = NULL; /* of the active signature */
	struct dt_signature *signatures = dt_arena_alloc(
		&job->arena, (list->count + 1) * sizeof(*signatures));
	struct dt_signatures_result *told =
		dt_arena_alloc(&job->arena, sizeof(*told));

	told->items.ptr = signatures;
	told->active =
		dt_code_read_u32(dt_json_get(result, "activeSignature"), 0);
	dt_json_each(one, list) {
		if (told->items.count == told->active)
			own = dt_json_get(one, "activeParameter");
		read_signature(&job->arena, one,
		               &signatures[told->items.count++]);
	}
	told->parameter = dt_code_read_u32(
		own,
		dt_code_read_u32(dt_json_get(result, "activeParameter"), 0));
	job->state = told;
	if (told->items.count == 0) {
		end_signatures(job);
		return;
	}
	go_to_callee(job);
	dt_code_find_origins(job, end_signatures);
}

void dt_code_get_signature_help(struct dt_headless *h, const void *args,
                                struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/signatureHelp",
		.provider = "signatureHelpProvider",
		.params = dt_code_put_place,
		.take = take_signatures,
	};
	const struct dt_code_place *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->path, answer);

	if (dt_code_find_call(job, wanted))
		dt_code_ask(job, &step);
}

/* selection ranges */

static void put_positions(struct dt_code_job *job, struct dt_json_out *out)
{
	dt_json_key(out, "positions");
	dt_json_begin_array(out);
	dt_json_begin_object(out);
	dt_json_key(out, "line");
	dt_json_put_int(out, job->place.at.line);
	dt_json_key(out, "character");
	dt_json_put_int(out, job->place.at.character);
	dt_json_end_object(out);
	dt_json_end_array(out);
}

static void take_ranges(struct dt_code_job *job, const struct dt_json *result)
{
	const struct dt_json *inner = dt_json_first(dt_code_list(result));
	struct dt_range *ranges = dt_arena_alloc(
		&job->arena, DT_LIMIT_JSON_DEPTH * sizeof(*ranges));
	struct dt_ranges_result told = {
		.items = { .ptr = ranges },
		.source = job->source,
	};

	while (inner && told.items.count < DT_LIMIT_JSON_DEPTH &&
	       dt_code_read_range(dt_json_get(inner, "range"),
	                          &ranges[told.items.count])) {
		told.items.count++;
		inner = dt_json_get(inner, "parent");
	}
	dt_code_end(job, &told);
}

void dt_code_get_selection_ranges(struct dt_headless *h, const void *args,
                                  struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/selectionRange",
		.provider = "selectionRangeProvider",
		.params = put_positions,
		.take = take_ranges,
	};
	const struct dt_code_place *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->path, answer);

	if (dt_code_find_place(job, wanted))
		dt_code_ask(job, &step);
}
