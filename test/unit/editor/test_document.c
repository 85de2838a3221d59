/* test/unit/editor/test_document.c - what is open, and what may be read. */
#include "editor/document.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* One root, w/, in a folder that also holds what is outside of it. */
struct fixture {
	struct dt_documents docs;
	struct dt_arena arena;
	const char *dir;
	const char *root;
	struct dt_buf text;
	struct dt_fail fail;
	bool is_outside;
};

static const char *at(struct fixture *f, const char *name)
{
	return dt_arena_printf(&f->arena, "%s/%s", f->dir, name);
}

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .dir = *state };
	f->root = at(f, "w");
	tempdir_mkdir(f->dir, "w");
	tempdir_mkdir(f->dir, "w/sub");
	tempdir_mkdir(f->dir, "w2");
	tempdir_put(f->dir, "w/a.c", "inside\n");
	tempdir_put(f->dir, "w/sub/b.py", "below\n");
	tempdir_put(f->dir, "w2/a.c", "neighbour\n");
	tempdir_put(f->dir, "secret", "outside\n");
	dt_documents_init(&f->docs, &f->root, 1);
	dt_buf_init(&f->text, DT_LIMIT_FILE);
}

static void end(struct fixture *f)
{
	dt_documents_done(&f->docs);
	dt_buf_done(&f->text);
	dt_arena_done(&f->arena);
}

static enum dt_err read_text(struct fixture *f, const char *name,
                             enum dt_text_scope scope)
{
	dt_buf_clear(&f->text);
	f->fail = (struct dt_fail){ 0 };
	f->is_outside = !f->is_outside; /* it must be set either way */
	return dt_documents_read(&f->docs, at(f, name), scope, &f->text,
	                         &f->is_outside, &f->fail);
}

static struct dt_document *open_doc(struct fixture *f, const char *name)
{
	struct dt_document *doc = NULL;

	assert_ok(dt_documents_open(&f->docs, at(f, name), &doc, &f->fail));
	assert_non_null(doc);
	return doc;
}

static void assert_inside(struct fixture *f, const char *name, const char *text)
{
	for (int scope = DT_TEXT_INSIDE; scope <= DT_TEXT_ANYWHERE; scope++) {
		assert_ok(read_text(f, name, (enum dt_text_scope)scope));
		assert_string_equal(dt_buf_z(&f->text), text);
		assert_false(f->is_outside);
	}
}

/* Refused to agents, read for a person, and marked. */
static void assert_outside(struct fixture *f, const char *name,
                           const char *text)
{
	struct dt_document *doc = NULL;

	assert_int_equal(read_text(f, name, DT_TEXT_INSIDE), DT_E_DENIED);
	assert_int_equal(f->fail.code, DT_E_DENIED);
	assert_true(f->fail.msg[0]);
	assert_int_equal(f->text.len, 0);
	assert_int_equal(dt_documents_open(&f->docs, at(f, name), &doc, NULL),
	                 DT_E_DENIED);
	assert_null(doc);
	assert_int_equal(f->docs.count, 0);
	assert_ok(read_text(f, name, DT_TEXT_ANYWHERE));
	assert_string_equal(dt_buf_z(&f->text), text);
	assert_true(f->is_outside);
}

test(a_file_beneath_the_root_is_read)
{
	struct fixture f;

	begin(&f, state);
	assert_inside(&f, "w/a.c", "inside\n");
	assert_inside(&f, "w/sub/b.py", "below\n");
	assert_inside(&f, "w/sub/../a.c", "inside\n");
	assert_inside(&f, "w//./a.c", "inside\n");
	end(&f);
}

test(a_file_outside_is_for_the_person_alone)
{
	struct fixture f;

	begin(&f, state);
	assert_outside(&f, "secret", "outside\n");
	assert_outside(&f, "w2/a.c", "neighbour\n");
	end(&f);
}

test(dots_do_not_lead_out)
{
	struct fixture f;

	begin(&f, state);
	assert_outside(&f, "w/../secret", "outside\n");
	assert_outside(&f, "w/sub/../../secret", "outside\n");
	/* Out and in again is out, too: nothing above the root is looked at. */
	assert_outside(&f, "w/../w/a.c", "inside\n");
	end(&f);
}

