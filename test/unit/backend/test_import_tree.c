/* test/unit/backend/test_import_tree.c - twin of src/backend/import_tree.c */
#include "backend/import_tree.h"

#include "base/tempdir.h"
#include "editor/project.h"
#include "unit.h"

struct fixture {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_arena arena;
	const char *root;

	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	char *imports; /* "depth from:line to" a line */
	uint32_t file_count;
};

static bool may_leave(void *owner, const char *path)
{
	(void)owner;
	return !strstr(path, "kept");
}

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .loop = dt_loop_new() };
	tempdir_mkdir(*state, "w");
	tempdir_put(*state, "secret.h", "#include \"x.h\"\n");
	f->root = dt_arena_printf(&f->arena, "%s/w", (char *)*state);
	dt_documents_init(&f->docs, &f->root, 1);
	f->editor = dt_headless_new(&(struct dt_world){
		.loop = f->loop, .docs = &f->docs, .may_leave = may_leave });
}

static void end(struct fixture *f)
{
	f->editor->backend->free(f->editor);
	dt_documents_done(&f->docs);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_arena_done(&f->arena);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	const struct dt_imports_result *found = result;
	const struct dt_import *import;
	struct fixture *f = owner;
	size_t len = strlen(f->root) + 1;
	struct dt_buf out;

	(void)answer;
	f->ended++;
	if (fail) {
		f->fail = *fail;
		return;
	}
	import = found->imports.ptr;
	dt_buf_init(&out, 1u << 20);
	for (size_t i = 0; i < found->imports.count; i++)
		dt_buf_addf(&out, "%u %s:%u %s\n", import[i].depth,
		            import[i].from + len, import[i].line,
		            import[i].to ? import[i].to + len : "-");
	f->imports = dt_arena_strdup(&f->arena, dt_buf_z(&out));
	f->file_count = found->file_count;
	dt_buf_done(&out);
}

static void start(struct fixture *f, const char *name, uint32_t depth,
                  bool has_external)
{
	struct dt_imports_args args = {
		.path = dt_arena_printf(&f->arena, "%s/%s", f->root, name),
		.depth = depth,
		.has_external = has_external,
	};

	f->ended = 0;
	f->fail = (struct dt_fail){ 0 };
	dt_answer_init(&f->answer, on_end, f);
	f->editor->backend->perform(f->editor, &dt_op_get_imports, &args,
	                            &f->answer);
}

static void ask(struct fixture *f, const char *name, uint32_t depth,
                bool has_external)
{
	start(f, name, depth, has_external);
	dt_loop_run(f->loop);
	assert_int_equal(f->ended, 1);
}

test(imports_are_followed_and_each_file_is_read_once)
{
	struct dt_document *doc;
	struct fixture f;

	begin(&f, state);
	tempdir_put(*state, "w/a.c",
	            "#include <stdio.h>\n#include \"b.h\"\n"
	            "#include \"../secret.h\"\n");
	tempdir_put(*state, "w/b.h", "#include \"c.h\"\n");
	tempdir_put(*state, "w/c.h", "#include \"b.h\"\n#include \"a.c\"\n");
	ask(&f, "a.c", 9, false);
	assert_string_equal(f.imports, "0 a.c:1 b.h\n0 a.c:2 -\n1 b.h:0 c.h\n"
	                               "2 c.h:0 b.h\n2 c.h:1 a.c\n");
	assert_int_equal(f.file_count, 3);
	ask(&f, "a.c", 0, true);
	assert_string_equal(f.imports, "0 a.c:0 -\n0 a.c:1 b.h\n0 a.c:2 -\n");
	assert_ok(dt_documents_open(&f.docs,
	                            dt_arena_printf(&f.arena, "%s/b.h", f.root),
	                            &doc, NULL));
	dt_document_set_overlay(&f.docs, doc, DT_STR("\n"));
	ask(&f, "a.c", 9, false);
	assert_string_equal(f.imports, "0 a.c:1 b.h\n0 a.c:2 -\n");
	end(&f);
}

test(a_package_of_go_is_its_files)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(*state, "w/u");
	tempdir_mkdir(*state, "w/v");
	tempdir_put(*state, "w/go.mod", "module ex.org/m\n");
	tempdir_put(*state, "w/main.go", "import \"ex.org/m/u\"\n");
	tempdir_put(*state, "w/u/one.go", "import \"fmt\"\n");
	tempdir_put(*state, "w/u/two.go", "import (\n\"ex.org/m/v\"\n)\n");
	tempdir_put(*state, "w/u/two_test.go", "import \"ex.org/m\"\n");
	ask(&f, "main.go", 9, false);
	assert_string_equal(f.imports, "0 main.go:0 u\n1 u:1 v\n");
	end(&f);
}

test(what_cannot_be_asked_about_is_refused_at_once)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(*state, "w/README", "x\n");
	start(&f, "README", 9, false);
	assert_int_equal(f.fail.code, DT_E_UNSUPPORTED);
	start(&f, "none.c", 9, false);
	assert_int_equal(f.fail.code, DT_E_MISSING);
	start(&f, "../secret.h", 9, false);
	assert_int_equal(f.fail.code, DT_E_DENIED);
	end(&f);
}

test(nobody_may_wait_any_more)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(*state, "w/a.c", "\n");
	start(&f, "a.c", 9, false);
	dt_answer_drop(&f.answer);
	dt_loop_run(f.loop);
	assert_int_equal(f.ended, 0);
	end(&f);
}

/* A file that a link leads to, and one of a package. */
test(what_a_kept_file_imports_is_not_told)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(*state, "w/a.c", "#include \"b.h\"\n");
	tempdir_put(*state, "w/kept.h", "#include \"c.h\"\n");
	tempdir_put(*state, "w/c.h", "");
	tempdir_link(*state, "w/b.h", "kept.h");
	ask(&f, "a.c", 9, false);
	assert_string_equal(f.imports, "0 a.c:0 b.h\n");
	tempdir_put(*state, "w/go.mod", "module m\n");
	tempdir_mkdir(*state, "w/p");
	tempdir_put(*state, "w/main.go", "import \"m/p\"\n");
	tempdir_put(*state, "w/p/kept.go", "import \"secret/name\"\n");
	tempdir_put(*state, "w/p/x.go", "import \"fmt\"\n");
	ask(&f, "main.go", 9, true);
	assert_string_equal(f.imports, "0 main.go:0 p\n1 p:0 -\n");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(
			imports_are_followed_and_each_file_is_read_once),
		test_in_tempdir(a_package_of_go_is_its_files),
		test_in_tempdir(what_cannot_be_asked_about_is_refused_at_once),
		test_in_tempdir(nobody_may_wait_any_more),
		test_in_tempdir(what_a_kept_file_imports_is_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
