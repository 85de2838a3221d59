/*
 * test/unit/hub/test_stage.c - the tools that change files, with a real inbox,
 * a real store and real files.
 */
#include "called.h"

#include "base/limits.h"
#include "tool/change_tools.h"
#include "tool/replace_tools.h"
#include "tool/transaction_tools.h"

struct scene {
	struct dt_workspace *ws;
	struct client *person;
	struct called c;
	char *a;
	char *b;
};

static struct scene open_scene(struct world *w, const char *rules)
{
	struct scene s = { .ws = serve(w), .c = { .w = w } };

	set_rules(w, rules);
	connect_agent(s.ws, w);
	s.person = connect_command(w);
	s.a = make_file(w, "a", "one\ntwo\nthree\n");
	s.b = make_file(w, "b", "bee\n");
	return s;
}

#define ASKS ""
#define ALLOWS "[policy]\nallow = **\n"

/* Every %s of the arguments is the path. */
static void change(struct scene *s, const char *tool, const char *args,
                   const char *path)
{
	const char *hole;
	struct dt_buf filled;

	dt_buf_init(&filled, DT_MIB);
	while ((hole = strstr(args, "%s"))) {
		dt_buf_add(&filled, args, (size_t)(hole - args));
		dt_buf_add_z(&filled, path);
		args = hole + 2;
	}
	dt_buf_add_z(&filled, args);
	call_tool(&s->c, &dt_tools_change, tool, dt_buf_z(&filled));
	dt_buf_done(&filled);
}

static void accept(struct scene *s)
{
	wait_for(s->c.w, s->c.w->hub.inbox.count > 0);
	decide(s->person, last_review(s->c.w)->id, "\"verdict\":\"accept\"");
}

#define EDIT_TWO                                                               \
	"{\"filePath\":\"%s\",\"edits\":[{\"type\":\"replace\","               \
	"\"line\":2,\"column\":1,\"endLine\":2,\"endColumn\":4,"               \
	"\"text\":\"2\"}]"

/* what is allowed, and what waits */

world_test(what_is_allowed_is_written_at_once)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	change(&s, "editText", EDIT_TWO "}", s.a);
	assert_int_equal(s.c.ended, 1);
	assert_string_equal(told(&s.c, "verdict"), "accepted");
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(told(&s.c, "changes.0.linesAdded"), "1");
	assert_null(told(&s.c, "changes.0.text"));
	assert_string_equal(file_text(w, s.a), "one\n2\nthree\n");
}

world_test(what_is_not_waits_for_the_person)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ASKS);

	change(&s, "editText", EDIT_TWO "}", s.a);
	run_for(w, 20);
	assert_int_equal(s.c.ended, 0);
	assert_string_equal(file_text(w, s.a), "one\ntwo\nthree\n");
	accept(&s);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(file_text(w, s.a), "one\n2\nthree\n");
}

world_test(who_does_not_wait_gets_an_id)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ASKS);

	change(&s, "editText", EDIT_TWO ",\"wait\":false}", s.a);
	assert_string_equal(told(&s.c, "verdict"), "waiting");
	assert_string_equal(told(&s.c, "id"), last_review(w)->id);
}

world_test(what_was_accepted_and_not_written_is_a_failure)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ASKS);

	change(&s, "editText", EDIT_TWO "}", s.a);
	run_for(w, 20);
	put_file(s.a, "other\n");
	accept(&s);
	assert_refused(&s.c, "accepted, but nothing is written: a has changed");
	assert_string_equal(file_text(w, s.a), "other\n");
}

/* what is refused */

world_test(a_block_must_be_there_once)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s\",\"oldContent\":\"o\","
	       "\"newContent\":\"0\"}",
	       s.a);
	assert_refused(&s.c, "2 times, in lines 1, 2;");
	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s\",\"oldContent\":\"four\","
	       "\"newContent\":\"0\"}",
	       s.a);
	assert_refused(&s.c, "not in the file as it is now");
	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s\",\"oldContent\":\"two\\nthree\","
	       "\"newContent\":\"0\"}",
	       s.a);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(file_text(w, s.a), "one\n0\n");
}