test(links_do_not_lead_out)
{
	struct fixture f;

	begin(&f, state);
	tempdir_link(f.dir, "w/relative", "../secret");
	tempdir_link(f.dir, "w/absolute", at(&f, "secret"));
	tempdir_link(f.dir, "w/folder", "../w2");
	assert_outside(&f, "w/relative", "outside\n");
	assert_outside(&f, "w/absolute", "outside\n");
	assert_outside(&f, "w/folder/a.c", "neighbour\n");
	end(&f);
}

test(links_that_stay_inside_are_followed)
{
	struct fixture f;

	begin(&f, state);
	tempdir_link(f.dir, "w/link", "sub/b.py");
	tempdir_link(f.dir, "w/sub/up", "../a.c");
	assert_inside(&f, "w/link", "below\n");
	assert_inside(&f, "w/sub/up", "inside\n");
	end(&f);
}

test(what_is_not_there_is_missing)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(read_text(&f, "w/none", DT_TEXT_INSIDE), DT_E_MISSING);
	assert_int_equal(read_text(&f, "w/none", DT_TEXT_ANYWHERE),
	                 DT_E_MISSING);
	assert_false(f.is_outside);
	assert_int_equal(read_text(&f, "w/no/ne", DT_TEXT_INSIDE),
	                 DT_E_MISSING);
	/* Whether it is there is none of an agent's business. */
	assert_int_equal(read_text(&f, "none", DT_TEXT_INSIDE), DT_E_DENIED);
	assert_int_equal(read_text(&f, "none", DT_TEXT_ANYWHERE), DT_E_MISSING);
	assert_true(f.is_outside);
	assert_true(f.fail.msg[0]);
	end(&f);
}

test(a_folder_is_no_text)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(read_text(&f, "w/sub", DT_TEXT_INSIDE), DT_E_ARGS);
	assert_int_equal(read_text(&f, "w/sub", DT_TEXT_ANYWHERE), DT_E_ARGS);
	assert_int_equal(read_text(&f, "w", DT_TEXT_INSIDE), DT_E_ARGS);
	assert_int_equal(read_text(&f, "w/", DT_TEXT_ANYWHERE), DT_E_ARGS);
	assert_int_equal(f.text.len, 0);
	end(&f);
}

test(a_text_that_is_too_large_is_not_read)
{
	struct dt_document *doc = NULL;
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "w/large", "");
	assert_int_equal(truncate(at(&f, "w/large"), DT_LIMIT_FILE + 1), 0);
	assert_int_equal(read_text(&f, "w/large", DT_TEXT_INSIDE), DT_E_LIMIT);
	assert_int_equal(f.text.len, 0);
	assert_int_equal(
		dt_documents_open(&f.docs, at(&f, "w/large"), &doc, NULL),
		DT_E_LIMIT);
	assert_null(doc);
	end(&f);
}

test(callers_who_do_not_ask_where_it_lies_are_fine)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(dt_documents_read(&f.docs, at(&f, "secret"), DT_TEXT_ANYWHERE,
	                            &f.text, NULL, NULL));
	/* And a text is appended to what the buffer holds. */
	assert_ok(dt_documents_read(&f.docs, at(&f, "w/a.c"), DT_TEXT_INSIDE,
	                            &f.text, NULL, NULL));
	assert_string_equal(dt_buf_z(&f.text), "outside\ninside\n");
	end(&f);
}

test(the_root_of_a_path_is_found)
{
	struct fixture f;
	struct dt_documents two;
	const char *relative = NULL;
	const char *roots[2];

	begin(&f, state);
	roots[0] = at(&f, "w2");
	roots[1] = f.root;
	dt_documents_init(&two, roots, 2);
	assert_string_equal(
		dt_documents_root_of(&two, at(&f, "w/sub/b.py"), &relative),
		f.root);
	assert_string_equal(relative, "sub/b.py");
	assert_string_equal(
		dt_documents_root_of(&two, at(&f, "w2//a.c"), &relative),
		roots[0]);
	assert_string_equal(relative, "a.c");
	assert_string_equal(dt_documents_root_of(&two, f.root, &relative),
	                    f.root);
	assert_string_equal(relative, "");
	assert_null(dt_documents_root_of(&two, at(&f, "w3/a.c"), &relative));
	assert_null(dt_documents_root_of(&two, f.dir, &relative));
	dt_documents_done(&two);
	end(&f);
}

