/* test/unit/backend/test_lsp_docs.c - what a server is told of texts. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

/* What it was told since the last time. */
static const char *told(struct lsp_world *w, const char *path)
{
	lsp_world_ask(w, path, "fake/log");
	assert_string_equal(w->fail.msg, "");
	return w->result;
}

static const char *begin(struct lsp_world *w, void **state, const char *text)
{
	const char *path;

	lsp_world_begin(w, state);
	lsp_world_fake(w, "");
	path = lsp_world_put(w, "a.c", text);
	return path;
}

static void set_overlay(struct lsp_world *w, const char *path, const char *text)
{
	struct dt_document *doc = NULL;

	assert_ok(dt_documents_open(&w->docs, path, &doc, NULL));
	dt_document_set_overlay(
		&w->docs, doc,
		(struct dt_str){ text, text ? strlen(text) : 0 });
}

test(a_file_is_opened_when_it_is_asked_about_and_only_then)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");

	assert_string_equal(
		told(&w, path),
		"\"initialized {}|didOpen a.c 1 \\\"one\\\\n\\\"|\"");
	assert_string_equal(told(&w, path), "\"\"");
	lsp_world_end(&w);
}

test(a_file_that_changed_on_disk_is_told)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");

	(void)told(&w, path);
	lsp_world_put(&w, "a.c", "two\n");
	assert_string_equal(
		told(&w, path),
		"\"didChange a.c 2 \\\"two\\\\n\\\"|didSave a.c|\"");
	/* Of the same size and in the same moment. */
	lsp_world_put(&w, "a.c", "six\n");
	assert_string_equal(
		told(&w, path),
		"\"didChange a.c 3 \\\"six\\\\n\\\"|didSave a.c|\"");
	/* Written, and the same: there is nothing to tell. */
	lsp_world_put(&w, "a.c", "six\n");
	assert_string_equal(told(&w, path), "\"\"");
	lsp_world_end(&w);
}

test(unsaved_text_wins_and_saving_it_is_told)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");

	set_overlay(&w, path, "un");
	assert_string_equal(told(&w, path),
	                    "\"initialized {}|didOpen a.c 1 \\\"un\\\"|\"");
	set_overlay(&w, path, "saved");
	assert_string_equal(told(&w, path),
	                    "\"didChange a.c 2 \\\"saved\\\"|\"");
	lsp_world_put(&w, "a.c", "saved");
	assert_string_equal(told(&w, path), "\"\"");
	set_overlay(&w, path, NULL);
	assert_string_equal(told(&w, path), "\"didSave a.c|\"");
	lsp_world_end(&w);
}

test(unsaved_text_of_another_file_is_told_too)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");
	const char *header = lsp_world_put(&w, "a.h", "old\n");
	const char *other = lsp_world_put(&w, "a.py", "old\n");

	set_overlay(&w, header, "new");
	set_overlay(&w, other, "not of this language");
	assert_string_equal(told(&w, path),
	                    "\"initialized {}|didOpen a.h 1 \\\"new\\\"|"
	                    "didOpen a.c 1 \\\"one\\\\n\\\"|\"");
	lsp_world_end(&w);
}

test(a_file_that_is_gone_is_closed)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");
	const char *other = lsp_world_put(&w, "b.c", "b\n");

	(void)told(&w, path);
	(void)told(&w, other);
	assert_int_equal(unlink(other), 0);
	assert_string_equal(told(&w, path), "\"didClose b.c|\"");
	lsp_world_ask(&w, other, "fake/any");
	assert_int_equal(w.fail.code, DT_E_MISSING);
	lsp_world_end(&w);
}

test(what_changed_is_told_at_once)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");
	const char *other = lsp_world_put(&w, "b.c", "b\n");

	(void)told(&w, path);
	(void)told(&w, other);
	lsp_world_put(&w, "a.c", "two\n");
	lsp_world_changed(&w, path);
	lsp_world_put(&w, "a.c", "three\n");
	/* The one asked about last is saved, so that others are looked at. */
	assert_string_equal(
		told(&w, other),
		"\"didChange a.c 2 \\\"two\\\\n\\\"|didSave a.c|didSave b.c|"
		"didChange a.c 3 \\\"three\\\\n\\\"|didSave a.c|\"");
	lsp_world_end(&w);
}