world_test(what_is_no_text_cannot_be_edited)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);
	char *path = text_of(w, "%s/bin", w->project);
	FILE *f = fopen(path, "w");

	fwrite("a\0b\n", 1, 4, f);
	fclose(f);
	change(&s, "editText", EDIT_TWO "}", path);
	assert_refused(&s.c, "is no text, so it cannot be edited");
}

world_test(what_is_kept_from_agents_cannot_be_felt_for)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);
	char *env = make_file(w, ".env", "TOKEN=1\n");

	change(&s, "editText", EDIT_TWO "}", env);
	assert_refused(&s.c, "give its whole new text instead of edits");
	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s\",\"oldContent\":\"TOKEN=1\","
	       "\"newContent\":\"\",\"save\":false}",
	       env);
	assert_refused(&s.c, "give its whole new text instead of edits");
	change(&s, "previewEdit",
	       "{\"filePath\":\"%s\",\"operation\":\"lineRange\","
	       "\"startLine\":1,\"endLine\":1,\"newContent\":\"\"}",
	       env);
	assert_refused(&s.c, "give its whole new text instead of edits");
	change(&s, "renameFile",
	       "{\"oldPath\":\"%s\",\"newPath\":\"%s.txt\","
	       "\"overwrite\":true}",
	       env);
	assert_refused(&s.c, ".env");
	assert_string_equal(file_text(w, env), "TOKEN=1\n");
	/* It may be given a new text, of which nothing is told. */
	change(&s, "createFile",
	       "{\"filePath\":\"%s\",\"content\":\"X=2\\n\","
	       "\"overwrite\":true}",
	       env);
	wait_for(w, s.c.ended || w->hub.inbox.count > 0);
	assert_false(s.c.ended);
	decide(s.person, last_review(w)->id, "\"verdict\":\"accept\"");
	assert_string_equal(told(&s.c, "written"), "true");
	assert_null(strstr(s.c.text, "TOKEN"));
}

/* By its new name everybody could read it, and in the trash as well. */
world_test(what_is_kept_from_agents_is_neither_moved_nor_deleted)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);
	char *env = make_file(w, ".env", "TOKEN=1\n");
	char *ssh = make_folder(w, "p/.ssh");
	char *key = make_file(w, ".ssh/id_rsa", "KEY\n");
	char *deep = text_of(w, "%s/deep", w->project);

	change(&s, "renameFile", "{\"oldPath\":\"%s\",\"newPath\":\"%s.txt\"}",
	       env);
	assert_refused(&s.c, "it is not moved or deleted from here");
	change(&s, "renameFile", "{\"oldPath\":\"%s\",\"newPath\":\"%s/../x\"}",
	       ssh);
	assert_refused(&s.c, ".ssh is kept from agents");
	change(&s, "deleteFile", "{\"filePath\":\"%s\"}", env);
	assert_refused(&s.c, "it is not moved or deleted from here");
	change(&s, "deleteFile", "{\"filePath\":\"%s\",\"recursive\":true}",
	       ssh);
	assert_refused(&s.c, "is kept from agents");
	assert_int_equal(mkdir(deep, 0700), 0);
	assert_int_equal(rename(ssh, text_of(w, "%s/.ssh", deep)), 0);
	change(&s, "deleteFile", "{\"filePath\":\"%s\",\"recursive\":true}",
	       deep);
	assert_refused(&s.c, "is kept from agents");
	change(&s, "renameFile", "{\"oldPath\":\"%s\",\"newPath\":\"%s/../x\"}",
	       deep);
	assert_refused(&s.c, "not a regular file");
	assert_string_equal(file_text(w, env), "TOKEN=1\n");
	assert_int_equal(access(key, F_OK), -1);
	assert_string_equal(file_text(w, text_of(w, "%s/.ssh/id_rsa", deep)),
	                    "KEY\n");
	assert_int_equal(w->hub.inbox.count, 0);
}