test(everything_is_beneath_the_root_of_all)
{
	const char *root = "/";
	const char *relative = NULL;
	struct dt_documents docs;

	dt_documents_init(&docs, &root, 1);
	assert_string_equal(dt_documents_root_of(&docs, "/etc/x", &relative),
	                    "/");
	assert_string_equal(relative, "etc/x");
	dt_documents_done(&docs);
}

test(without_roots_everything_is_outside)
{
	struct fixture f;
	struct dt_documents none;

	begin(&f, state);
	dt_documents_init(&none, NULL, 0);
	assert_int_equal(dt_documents_read(&none, at(&f, "w/a.c"),
	                                   DT_TEXT_INSIDE, &f.text, NULL, NULL),
	                 DT_E_DENIED);
	dt_documents_done(&none);
	end(&f);
}

test(a_document_opens_once)
{
	struct dt_document *doc;
	struct fixture f;

	begin(&f, state);
	doc = open_doc(&f, "w/sub/b.py");
	assert_string_equal(doc->path, at(&f, "w/sub/b.py"));
	assert_string_equal(doc->language, "python");
	assert_false(doc->has_overlay);
	assert_int_equal(doc->version, 1);
	assert_ptr_equal(open_doc(&f, "w/sub/b.py"), doc);
	assert_int_equal(f.docs.count, 1);
	assert_ptr_equal(dt_documents_find(&f.docs, doc->path), doc);
	assert_null(dt_documents_find(&f.docs, at(&f, "w/a.c")));
	end(&f);
}

test(documents_stay_in_the_order_of_opening)
{
	struct dt_document *first;
	struct dt_document *second;
	struct fixture f;

	begin(&f, state);
	first = open_doc(&f, "w/sub/b.py");
	second = open_doc(&f, "w/a.c");
	assert_ptr_equal(f.docs.list.next, &first->link);
	assert_ptr_equal(f.docs.list.prev, &second->link);
	assert_true(second->version > first->version);
	end(&f);
}

test(what_cannot_be_read_does_not_open)
{
	struct dt_document *doc = NULL;
	struct fixture f;

	begin(&f, state);
	assert_int_equal(
		dt_documents_open(&f.docs, at(&f, "w/none"), &doc, &f.fail),
		DT_E_MISSING);
	assert_int_equal(
		dt_documents_open(&f.docs, at(&f, "w/sub"), &doc, NULL),
		DT_E_ARGS);
	assert_null(doc);
	assert_int_equal(f.docs.count, 0);
	assert_true(dt_list_is_empty(&f.docs.list));
	end(&f);
}

test(a_closed_document_is_not_active_any_more)
{
	struct dt_document *doc;
	struct dt_document *other;
	struct fixture f;

	begin(&f, state);
	doc = open_doc(&f, "w/a.c");
	other = open_doc(&f, "w/sub/b.py");
	f.docs.active = other;
	dt_documents_close(&f.docs, doc);
	assert_ptr_equal(f.docs.active, other);
	dt_documents_close(&f.docs, other);
	assert_null(f.docs.active);
	assert_int_equal(f.docs.count, 0);
	assert_true(dt_list_is_empty(&f.docs.list));
	end(&f);
}

