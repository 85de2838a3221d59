/* test/unit/editor/test_operation.c - the table, and its shapes filled. */
#include "editor/operation.h"

#include "editor/diagnostics.h"
#include "editor/fill.h"
#include "store/reviews.h"
#include "unit.h"

#include <ctype.h>

test(every_operation_is_in_the_table_once)
{
	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		const struct dt_operation *op = dt_operations[i];

		assert_int_equal(op->index, i);
		assert_true(islower((unsigned char)op->name[0]));
		assert_true(op->doc[strlen(op->doc) - 1] == '.');
		assert_non_null(op->args.fields);
		assert_non_null(op->result.fields);
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(op->name,
			                        dt_operations[k]->name);
	}
	assert_ptr_equal(dt_operations[DT_OP_propose], &dt_op_propose);
}

test(only_a_person_is_waited_for_without_end)
{
	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		const struct dt_operation *op = dt_operations[i];

		/* What is run may need a permit, and has its own limit. */
		if (op->effect == DT_RUNS)
			continue;
		assert_int_equal(op->deadline_ms == 0, op->effect == DT_ASKS);
	}
}

static size_t size_of_member(const struct dt_field *field)
{
	switch (field->type) {
	case DT_T_STR:
	case DT_T_RAW:
		return sizeof(struct dt_str);
	case DT_T_NAME:
	case DT_T_PATH:
		return sizeof(const char *);
	case DT_T_BOOL:
		return sizeof(bool);
	case DT_T_U32:
		return sizeof(uint32_t);
	case DT_T_MAYBE_U32:
		return sizeof(struct dt_maybe_u32);
	case DT_T_I64:
		return sizeof(int64_t);
	case DT_T_ENUM:
		return sizeof(int);
	case DT_T_NAMES:
	case DT_T_PATHS:
		return sizeof(struct dt_names);
	case DT_T_ITEMS:
		return sizeof(struct dt_items);
	case DT_T_OBJECT:
		return field->shape->size;
	}
	return SIZE_MAX;
}

static bool overlap(const struct dt_field *a, const struct dt_field *b)
{
	return a->offset < b->offset + size_of_member(b) &&
	       b->offset < a->offset + size_of_member(a);
}

static void check_fields(const struct dt_shape *shape)
{
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		assert_true(f->offset + size_of_member(f) <= shape->size);
		for (const struct dt_field *g = shape->fields; g < f; g++) {
			assert_string_not_equal(f->name, g->name);
			assert_false(overlap(f, g));
		}
		if (f->shape)
			check_fields(f->shape);
	}
}

/* What was decoded is encoded as it came, and again the same. */
static void check_shape(const struct dt_shape *shape)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = fill_json(&arena, shape, "/w/a.c");
	void *value = fill_struct(&arena, shape, "/w/a.c");
	char *text = fill_text(shape, value);

	assert_int_equal(strlen(text), json->raw.len);
	assert_memory_equal(text, json->raw.ptr, json->raw.len);
	free(text);
	free(value);
	dt_arena_done(&arena);
}

test(every_operation_is_decoded_and_encoded_with_all_fields_set)
{
	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		check_fields(&dt_operations[i]->args);
		check_fields(&dt_operations[i]->result);
		check_shape(&dt_operations[i]->args);
		check_shape(&dt_operations[i]->result);
	}
}

static const struct dt_json *read_json(struct dt_arena *arena, const char *text)
{
	const struct dt_json *json = NULL;

	assert_ok(dt_json_read(arena, dt_str(text), &json, NULL));
	return json;
}

static void assert_needs_a_path(const struct dt_operation *op)
{
	struct dt_arena arena = { 0 };
	struct dt_path_args args = { 0 };
	struct dt_fail fail = { 0 };

	assert_int_equal(op->args.size, sizeof(args));
	assert_int_equal(dt_shape_read(&op->args, &arena, NULL, &args, &fail),
	                 DT_E_ARGS);
	assert_string_equal(fail.msg, "path: missing");
	dt_arena_done(&arena);
}