world_test(links_do_not_lead_out)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);
	char *out = text_of(w, "%s/out", w->dir);
	char *link = text_of(w, "%s/link", w->project);

	assert_int_equal(mkdir(out, 0700), 0);
	put_file(text_of(w, "%s/f", out), "outside\n");
	assert_int_equal(symlink(out, link), 0);
	change(&s, "createFile", "{\"filePath\":\"%s/new\",\"content\":\"x\"}",
	       link);
	wait_for(w, s.c.ended || w->hub.inbox.count > 0);
	if (!s.c.ended)
		accept(&s);
	assert_refused(&s.c, "outside");
	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s/f\",\"oldContent\":\"outside\","
	       "\"newContent\":\"x\"}",
	       link);
	assert_refused(&s.c, "outside the workspace");
	assert_false(is_there(text_of(w, "%s/new", out)));
	assert_string_equal(file_text(w, text_of(w, "%s/f", out)), "outside\n");
}

/* files */

world_test(files_are_created_renamed_and_deleted)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);
	char *n = text_of(w, "%s/sub/n", w->project);

	change(&s, "createFile", "{\"filePath\":\"%s\",\"content\":\"new\\n\"}",
	       n);
	assert_string_equal(told(&s.c, "changes.0.kind"), "create");
	assert_string_equal(file_text(w, n), "new\n");
	change(&s, "createFile", "{\"filePath\":\"%s\"}", n);
	assert_refused(&s.c, "is there already");
	change(&s, "renameFile", "{\"oldPath\":\"%s\",\"newPath\":\"%s2\"}", n);
	assert_string_equal(told(&s.c, "changes.0.kind"), "rename");
	assert_false(is_there(n));
	change(&s, "createFile",
	       "{\"filePath\":\"%s\",\"content\":\"other\\n\"}", n);
	assert_string_equal(told(&s.c, "written"), "true");
	change(&s, "renameFile", "{\"oldPath\":\"%s2\",\"newPath\":\"%s\"}", n);
	assert_refused(&s.c, "is there already");
	change(&s, "renameFile",
	       "{\"oldPath\":\"%s2\",\"newPath\":\"%s\","
	       "\"overwrite\":true}",
	       n);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(file_text(w, n), "new\n");
	assert_false(is_there(text_of(w, "%s2", n)));
	change(&s, "deleteFile", "{\"filePath\":\"%s\"}", n);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_false(is_there(n));
}

/* unsaved text */

world_test(unsaved_text_wins_until_it_is_saved)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ASKS);

	change(&s, "editText", EDIT_TWO ",\"save\":false}", s.a);
	assert_string_equal(told(&s.c, "verdict"), "none");
	assert_string_equal(told(&s.c, "unsaved"), "true");
	assert_string_equal(file_text(w, s.a), "one\ntwo\nthree\n");
	/* The next edit is one of that text. */
	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s\",\"oldContent\":\"2\\nthree\","
	       "\"newContent\":\"2\\n3\",\"save\":false}",
	       s.a);
	assert_string_equal(told(&s.c, "unsaved"), "true");
	change(&s, "saveDocument", "{\"filePath\":\"%s\"}", s.a);
	accept(&s);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(told(&s.c, "diff"),
	                    "diff --git a/a b/a\n--- a/a\n+++ b/a\n"
	                    "@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n");
	assert_string_equal(file_text(w, s.a), "one\n2\n3\n");
	assert_false(dt_documents_is_dirty(&s.ws->docs, s.a));
	change(&s, "saveDocument", "{\"filePath\":\"%s\"}", s.a);
	assert_string_equal(told(&s.c, "note"), "Nothing of it is unsaved.");
	change(&s, "saveDocument", "{\"filePath\":\"%s\"}", s.b);
	assert_refused(&s.c, "is not open");
}

world_test(an_edit_that_is_written_takes_unsaved_text_along)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	change(&s, "editText", EDIT_TWO ",\"save\":false}", s.a);
	change(&s, "replaceBlock",
	       "{\"filePath\":\"%s\",\"oldContent\":\"three\","
	       "\"newContent\":\"3\"}",
	       s.a);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(file_text(w, s.a), "one\n2\n3\n");
	assert_false(dt_documents_is_dirty(&s.ws->docs, s.a));
}