test(only_so_many_documents_are_open)
{
	struct dt_document *doc = NULL;
	struct fixture f;

	begin(&f, state);
	for (unsigned i = 0; i < DT_LIMIT_OPEN_FILES; i++) {
		const char *name = dt_arena_printf(&f.arena, "w/%u", i);

		tempdir_put(f.dir, name, "");
		open_doc(&f, name);
	}
	assert_int_equal(
		dt_documents_open(&f.docs, at(&f, "w/a.c"), &doc, &f.fail),
		DT_E_LIMIT);
	assert_null(doc);
	assert_non_null(strstr(f.fail.msg, "1000"));
	/* What is open is found all the same, and closing one makes room. */
	dt_documents_close(&f.docs, open_doc(&f, "w/0"));
	open_doc(&f, "w/a.c");
	end(&f);
}

test(unsaved_text_wins_over_the_disk)
{
	struct dt_document *doc;
	struct fixture f;
	uint64_t version;

	begin(&f, state);
	doc = open_doc(&f, "w/a.c");
	version = doc->version;
	dt_document_set_overlay(&f.docs, doc, DT_STR("unsaved\n"));
	assert_inside(&f, "w/a.c", "unsaved\n");
	assert_true(doc->version > version);
	version = doc->version;

	dt_document_set_overlay(&f.docs, doc, DT_STR("again"));
	assert_inside(&f, "w/a.c", "again");
	assert_true(doc->version > version);
	version = doc->version;

	dt_document_set_overlay(&f.docs, doc, DT_STR(""));
	assert_true(doc->has_overlay);
	assert_inside(&f, "w/a.c", "");

	dt_document_set_overlay(&f.docs, doc, (struct dt_str){ 0 });
	assert_false(doc->has_overlay);
	assert_inside(&f, "w/a.c", "inside\n");
	assert_true(doc->version > version);
	end(&f);
}

test(unsaved_text_is_there_although_the_file_is_gone)
{
	struct dt_document *doc;
	struct fixture f;

	begin(&f, state);
	doc = open_doc(&f, "w/a.c");
	dt_document_set_overlay(&f.docs, doc, DT_STR("un\0saved"));
	assert_int_equal(unlink(at(&f, "w/a.c")), 0);
	assert_ok(read_text(&f, "w/a.c", DT_TEXT_INSIDE));
	assert_str(dt_buf_str(&f.text), "un\0saved");
	end(&f);
}

test(unsaved_text_that_does_not_fit_is_refused)
{
	struct dt_document *doc;
	struct dt_buf small;
	struct fixture f;

	begin(&f, state);
	doc = open_doc(&f, "w/a.c");
	dt_document_set_overlay(&f.docs, doc, DT_STR("12345"));
	dt_buf_init(&small, 4);
	assert_int_equal(dt_documents_read(&f.docs, doc->path, DT_TEXT_INSIDE,
	                                   &small, NULL, &f.fail),
	                 DT_E_LIMIT);
	assert_true(f.fail.msg[0]);
	dt_buf_done(&small);
	end(&f);
}

test(texts_are_never_remembered)
{
	struct fixture f;

	begin(&f, state);
	open_doc(&f, "w/a.c");
	assert_inside(&f, "w/a.c", "inside\n");
	tempdir_put(f.dir, "w/a.c", "other\n");
	assert_inside(&f, "w/a.c", "other\n");
	end(&f);
}

/* What was told of documents: "changed a.c|" ... */
static void on_change(struct dt_documents *docs, const char *path,
                      enum dt_document_change change, void *owner)
{
	(void)docs;
	dt_buf_addf(owner, "%s %s|",
	            change == DT_DOCUMENT_CLOSED ? "closed" : "changed",
	            strrchr(path, '/') + 1);
}

test(what_others_do_to_a_saved_document_is_followed)
{
	struct dt_document *doc;
	struct dt_buf told;
	struct fixture f;
	uint64_t version;

	begin(&f, state);
	dt_buf_init(&told, DT_MIB);
	f.docs.on_change = on_change;
	f.docs.owner = &told;
	doc = open_doc(&f, "w/a.c");
	version = doc->version;
	dt_documents_noticed(&f.docs, doc);
	assert_string_equal(dt_buf_z(&told), "");
	tempdir_put(f.dir, "w/a.c", "longer than before\n");
	dt_documents_noticed(&f.docs, doc);
	assert_string_equal(dt_buf_z(&told), "changed a.c|");
	assert_true(doc->version > version);
	/* What we wrote ourselves is told once. */
	tempdir_put(f.dir, "w/a.c", "by us\n");
	dt_documents_wrote(&f.docs, doc->path);
	dt_documents_noticed(&f.docs, doc);
	assert_string_equal(dt_buf_z(&told), "changed a.c|changed a.c|");
	assert_int_equal(unlink(doc->path), 0);
	dt_buf_clear(&told);
	dt_documents_noticed(&f.docs, doc);
	assert_string_equal(dt_buf_z(&told), "closed a.c|");
	assert_int_equal(f.docs.count, 0);
	dt_buf_done(&told);
	end(&f);
}

