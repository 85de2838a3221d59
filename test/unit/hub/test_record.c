/* What passes fake links, and the transcript that the recorder leaves. */
#include "unit.h"

#include "../base/tempdir.h"
#include "base/buf.h"
#include "base/file.h"
#include "hub/record.h"

#include <time.h>

static void send_nowhere(struct dt_link *link, struct dt_str message)
{
	(void)link;
	(void)message;
}

static void ignore_message(struct dt_link *link, struct dt_str message,
                           void *owner)
{
	(void)link;
	(void)message;
	(void)owner;
}

static void ignore_end(struct dt_link *link, const struct dt_fail *why,
                       void *owner)
{
	(void)link;
	(void)why;
	(void)owner;
}

static const struct dt_link_carrier carrier = { .send = send_nowhere };
static const struct dt_link_events events = {
	.on_message = ignore_message,
	.on_closed = ignore_end,
};

static struct dt_link make_link(void)
{
	return (struct dt_link){ .carrier = &carrier, .events = &events };
}

static void hang_up(struct dt_link *link)
{
	struct dt_fail why = { .code = DT_E_CLOSED };

	dt_link_deliver_end(link, &why);
}

static void assert_file(const char *folder, const char *name,
                        const char *expected)
{
	char *path = dt_asprintf("%s/%s", folder, name);
	struct dt_buf text;

	dt_buf_init(&text, 4096);
	assert_ok(dt_file_read(path, &text, NULL));
	assert_string_equal(dt_buf_z(&text), expected);
	dt_buf_done(&text);
	free(path);
}

test(recorder_keeps_the_order_of_all_links)
{
	struct dt_link agent = make_link();
	struct dt_link command = make_link();
	struct dt_recorder *recorder;

	assert_ok(dt_recorder_new(*state, &recorder, NULL));
	dt_recorder_watch(recorder, &agent, "agent");
	dt_recorder_watch(recorder, &command, "control");
	dt_link_deliver(&agent, DT_STR("{\"id\":1}"));
	dt_link_deliver(&command, DT_STR("{\"id\":2}"));
	dt_link_send(&command, DT_STR("{}"));
	hang_up(&command);
	dt_link_send(&agent, DT_STR(""));
	hang_up(&agent);
	dt_recorder_free(recorder);
	assert_file(*state, "0001.txt",
	            "agent> {\"id\":1}\n"
	            "control2> {\"id\":2}\n"
	            "control2< {}\n"
	            "control2> @drop\n"
	            "agent< \n"
	            "agent> @drop\n");
}

test(recorder_writes_a_message_as_one_line)
{
	struct dt_link agent = make_link();
	struct dt_recorder *recorder;

	assert_ok(dt_recorder_new(*state, &recorder, NULL));
	dt_recorder_watch(recorder, &agent, "agent");
	dt_link_deliver(&agent, DT_STR("{\r\n\"id\": 1\n}"));
	hang_up(&agent);
	dt_recorder_free(recorder);
	assert_file(*state, "0001.txt",
	            "agent> {  \"id\": 1 }\nagent> @drop\n");
}

test(recorder_tells_how_long_nothing_was_said)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	struct dt_link agent = make_link();
	struct dt_recorder *recorder;
	struct dt_buf text;
	char *path = dt_asprintf("%s/0001.txt", (const char *)*state);

	assert_ok(dt_recorder_new(*state, &recorder, NULL));
	dt_recorder_watch(recorder, &agent, "agent");
	dt_link_deliver(&agent, DT_STR("1"));
	nanosleep(&pause, NULL);
	hang_up(&agent);
	dt_recorder_free(recorder);
	dt_buf_init(&text, 4096);
	assert_ok(dt_file_read(path, &text, NULL));
	assert_non_null(strstr(dt_buf_z(&text), "agent> 1\nwait> "));
	dt_buf_done(&text);
	free(path);
}

test(recorder_keeps_what_earlier_runs_wrote)
{
	struct dt_recorder *recorder;

	tempdir_put(*state, "0001.txt", "earlier\n");
	assert_ok(dt_recorder_new(*state, &recorder, NULL));
	dt_recorder_free(recorder);
	assert_file(*state, "0001.txt", "earlier\n");
	assert_file(*state, "0002.txt", "");
}

test(recorder_needs_a_folder)
{
	struct dt_recorder *recorder;
	struct dt_fail fail = { 0 };
	char *path = dt_asprintf("%s/file", (const char *)*state);

	tempdir_put(*state, "file", "");
	assert_int_not_equal(dt_recorder_new(path, &recorder, &fail), DT_E_OK);
	assert_non_null(strstr(fail.msg, path));
	dt_recorder_free(NULL);
	free(path);
}

int main(void)
{
#define in_folder(name)                                                        \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)
	const struct CMUnitTest tests[] = {
		in_folder(recorder_keeps_the_order_of_all_links),
		in_folder(recorder_writes_a_message_as_one_line),
		in_folder(recorder_tells_how_long_nothing_was_said),
		in_folder(recorder_keeps_what_earlier_runs_wrote),
		in_folder(recorder_needs_a_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
