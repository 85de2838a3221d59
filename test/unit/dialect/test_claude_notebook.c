#include "unit.h"

#include "base/limits.h"
#include "dialect/claude_notebook.h"

#define CELLS(cells) "{ \"cells\": [" cells "],\n \"nbformat\": 4 }\n"
#define CELL(id, source) "{\"id\":\"" id "\", \"source\":" source "}"
#define TWO CELLS(CELL("a", "[\"x\\n\",\"y\"]") ", " CELL("b", "\"z\""))

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const struct dt_json *input_of(const char *fields)
{
	const struct dt_json *json;

	assert_ok(dt_json_read(
		&arena,
		dt_str(dt_arena_printf(&arena,
	                               "{\"notebook_path\":\"/w/n.ipynb\",%s}",
	                               fields)),
		&json, NULL));
	return json;
}

static const char *propose(const char *fields, struct dt_str old)
{
	struct dt_fail fail = { 0 };
	struct dt_str text = { 0 };
	enum dt_err err = dt_claude_notebook_propose(&arena, input_of(fields),
	                                             old, &text, &fail);

	if (err) {
		assert_int_equal(err, DT_E_ARGS);
		return dt_arena_strdup(&arena, fail.msg);
	}
	return dt_arena_strndup(&arena, text.ptr, text.len);
}

#define assert_proposes(fields, old, text)                                     \
	assert_string_equal(propose(fields, DT_STR(old)), text)

test(a_source_is_replaced_and_nothing_else_touched)
{
	assert_proposes(
		"\"cell_id\":\"a\",\"new_source\":\"n\\n\\\"\"", TWO,
		CELLS(CELL("a", "\"n\\n\\\"\"") ", " CELL("b", "\"z\"")));
	assert_proposes(
		"\"cell_id\":\"b\",\"new_source\":\"\","
		"\"edit_mode\":\"replace\"",
		TWO,
		CELLS(CELL("a", "[\"x\\n\",\"y\"]") ", " CELL("b", "\"\"")));
}

test(a_cell_without_an_id_goes_by_its_number)
{
	assert_proposes("\"cell_id\":\"cell-1\",\"new_source\":\"n\"",
	                CELLS("{\"source\":\"x\"},{\"source\":\"y\"}"),
	                CELLS("{\"source\":\"x\"},{\"source\":\"n\"}"));
	assert_proposes("\"cell_id\":\"cell-1\",\"new_source\":\"n\"",
	                CELLS(CELL("q", "\"x\"") "," CELL(
				"r", "\"y\"") "," CELL("cell-1", "\"z\"")),
	                CELLS(CELL("q", "\"x\"") "," CELL(
				"r", "\"y\"") "," CELL("cell-1", "\"n\"")));
}

#define NEW_CODE                                                               \
	"{\"cell_type\":\"code\",\"execution_count\":null,\"outputs\":[],"     \
	"\"metadata\":{},\"source\":\"n\"}"
#define NEW_NOTE "{\"cell_type\":\"markdown\",\"metadata\":{},\"source\":\"n\"}"

test(a_cell_is_inserted_behind_another_or_first)
{
#define INSERT "\"edit_mode\":\"insert\",\"new_source\":\"n\""
	assert_proposes(INSERT ",\"cell_id\":\"a\",\"cell_type\":\"markdown\"",
	                CELLS(CELL("a", "\"x\"")),
	                CELLS(CELL("a", "\"x\"") ",\n" NEW_NOTE));
	assert_proposes(INSERT ",\"cell_type\":\"code\"",
	                CELLS(CELL("a", "\"x\"")),
	                CELLS(NEW_CODE ",\n" CELL("a", "\"x\"")));
	assert_proposes(INSERT, CELLS(""), CELLS(NEW_CODE));
}

test(a_cell_is_deleted_with_one_comma)
{
#define DELETE(id) "\"edit_mode\":\"delete\",\"cell_id\":\"" id "\""
	assert_proposes(DELETE("a"), TWO, CELLS(CELL("b", "\"z\"")));
	assert_proposes(DELETE("b"), TWO, CELLS(CELL("a", "[\"x\\n\",\"y\"]")));
	assert_proposes(DELETE("a"), CELLS(CELL("a", "\"x\"")), CELLS(""));
}

