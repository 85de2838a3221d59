/* test/unit/tool/test_watch_tools.c - twin of src/tool/watch_tools.c */
#include "tool/watch_tools.h"

#include "editor/watch.h"
#include "tool/script.h"
#include "unit.h"

static struct dt_file_change changes[] = {
	{ "/w/a.c", DT_FILE_CREATED, false },
	{ "/w/b.c", DT_FILE_CHANGED, true },
	{ "/w/c.c", DT_FILE_DELETED, false },
};
static struct dt_watch_files_result found = {
	.id = "watch-1",
	.pattern = "*.c",
	.last = 7,
	.changes = { changes, 3 },
};
static struct dt_watch_files_result none = {
	.id = "watch-1",
	.pattern = "*.c",
	.last = 7,
	.note = "not all folders are watched",
};

test(a_watch_begins_at_once)
{
	static const struct step steps[] = { { &dt_op_watch_files, &none },
		                             { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, dt_tools_watch.tools, "{\"pattern\":\"*.c\"}", steps);
	assert_asked(&s, "watchFiles{\"pattern\":\"*.c\",\"since\":-1}\n");
	assert_reply(&s,
	             "{\"watching\":true,\"id\":\"watch-1\",\"pattern\":"
	             "\"*.c\",\"changed\":false,\"changes\":[],\"cursor\":7,"
	             "\"note\":\"not all folders are watched\"}\n");
	script_end(&s);
}

test(it_is_asked_about_and_waited_for)
{
	static const struct step steps[] = { { &dt_op_watch_files, &found },
		                             { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, dt_tools_watch.tools,
	            "{\"id\":\"watch-1\",\"since\":4}", steps);
	assert_asked(&s, "watchFiles{\"id\":\"watch-1\",\"since\":4,\"waitMs\":"
	                 "30000}\n");
	assert_reply(&s, "{\"watching\":true,\"id\":\"watch-1\",\"pattern\":"
	                 "\"*.c\",\"changed\":true,\"changes\":["
	                 "{\"filePath\":\"/w/a.c\",\"type\":\"created\"},"
	                 "{\"filePath\":\"/w/b.c\",\"type\":\"changed\"},"
	                 "{\"filePath\":\"/w/c.c\",\"type\":\"deleted\"}],"
	                 "\"cursor\":7}\n");
	script_call(&s, dt_tools_watch.tools,
	            "{\"id\":\"x\",\"pattern\":\"*.c\",\"timeoutMs\":120000}",
	            steps);
	assert_asked(&s,
	             "watchFiles{\"id\":\"x\",\"pattern\":\"*.c\",\"since\":"
	             "-1,\"waitMs\":120000}\n");
	script_end(&s);
}

test(changes_that_were_lost_are_news)
{
	static struct dt_watch_files_result lost = {
		.id = "watch-1",
		.pattern = "*.c",
		.is_cut = true,
	};
	static const struct step steps[] = { { &dt_op_watch_files, &lost },
		                             { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, dt_tools_watch.tools, "{\"id\":\"watch-1\"}", steps);
	assert_reply(&s, "{\"watching\":true,\"id\":\"watch-1\",\"pattern\":"
	                 "\"*.c\",\"changed\":true,\"changes\":[],\"cursor\":0,"
	                 "\"truncated\":true}\n");
	script_end(&s);
}

test(what_is_wrong_is_refused)
{
	struct script s;

	script_begin(&s);
	script_call(&s, dt_tools_watch.tools, "{}", NULL);
	assert_failure(&s, "pattern: missing; give it to begin a watch, or the "
	                   "id of one\n");
	script_call(&s, dt_tools_watch.tools,
	            "{\"id\":\"a\",\"timeoutMs\":120001}", NULL);
	assert_failure(&s, "timeoutMs: at most 120000\n");
	script_end(&s);
}

test(a_watch_ends)
{
	static const struct step steps[] = { { &dt_op_unwatch_files, NULL },
		                             { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, &dt_tools_watch.tools[1], "{\"id\":\"watch-1\"}",
	            steps);
	assert_asked(&s, "unwatchFiles{\"id\":\"watch-1\"}\n");
	assert_reply(&s, "{\"unwatched\":true,\"id\":\"watch-1\"}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_watch_begins_at_once),
		cmocka_unit_test(it_is_asked_about_and_waited_for),
		cmocka_unit_test(changes_that_were_lost_are_news),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(a_watch_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