world_test(unsaved_text_that_changed_meanwhile_is_not_given_up)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ASKS);
	struct dt_document *doc;

	change(&s, "editText", EDIT_TWO ",\"save\":false}", s.a);
	change(&s, "saveDocument", "{\"filePath\":\"%s\"}", s.a);
	wait_for(w, w->hub.inbox.count == 1);
	doc = dt_documents_find(&s.ws->docs, s.a);
	dt_document_set_overlay(&s.ws->docs, doc, DT_STR("typed since\n"));
	accept(&s);
	assert_refused(&s.c, "the unsaved text of");
	assert_string_equal(file_text(w, s.a), "one\ntwo\nthree\n");
	assert_true(doc->has_overlay);
}

/* transactions */

static void stage(struct scene *s, const char *path, const char *what)
{
	call_tool(&s->c, &dt_tools_transaction, "stageEdit",
	          text_of(s->c.w,
	                  "{\"transactionId\":\"t\",\"filePath\":\"%s\",%s}",
	                  path, what));
}

static void with_id(struct scene *s, const char *tool)
{
	call_tool(&s->c, &dt_tools_transaction, tool,
	          "{\"transactionId\":\"t\"}");
}

#define LINE_1                                                                 \
	"\"operation\":\"lineRange\",\"startLine\":1,\"endLine\":1,"           \
	"\"newContent\":\"1\""

world_test(what_was_staged_is_one_change)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ASKS);

	with_id(&s, "beginTransaction");
	assert_string_equal(told(&s.c, "transactionId"), "t");
	with_id(&s, "beginTransaction");
	assert_refused(&s.c, "there is a transaction t already");
	with_id(&s, "commitTransaction");
	assert_refused(&s.c, "nothing is staged");
	stage(&s, s.a, LINE_1);
	assert_string_equal(told(&s.c, "verdict"), "none");
	/* From what is staged. */
	stage(&s, s.a,
	      "\"operation\":\"searchReplace\",\"search\":\"1\\ntwo\","
	      "\"replace\":\"1\\n2\"");
	assert_string_equal(told(&s.c, "changes.0.linesAdded"), "2");
	stage(&s, s.b, LINE_1);
	stage(&s, text_of(w, "%s/n", w->project),
	      "\"operation\":\"content\",\"newContent\":\"n\"");
	assert_string_equal(told(&s.c, "changes.0.kind"), "create");
	assert_string_equal(file_text(w, s.a), "one\ntwo\nthree\n");
	with_id(&s, "commitTransaction");
	wait_for(w, w->hub.inbox.count == 1);
	assert_int_equal(last_review(w)->set.count, 3);
	accept(&s);
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(file_text(w, s.a), "1\n2\nthree\n");
	assert_string_equal(file_text(w, s.b), "1\n");
	assert_string_equal(file_text(w, text_of(w, "%s/n", w->project)), "n");
	with_id(&s, "commitTransaction");
	assert_refused(&s.c, "you have no transaction t");
}

world_test(a_file_that_changed_since_staging_refuses_all)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	with_id(&s, "beginTransaction");
	stage(&s, s.a, LINE_1);
	stage(&s, s.b, LINE_1);
	put_file(s.b, "other\n");
	with_id(&s, "commitTransaction");
	assert_refused(&s.c, "b has changed meanwhile");
	assert_string_equal(file_text(w, s.a), "one\ntwo\nthree\n");
	assert_string_equal(file_text(w, s.b), "other\n");
}

/* What cannot be known before: the second file cannot be written. */
world_test(a_second_file_that_fails_undoes_the_first)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);
	char *twin = text_of(w, "%s/twin", w->project);

	with_id(&s, "beginTransaction");
	stage(&s, s.a, LINE_1);
	stage(&s, s.b, LINE_1);
	assert_int_equal(link(s.b, twin), 0);
	with_id(&s, "commitTransaction");
	assert_refused(&s.c, "has 2 names");
	assert_string_equal(file_text(w, s.a), "one\ntwo\nthree\n");
	assert_string_equal(file_text(w, s.b), "bee\n");
}