test(a_file_no_server_should_read_is_refused)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");
	char *large = dt_alloc(DT_LIMIT_LSP_TEXT + 2);
	char *sentence;
	int fd;

	memset(large, 'x', DT_LIMIT_LSP_TEXT + 1);
	path = lsp_world_put(&w, "large.c", large);
	lsp_world_ask(&w, path, "fake/any");
	sentence = dt_asprintf("%s is larger than 8 MiB: language servers are "
	                       "not asked about it",
	                       path);
	assert_string_equal(w.fail.msg, sentence);
	assert_int_equal(w.fail.code, DT_E_LIMIT);
	free(sentence);
	free(large);
	path = lsp_world_put(&w, "binary.c", "");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(write(fd, "a\0b", 3), 3);
	close(fd);
	lsp_world_ask(&w, path, "fake/any");
	assert_int_equal(w.fail.code, DT_E_UNSUPPORTED);
	assert_non_null(strstr(w.fail.msg, "binary.c is no text"));
	lsp_world_end(&w);
}

test(files_are_closed_where_too_many_are_open)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "one\n");
	const char *kept = lsp_world_put(&w, "kept.c", "k\n");

	lsp_world_ask(&w, path, "fake/any");
	set_overlay(&w, kept, "unsaved");
	for (int i = 0; i < DT_LIMIT_LSP_FILES - 2; i++) {
		char *name = dt_asprintf("%d.c", i);

		lsp_world_ask(&w, lsp_world_put(&w, name, ""), "fake/any");
		free(name);
	}
	(void)told(&w, path); /* the last that was asked about */
	lsp_world_put(&w, "new.c", "");
	assert_string_equal(told(&w, lsp_world_path(&w, "new.c")),
	                    "\"didClose 0.c|didOpen new.c 1 \\\"\\\"|\"");
	lsp_world_end(&w);
}

test(a_rash_server_may_not_have_read_what_was_just_opened)
{
	struct lsp_world w;
	const char *path;

	lsp_world_begin(&w, state);
	lsp_world_fake(&w, "");
	path = lsp_world_put(&w, "a.sh", "echo\n");
	lsp_world_hover(&w, path, 0, 0);
	assert_string_equal(w.server, "bash-language-server");
	assert_true(w.is_early);
	/* Some time later. */
	dt_lsp_docs_find(
		DT_LIST_OF(w.lsp->servers.next, struct dt_lsp_server, link),
		path)
		->opened_ms -= DT_LIMIT_LSP_NEWS_MS;
	lsp_world_hover(&w, path, 0, 0);
	assert_false(w.is_early);
	/* clangd reads first. */
	lsp_world_hover(&w, lsp_world_put(&w, "a.c", "int a;\n"), 0, 0);
	assert_false(w.is_early);
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

static enum dt_err keep_env(void *owner, const char *path, struct dt_fail *fail)
{
	(void)owner;
	return strstr(path, ".env") ? dt_fail(fail, DT_E_DENIED, "kept")
	                            : DT_E_OK;
}

/* By another name it would be told what is in it. */
test(a_server_gets_no_text_that_is_kept)
{
	struct lsp_world w;

	lsp_world_begin(&w, state);
	lsp_world_fake(&w, "");
	w.docs.guard = keep_env;
	lsp_world_put(&w, ".env.c", "secret\n");
	assert_int_equal(symlink(".env.c", lsp_world_path(&w, "link.c")), 0);
	lsp_world_refresh(&w, lsp_world_path(&w, "link.c"));
	assert_int_equal(w.fail.code, DT_E_DENIED);
	lsp_world_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(
			a_file_is_opened_when_it_is_asked_about_and_only_then),
		with_folder(a_file_that_changed_on_disk_is_told),
		with_folder(unsaved_text_wins_and_saving_it_is_told),
		with_folder(unsaved_text_of_another_file_is_told_too),
		with_folder(a_file_that_is_gone_is_closed),
		with_folder(what_changed_is_told_at_once),
		with_folder(a_server_gets_no_text_that_is_kept),
		with_folder(a_file_no_server_should_read_is_refused),
		with_folder(files_are_closed_where_too_many_are_open),
		with_folder(
			a_rash_server_may_not_have_read_what_was_just_opened),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