test(what_is_done_to_a_document_needs_its_path)
{
	assert_needs_a_path(&dt_op_close_document);
	assert_needs_a_path(&dt_op_check_dirty);
	assert_needs_a_path(&dt_op_save_document);
	assert_needs_a_path(&dt_op_format_document);
}

test(diagnostics_of_all_files_need_no_path)
{
	struct dt_arena arena = { 0 };
	struct dt_diagnostics_args args = { 0 };

	assert_ok(dt_shape_read(&dt_op_get_diagnostics.args, &arena, NULL,
	                        &args, NULL));
	assert_null(args.path);
	dt_arena_done(&arena);
}

test(a_file_is_shown_unless_told_otherwise)
{
	struct dt_arena arena = { 0 };
	struct dt_open_args args = { 0 };

	assert_ok(dt_shape_read(&dt_op_open_file.args, &arena,
	                        read_json(&arena, "{\"path\":\"/w/a\"}"), &args,
	                        NULL));
	assert_true(args.is_frontmost);
	assert_false(args.is_preview);
	assert_false(args.line.is_set);
	assert_null(args.start_text.ptr);
	dt_arena_done(&arena);
}

test(a_change_is_an_edit_unless_told_otherwise)
{
	struct dt_arena arena = { 0 };
	struct dt_propose_args args = { 0 };
	const struct dt_change *change;

	assert_ok(dt_shape_read(
		&dt_op_propose.args, &arena,
		read_json(&arena, "{\"title\":\"t\",\"changes\":"
	                          "[{\"path\":\"/w/a\",\"text\":\"\"}]}"),
		&args, NULL));
	assert_int_equal(args.changes.count, 1);
	change = args.changes.ptr;
	assert_int_equal(change->kind, DT_CHANGE_EDIT);
	assert_non_null(change->text.ptr);
	dt_arena_done(&arena);
}

/* review/inbox.c casts one to the other. */
test(kinds_of_changes_are_kept_under_the_same_numbers)
{
	assert_int_equal(DT_CHANGE_CREATE, DT_ENTRY_CREATE);
	assert_int_equal(DT_CHANGE_EDIT, DT_ENTRY_CHANGE);
	assert_int_equal(DT_CHANGE_DELETE, DT_ENTRY_DELETE);
	assert_int_equal(DT_CHANGE_RENAME, DT_ENTRY_RENAME);
	assert_string_equal(dt_change_kinds[DT_CHANGE_CREATE], "create");
	assert_string_equal(dt_change_kinds[DT_CHANGE_EDIT], "change");
	assert_string_equal(dt_change_kinds[DT_CHANGE_DELETE], "delete");
	assert_string_equal(dt_change_kinds[DT_CHANGE_RENAME], "rename");
	assert_null(dt_change_kinds[DT_ENTRY_KINDS]);
}

test(every_effect_has_a_name)
{
	assert_string_equal(dt_effect_name(DT_READS), "reads");
	assert_string_equal(dt_effect_name(DT_SHOWS), "shows");
	assert_string_equal(dt_effect_name(DT_ASKS), "asks");
	assert_string_equal(dt_effect_name(DT_WRITES), "writes");
	assert_string_equal(dt_effect_name(DT_RUNS), "runs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_is_in_the_table_once),
		cmocka_unit_test(only_a_person_is_waited_for_without_end),
		cmocka_unit_test(
			every_operation_is_decoded_and_encoded_with_all_fields_set),
		cmocka_unit_test(what_is_done_to_a_document_needs_its_path),
		cmocka_unit_test(diagnostics_of_all_files_need_no_path),
		cmocka_unit_test(a_file_is_shown_unless_told_otherwise),
		cmocka_unit_test(a_change_is_an_edit_unless_told_otherwise),
		cmocka_unit_test(
			kinds_of_changes_are_kept_under_the_same_numbers),
		cmocka_unit_test(every_effect_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