world_test(a_transaction_is_its_sessions_own)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	with_id(&s, "beginTransaction");
	stage(&s, s.a, LINE_1);
	connect_agent(s.ws, w);
	with_id(&s, "commitTransaction");
	assert_refused(&s.c, "you have no transaction t");
	with_id(&s, "rollbackTransaction");
	assert_refused(&s.c, "you have no transaction t");
}

world_test(what_was_rolled_back_is_gone)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	with_id(&s, "beginTransaction");
	stage(&s, s.a, LINE_1);
	with_id(&s, "rollbackTransaction");
	assert_string_equal(told(&s.c, "files"), "1");
	with_id(&s, "commitTransaction");
	assert_refused(&s.c, "you have no transaction t");
	for (unsigned i = 0; i < 10; i++) {
		call_tool(&s.c, &dt_tools_transaction, "beginTransaction",
		          "{}");
		assert_non_null(told(&s.c, "transactionId"));
	}
	call_tool(&s.c, &dt_tools_transaction, "beginTransaction", "{}");
	assert_refused(&s.c, "10 transactions are open");
}

/* searchAndReplace */

static void replace_all(struct scene *s, const char *more)
{
	call_tool(&s->c, &dt_tools_replace, "searchAndReplace",
	          text_of(s->c.w,
	                  "{\"pattern\":\"e+\",\"replacement\":\"E\"%s}",
	                  more));
}

world_test(a_pattern_is_replaced_everywhere_but_first_looked_at)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	make_file(w, ".env", "SECRET=eee\n");
	replace_all(&s, "");
	assert_null(told(&s.c, "changes.0"));
	replace_all(&s, ",\"isRegex\":true");
	assert_string_equal(told(&s.c, "verdict"), "none");
	assert_string_equal(told(&s.c, "note"),
	                    "3 replacements in 2 of 2 files.");
	assert_string_equal(told(&s.c, "changes.0.path"), s.a);
	assert_string_equal(file_text(w, s.b), "bee\n");
	/* What is not saved is searched, too. */
	change(&s, "editText", EDIT_TWO ",\"save\":false}", s.a);
	replace_all(&s, ",\"isRegex\":true,\"dryRun\":false");
	assert_string_equal(told(&s.c, "written"), "true");
	assert_string_equal(file_text(w, s.a), "onE\n2\nthrE\n");
	assert_string_equal(file_text(w, s.b), "bE\n");
}

world_test(a_pattern_that_is_wrong_is_a_sentence)
{
	struct world *w = *state;
	struct scene s = open_scene(w, ALLOWS);

	call_tool(&s.c, &dt_tools_replace, "searchAndReplace",
	          "{\"pattern\":\"(\",\"replacement\":\"\",\"isRegex\":true}");
	assert_refused(&s.c, "the pattern is wrong at character 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_is_allowed_is_written_at_once),
		test_in_world(what_is_not_waits_for_the_person),
		test_in_world(who_does_not_wait_gets_an_id),
		test_in_world(what_was_accepted_and_not_written_is_a_failure),
		test_in_world(a_block_must_be_there_once),
		test_in_world(what_is_no_text_cannot_be_edited),
		test_in_world(what_is_kept_from_agents_cannot_be_felt_for),
		test_in_world(
			what_is_kept_from_agents_is_neither_moved_nor_deleted),
		test_in_world(links_do_not_lead_out),
		test_in_world(files_are_created_renamed_and_deleted),
		test_in_world(unsaved_text_wins_until_it_is_saved),
		test_in_world(an_edit_that_is_written_takes_unsaved_text_along),
		test_in_world(
			unsaved_text_that_changed_meanwhile_is_not_given_up),
		test_in_world(what_was_staged_is_one_change),
		test_in_world(a_file_that_changed_since_staging_refuses_all),
		test_in_world(a_second_file_that_fails_undoes_the_first),
		test_in_world(a_transaction_is_its_sessions_own),
		test_in_world(what_was_rolled_back_is_gone),
		test_in_world(
			a_pattern_is_replaced_everywhere_but_first_looked_at),
		test_in_world(a_pattern_that_is_wrong_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