test(unsaved_text_is_kept_and_overtaken)
{
	struct dt_document *doc;
	struct fixture f;

	begin(&f, state);
	doc = open_doc(&f, "w/a.c");
	dt_document_set_overlay(&f.docs, doc, DT_STR("edited\n"));
	dt_document_set_overlay(&f.docs, doc, DT_STR("edited twice\n"));
	assert_ok(dt_documents_check_saved(&f.docs, doc->path, NULL));
	tempdir_put(f.dir, "w/a.c", "by others\n");
	/* Seen when it is used, also when nobody noticed. */
	assert_int_equal(dt_documents_check_saved(&f.docs, doc->path, &f.fail),
	                 DT_E_STATE);
	assert_non_null(strstr(f.fail.msg, "by somebody else"));
	assert_false(doc->is_overtaken);
	dt_documents_noticed(&f.docs, doc);
	assert_true(doc->is_overtaken);
	assert_inside(&f, "w/a.c", "edited twice\n");
	/* They took it back. */
	tempdir_put(f.dir, "w/a.c", "inside\n");
	dt_documents_noticed(&f.docs, doc);
	assert_false(doc->is_overtaken);
	assert_ok(dt_documents_check_saved(&f.docs, doc->path, NULL));
	/* Where the file went, it is written anew. */
	assert_int_equal(unlink(doc->path), 0);
	dt_documents_noticed(&f.docs, doc);
	assert_ok(dt_documents_check_saved(&f.docs, doc->path, NULL));
	assert_int_equal(f.docs.count, 1);
	tempdir_put(f.dir, "w/a.c", "by others\n");
	dt_documents_noticed(&f.docs, doc);
	assert_true(doc->is_overtaken);
	dt_document_set_overlay(&f.docs, doc, (struct dt_str){ 0 });
	assert_false(doc->is_overtaken);
	end(&f);
}

/* what is kept from agents */

static enum dt_err keep_b(void *owner, const char *path, struct dt_fail *fail)
{
	(void)owner;
	return strstr(path, "/sub/b.py") ? dt_fail(fail, DT_E_DENIED, "kept")
	                                 : DT_E_OK;
}

test(what_was_opened_is_judged_not_what_was_asked_for)
{
	struct dt_text_origin origin;
	struct fixture f;

	begin(&f, state);
	f.docs.guard = keep_b;
	tempdir_link(f.dir, "w/link", "sub/b.py");
	tempdir_link(f.dir, "w2/link", "../w/sub/b.py");
	assert_ok(read_text(&f, "w/a.c", DT_TEXT_TOLD));
	assert_int_equal(read_text(&f, "w/link", DT_TEXT_TOLD), DT_E_DENIED);
	assert_string_equal(f.fail.msg, "kept");
	assert_int_equal(f.text.len, 0);
	assert_int_equal(read_text(&f, "secret", DT_TEXT_TOLD), DT_E_DENIED);
	/* Others than agents have it, and are told. */
	assert_ok(read_text(&f, "w/link", DT_TEXT_INSIDE));
	dt_buf_clear(&f.text);
	assert_ok(dt_documents_read_origin(&f.docs, at(&f, "w/link"),
	                                   DT_TEXT_ANYWHERE, &f.text, &origin,
	                                   NULL));
	assert_true(origin.is_led);
	assert_false(origin.is_outside);
	assert_int_equal(origin.kept.code, DT_E_DENIED);
	assert_ok(dt_documents_read_origin(&f.docs, at(&f, "w2/link"),
	                                   DT_TEXT_ANYWHERE, &f.text, &origin,
	                                   NULL));
	assert_true(origin.is_outside);
	assert_int_equal(origin.kept.code, DT_E_DENIED);
	/* Unsaved text is judged by the name of its document. */
	dt_document_set_overlay(&f.docs, open_doc(&f, "w/sub/b.py"),
	                        DT_STR("typed"));
	assert_int_equal(read_text(&f, "w/link", DT_TEXT_TOLD), DT_E_DENIED);
	assert_int_equal(read_text(&f, "w/sub/b.py", DT_TEXT_TOLD),
	                 DT_E_DENIED);
	assert_int_equal(f.text.len, 0);
	end(&f);
}

