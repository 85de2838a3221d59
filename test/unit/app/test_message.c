#include "unit.h"

#include "app/message.h"

static struct dt_message read(const char *text)
{
	return dt_message_read(dt_str(text));
}

test(a_request_has_an_id_and_a_method)
{
	struct dt_message m = read("{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\","
	                           "\"method\":\"x/y\",\"params\":[1]}");

	assert_int_equal(m.kind, DT_MESSAGE_REQUEST);
	assert_str(m.id, "\"a\\\"b\"");
	assert_str(m.method, "x/y");
	assert_str(m.params, "[1]");
}

test(a_notification_has_no_id)
{
	assert_int_equal(read("{\"method\":\"x\"}").kind,
	                 DT_MESSAGE_NOTIFICATION);
	assert_int_equal(read("{\"id\":null,\"method\":\"x\"}").kind,
	                 DT_MESSAGE_NOTIFICATION);
}

test(an_answer_has_a_result_or_an_error)
{
	struct dt_message m = read("{\"result\":{\"id\":3},\"id\":2}");

	assert_int_equal(m.kind, DT_MESSAGE_ANSWER);
	assert_str(m.id, "2");
	assert_false(m.is_error);
	m = read("{\"id\":2,\"error\":{}}");
	assert_int_equal(m.kind, DT_MESSAGE_ANSWER);
	assert_true(m.is_error);
	assert_int_equal(read("{\"error\":{}}").kind, DT_MESSAGE_OTHER);
}

test(a_result_behind_an_id_is_not_looked_at)
{
	struct dt_message m = read("{\"id\":2 , \"result\":[\"no end");

	assert_int_equal(m.kind, DT_MESSAGE_ANSWER);
	assert_str(m.id, "2");
	assert_int_equal(read("{\"id\":2,\"resul").kind, DT_MESSAGE_OTHER);
	assert_int_equal(read("{\"result\":[\"no end").kind, DT_MESSAGE_OTHER);
}

test(what_is_no_message_is_something_else)
{
	assert_int_equal(read("").kind, DT_MESSAGE_OTHER);
	assert_int_equal(read("x").kind, DT_MESSAGE_OTHER);
	assert_int_equal(read("[]").kind, DT_MESSAGE_OTHER);
	assert_int_equal(read("{\"id\":1,\"method\":7}").kind,
	                 DT_MESSAGE_OTHER);
	assert_int_equal(read("{\"id\":1,\"method\":\"x\"").kind,
	                 DT_MESSAGE_OTHER);
	assert_null(read("{\"id\":1,\"method\":\"x\"").id.ptr);
}

static void count(const struct dt_message *m, void *owner)
{
	int *counts = owner;

	counts[m->kind]++;
}

test(a_batch_is_each_of_its_messages)
{
	int counts[4] = { 0 };

	dt_message_each(DT_STR("[{\"id\":1,\"method\":\"a\"},{\"method\":"
	                       "\"b\"},{\"id\":2,\"method\":\"c\"},7]"),
	                count, counts);
	assert_int_equal(counts[DT_MESSAGE_REQUEST], 2);
	assert_int_equal(counts[DT_MESSAGE_NOTIFICATION], 1);
	assert_int_equal(counts[DT_MESSAGE_OTHER], 1);
	dt_message_each(DT_STR("x"), count, counts);
	assert_int_equal(counts[DT_MESSAGE_OTHER], 2);
}

test(a_modern_message_says_its_version)
{
	struct dt_message m =
		read("{\"id\":1,\"method\":\"x\",\"params\":{\"_meta\":{\"a\":"
	             "1,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-"
	             "28\"}}}");

	assert_true(dt_message_is_modern(&m));
	m = read("{\"id\":1,\"method\":\"x\",\"params\":{\"_meta\":{}}}");
	assert_false(dt_message_is_modern(&m));
	m = read("{\"id\":1,\"method\":\"x\"}");
	assert_false(dt_message_is_modern(&m));
}

test(a_cancellation_names_its_request)
{
	struct dt_message m = read("{\"method\":\"notifications/cancelled\","
	                           "\"params\":{\"requestId\":\"7\"}}");

	assert_str(dt_message_cancels(&m), "\"7\"");
	m = read("{\"method\":\"other\",\"params\":{\"requestId\":7}}");
	assert_null(dt_message_cancels(&m).ptr);
	m = read("{\"method\":\"notifications/cancelled\"}");
	assert_null(dt_message_cancels(&m).ptr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_has_an_id_and_a_method),
		cmocka_unit_test(a_notification_has_no_id),
		cmocka_unit_test(an_answer_has_a_result_or_an_error),
		cmocka_unit_test(a_result_behind_an_id_is_not_looked_at),
		cmocka_unit_test(what_is_no_message_is_something_else),
		cmocka_unit_test(a_batch_is_each_of_its_messages),
		cmocka_unit_test(a_modern_message_says_its_version),
		cmocka_unit_test(a_cancellation_names_its_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