test(what_does_not_fit_the_notebook_is_told)
{
	assert_proposes("\"cell_id\":\"c\"", TWO, "the notebook has no cell c");
	assert_proposes("\"cell_id\":\"cell-2\"", TWO,
	                "the notebook has no cell cell-2");
	assert_proposes("\"new_source\":\"n\"", TWO,
	                "the notebook has no cell without an id");
	assert_proposes("\"cell_id\":\"a\"", CELLS("{\"id\":\"a\"}"),
	                "cell a has no source");
	assert_proposes("\"cell_id\":\"a\"", "{\"cells\":{}}",
	                "the notebook has no cells");
	assert_proposes("\"cell_id\":\"a\"", "[]", "the notebook has no cells");
	assert_proposes("\"cell_id\":\"a\"", "no", "the notebook is not JSON");
	assert_string_equal(propose("\"cell_id\":\"a\"", (struct dt_str){ 0 }),
	                    "there is no such notebook");
	assert_non_null(strstr(propose("\"edit_mode\":\"x\"", DT_STR(TWO)),
	                       "edit_mode"));
	assert_proposes("\"cell_id\":\"7\"", CELLS("7,\"a\",null"),
	                "the notebook has no cell 7");
}

/* The input that makes the person's text; NULL when none does. */
static const char *put_input(const char *fields, struct dt_str old,
                             struct dt_str final)
{
	struct dt_claude_accepted accepted = { .old = old, .final = final };
	struct dt_json_out out;
	const char *text = NULL;
	struct dt_buf buf;
	enum dt_err err;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	err = dt_claude_notebook_put_input(&out, &arena, input_of(fields),
	                                   &accepted, NULL);
	if (err)
		assert_true(err == DT_E_UNSUPPORTED || err == DT_E_ARGS);
	else
		text = dt_arena_strdup(&arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return text;
}

#define CARRIED(fields, source)                                                \
	"{\"notebook_path\":\"/w/n.ipynb\"," fields                            \
	",\"new_source\":\"" source "\",\"edit_mode\":"

test(the_persons_source_is_carried_however_it_is_written)
{
	const char *fields = "\"cell_id\":\"b\",\"new_source\":\"n\"";
	const char *carried =
		CARRIED("\"cell_id\":\"b\"", "mine\\n\xc3\xa9") "\"replace\"}";

	assert_string_equal(
		put_input(fields, DT_STR(TWO),
	                  DT_STR(CELLS(CELL("a", "[\"x\\n\",\"y\"]") ", " CELL(
				  "b", "\"mine\\n\\u00e9\"")))),
		carried);
	assert_string_equal(
		put_input(fields, DT_STR(TWO),
	                  DT_STR(CELLS(CELL("a", "[\"x\\n\",\"y\"]") ", " CELL(
				  "b", "[\"mine\\n\",\"\xc3\xa9\"]")))),
		carried);
}

test(the_persons_source_of_a_new_cell_is_carried)
{
	assert_string_equal(
		put_input(
			INSERT ",\"cell_id\":\"a\","
			       "\"cell_type\":\"markdown\"",
			DT_STR(CELLS(CELL("a", "\"x\""))),
			DT_STR(CELLS(CELL(
				"a",
				"\"x\"") ",\n"
	                                 "{\"cell_type\":\"markdown\","
	                                 "\"metadata\":{},\"source\":\"mine\"}"))),
		CARRIED("\"cell_id\":\"a\",\"cell_type\":\"markdown\"",
	                "mine") "\"insert\"}");
}

test(more_than_the_source_cannot_be_carried)
{
	const char *fields = "\"cell_id\":\"b\",\"new_source\":\"n\"";
	static const char *const finals[] = {
		CELLS(CELL("a", "\"mine\"") ", " CELL("b", "\"n\"")),
		CELLS(CELL("a", "[\"x\\n\",\"y\"]")),
		CELLS(CELL("b", "7")),
		CELLS("{\"id\":\"b\"}"),
		"no notebook",
		"",
	};

	for (size_t i = 0; i < sizeof(finals) / sizeof(finals[0]); i++)
		assert_null(put_input(fields, DT_STR(TWO), dt_str(finals[i])));
	assert_null(put_input(DELETE("a"), DT_STR(TWO), DT_STR(TWO)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_source_is_replaced_and_nothing_else_touched),
		cmocka_unit_test(a_cell_without_an_id_goes_by_its_number),
		cmocka_unit_test(a_cell_is_inserted_behind_another_or_first),
		cmocka_unit_test(a_cell_is_deleted_with_one_comma),
		cmocka_unit_test(what_does_not_fit_the_notebook_is_told),
		cmocka_unit_test(
			the_persons_source_is_carried_however_it_is_written),
		cmocka_unit_test(the_persons_source_of_a_new_cell_is_carried),
		cmocka_unit_test(more_than_the_source_cannot_be_carried),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
