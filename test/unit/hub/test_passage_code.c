/* test/unit/hub/test_passage_code.c - twin of src/hub/passage_code.c */
#include "agent.h"

#include "editor/code_file.h"
#include "hub/passage_code.h"

/* What came through, as JSON, or why nothing did. */
struct passed {
	struct dt_answer answer;
	const struct dt_operation *op;
	char text[1024];
};

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct passed *p = owner;
	struct dt_json_out out;
	struct dt_buf text;

	(void)answer;
	dt_buf_init(&text, sizeof(p->text));
	out = dt_json_out(&text);
	if (fail)
		dt_buf_add_z(&text, fail->msg);
	else
		dt_shape_write(&p->op->result, result, &out);
	snprintf(p->text, sizeof(p->text), "%s", dt_buf_z(&text));
	dt_buf_done(&text);
}

static void begin(struct passed *p, const struct dt_operation *op)
{
	*p = (struct passed){ .op = op };
	dt_answer_init(&p->answer, on_end, p);
}

world_test(lines_of_files_that_are_kept_do_not_leave)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_location places[] = {
		{ .path = text_of(w, "%s/.env", w->project),
		  .preview = DT_STR("SECRET=1") },
		{ .path = text_of(w, "%s/a.c", w->project),
		  .preview = DT_STR("int a;") },
	};
	struct dt_locations_result result = { .items = { places, 2 },
		                              .total = 2 };
	struct passed p;

	connect_agent(ws, w);
	begin(&p, &dt_op_find_references);
	dt_passage_locations(ws, last_session(ws), &result, &p.answer);
	assert_null(strstr(p.text, "SECRET"));
	assert_non_null(strstr(p.text, "/.env\""));
	assert_non_null(strstr(p.text, "int a;"));
	assert_non_null(strstr(p.text, "\"total\":2"));
}

world_test(symbols_and_callers_there_are_left_out)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *kept = text_of(w, "%s/id_rsa.py", w->project);
	const char *open = text_of(w, "%s/a.py", w->project);
	struct dt_symbol symbols[] = {
		{ .name = "hidden", .kind = "function", .path = kept },
		{ .name = "seen", .kind = "function", .path = open },
	};
	struct dt_symbols_result found = { .items = { symbols, 2 } };
	struct dt_hierarchy_item items[] = {
		{ .name = "seen", .kind = "function", .path = open },
		{ .name = "hidden", .kind = "function", .path = kept },
	};
	struct dt_hierarchy_result tree = { .up = { items, 2 },
		                            .down = { items, 2 } };
	struct passed p;

	connect_agent(ws, w);
	begin(&p, &dt_op_search_symbols);
	dt_passage_symbols(ws, last_session(ws), &found, &p.answer);
	assert_null(strstr(p.text, "hidden"));
	assert_non_null(strstr(p.text, "seen"));
	begin(&p, &dt_op_get_call_hierarchy);
	dt_passage_hierarchy(ws, last_session(ws), &tree, &p.answer);
	assert_null(strstr(p.text, "hidden"));
	assert_non_null(strstr(p.text, "seen"));
}

world_test(the_real_name_of_the_file_counts)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_hover_result hover = {
		.is_found = true,
		.text = DT_STR("SECRET"),
		.source = { .path = text_of(w, "%s/.env", w->project) },
	};
	struct passed p;

	connect_agent(ws, w);
	begin(&p, &dt_op_get_hover);
	dt_passage_code(ws, last_session(ws), p.op, &hover, &p.answer);
	assert_null(strstr(p.text, "SECRET"));
	assert_non_null(strstr(p.text, ".env"));
	hover.source.path = text_of(w, "%s/a.c", w->project);
	begin(&p, &dt_op_get_hover);
	dt_passage_code(ws, last_session(ws), p.op, &hover, &p.answer);
	assert_non_null(strstr(p.text, "SECRET"));
}

world_test(what_is_quoted_from_a_file_that_is_kept_does_not_leave)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *origins[] = { text_of(w, "%s/b.c", w->project),
		                  text_of(w, "%s/.env", w->project) };
	struct dt_hover_result hover = {
		.is_found = true,
		.text = DT_STR("SECRET"),
		.origins = { origins, 1 },
		.source = { .path = text_of(w, "%s/a.c", w->project) },
	};
	struct passed p;

	connect_agent(ws, w);
	begin(&p, &dt_op_get_hover);
	dt_passage_hover(ws, last_session(ws), &hover, &p.answer);
	assert_non_null(strstr(p.text, "SECRET"));
	hover.origins.count = 2;
	begin(&p, &dt_op_get_hover);
	dt_passage_hover(ws, last_session(ws), &hover, &p.answer);
	assert_null(strstr(p.text, "SECRET"));
	assert_non_null(strstr(p.text, "\"found\":false"));
	assert_non_null(strstr(p.text, "kept from agents"));
}

world_test(a_signature_of_such_a_file_does_not_leave)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *origins[] = { text_of(w, "%s/secrets.json", w->project) };
	struct dt_signature signature = { .label = DT_STR("f(SECRET)") };
	struct dt_signatures_result found = {
		.items = { &signature, 1 },
		.parameter = 1,
		.source = { .path = text_of(w, "%s/a.ts", w->project) },
	};
	struct passed p;

	connect_agent(ws, w);
	begin(&p, &dt_op_get_signature_help);
	dt_passage_signatures(ws, last_session(ws), &found, &p.answer);
	assert_non_null(strstr(p.text, "SECRET"));
	found.origins = (struct dt_names){ origins, 1 };
	begin(&p, &dt_op_get_signature_help);
	dt_passage_signatures(ws, last_session(ws), &found, &p.answer);
	assert_null(strstr(p.text, "SECRET"));
	assert_non_null(strstr(p.text, "\"signatures\":[]"));
	assert_non_null(strstr(p.text, "kept from agents"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(lines_of_files_that_are_kept_do_not_leave),
		test_in_world(symbols_and_callers_there_are_left_out),
		test_in_world(the_real_name_of_the_file_counts),
		test_in_world(
			what_is_quoted_from_a_file_that_is_kept_does_not_leave),
		test_in_world(a_signature_of_such_a_file_does_not_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
