/* test/unit/tool/test_groups.c - what holds for the tools of every group. */
#include "tool/groups.h"

#include "tool/fixture.h"
#include "unit.h"

/* Call fn() for each tool; returns how many there are. */
static size_t each_tool(void (*fn)(const struct dt_tool *tool, size_t index))
{
	size_t index = 0;

	for (size_t i = 0; dt_tool_groups[i]; i++) {
		for (size_t k = 0; k < dt_tool_groups[i]->count; k++)
			fn(&dt_tool_groups[i]->tools[k], index++);
	}
	return index;
}

static const char *names[500];

static void check(const struct dt_tool *tool, size_t index)
{
	assert_true(index < sizeof(names) / sizeof(names[0]));
	names[index] = tool->name;
	for (size_t i = 0; i < index; i++)
		assert_string_not_equal(names[i], tool->name);
	assert_non_null(tool->title);
	assert_true(tool->doc[strlen(tool->doc) - 1] == '.');
	assert_true(tool->result.size > 0);
}

test(every_tool_is_said_to_people_and_models)
{
	assert_true(each_tool(check) > 0);
	for (size_t i = 0; dt_tool_groups[i]; i++)
		assert_non_null(dt_tool_groups[i]->doc);
}

static void check_fields(const struct dt_shape *shape)
{
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		if (!f->doc[0] || f->doc[strlen(f->doc) - 1] != '.')
			fail_msg("%s: %s", f->name, f->doc);
		if (f->shape)
			check_fields(f->shape);
	}
}

static void check_shapes(const struct dt_tool *tool, size_t index)
{
	(void)index;
	check_fields(&tool->args);
	check_fields(&tool->result);
}

test(every_member_is_explained)
{
	each_tool(check_shapes);
}

static enum how how;

/* With all fields set, as style asks of tables whose structs the compiler
 * cannot check. */
static void run_one(const struct dt_tool *tool, size_t index)
{
	struct fixture f;

	(void)index;
	begin(&f);
	f.how = how;
	if (start_json(&f, tool, fill_json(&f.arena, &tool->args, "/w/a.c"),
	               &f))
		fail_msg("%s: %s", tool->name, f.fail.msg);
	assert_true(f.performed > 0);
	if (how == HOLDS) {
		assert_int_equal(f.ended, 0);
		dt_call_drop(f.call);
		assert_int_equal(f.dropped, 1);
	} else {
		assert_int_equal(f.ended, 1);
		if (f.is_error != (how == REFUSES))
			fail_msg("%s: %s", tool->name, f.first);
	}
	end(&f);
}

test(every_tool_replies_once_with_all_fields_set)
{
	how = ANSWERS;
	each_tool(run_one);
}

/* Never as a result that could be taken for success. */
test(every_tool_fails_when_nobody_can_help)
{
	how = REFUSES;
	each_tool(run_one);
}

test(every_tool_can_be_dropped_while_it_waits)
{
	how = HOLDS;
	each_tool(run_one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_is_said_to_people_and_models),
		cmocka_unit_test(every_member_is_explained),
		cmocka_unit_test(every_tool_replies_once_with_all_fields_set),
		cmocka_unit_test(every_tool_fails_when_nobody_can_help),
		cmocka_unit_test(every_tool_can_be_dropped_while_it_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