/* digests */

test(the_digest_of_a_large_file_is_known_until_it_changes)
{
	size_t len = 2 * (size_t)DT_MIB;
	struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	char first[DT_SHA256_TEXT];
	char again[DT_SHA256_TEXT];
	char *large = dt_alloc(len + 1);
	const char *path;
	struct fixture f;

	begin(&f, state);
	path = at(&f, "w/large");
	memset(large, 'x', len);
	tempdir_put(f.dir, "w/large", large);
	assert_false(dt_documents_digest(&f.docs, path, first, &f.fail));
	dt_sha256_hex(large, len, again);
	assert_string_equal(first, again);
	assert_false(f.docs.seen[0].digest[0]); /* it is too young */
	/* As if it had been there for long. */
	sleep(3);
	assert_false(dt_documents_digest(&f.docs, path, again, &f.fail));
	assert_string_equal(first, f.docs.seen[0].digest);
	f.docs.seen[0].digest[0] = '!'; /* it is not read again */
	assert_false(dt_documents_digest(&f.docs, path, again, &f.fail));
	assert_int_equal(again[0], '!');
	/* One byte, and the time of before: the change of that shows. */
	large[7] = 'y';
	tempdir_put(f.dir, "w/large", large);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	assert_false(dt_documents_digest(&f.docs, path, again, &f.fail));
	dt_sha256_hex(large, len, first);
	assert_string_equal(first, again);
	assert_int_equal(
		dt_documents_digest(&f.docs, at(&f, "w/no"), again, &f.fail),
		DT_E_MISSING);
	free(large);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_file_beneath_the_root_is_read),
		test_in_tempdir(a_file_outside_is_for_the_person_alone),
		test_in_tempdir(dots_do_not_lead_out),
		test_in_tempdir(links_do_not_lead_out),
		test_in_tempdir(links_that_stay_inside_are_followed),
		test_in_tempdir(what_is_not_there_is_missing),
		test_in_tempdir(a_folder_is_no_text),
		test_in_tempdir(a_text_that_is_too_large_is_not_read),
		test_in_tempdir(callers_who_do_not_ask_where_it_lies_are_fine),
		test_in_tempdir(the_root_of_a_path_is_found),
		cmocka_unit_test(everything_is_beneath_the_root_of_all),
		test_in_tempdir(without_roots_everything_is_outside),
		test_in_tempdir(a_document_opens_once),
		test_in_tempdir(documents_stay_in_the_order_of_opening),
		test_in_tempdir(what_cannot_be_read_does_not_open),
		test_in_tempdir(a_closed_document_is_not_active_any_more),
		test_in_tempdir(only_so_many_documents_are_open),
		test_in_tempdir(unsaved_text_wins_over_the_disk),
		test_in_tempdir(
			unsaved_text_is_there_although_the_file_is_gone),
		test_in_tempdir(unsaved_text_that_does_not_fit_is_refused),
		test_in_tempdir(texts_are_never_remembered),
		test_in_tempdir(what_others_do_to_a_saved_document_is_followed),
		test_in_tempdir(unsaved_text_is_kept_and_overtaken),
		test_in_tempdir(
			what_was_opened_is_judged_not_what_was_asked_for),
		test_in_tempdir(
			the_digest_of_a_large_file_is_known_until_it_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
