/* test/unit/backend/test_headless_ops.c - the table of operations, one by one. */
#include "backend/headless.h"

#include "backend/suite.h"
#include "base/tempdir.h"
#include "unit.h"

/* A root with a.c; no program is there. */
struct fixture {
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_loop *loop;
	struct dt_arena arena;
	struct suite suite;
};

static char **env_of(void *owner, const char *asker, struct dt_arena *arena)
{
	static char *none[] = { NULL };

	(void)asker;
	(void)owner;
	(void)arena;
	return none;
}

static const char *find_nothing(void *owner, const char *asker,
                                struct dt_arena *arena, const char *program)
{
	(void)asker;
	(void)owner;
	(void)arena;
	(void)program;
	return NULL;
}

static void settle(void *owner)
{
	dt_loop_run(((struct fixture *)owner)->loop);
}

static void begin(struct fixture *f, void **state)
{
	const char *dir = *state;

	*f = (struct fixture){ .loop = dt_loop_new() };
	tempdir_mkdir(dir, "w");
	tempdir_put(dir, "w/a.c", "int main(void)\n{\n}\n");
	dt_documents_init(
		&f->docs,
		(const char *[]){ dt_arena_printf(&f->arena, "%s/w", dir) }, 1);
	f->editor = dt_headless_new(&(struct dt_world){
		.loop = f->loop,
		.docs = &f->docs,
		.owner = f,
		.env = env_of,
		.find = find_nothing,
	});
	f->suite = (struct suite){
		.editor = f->editor,
		.path = dt_arena_printf(&f->arena, "%s/w/a.c", dir),
		.settle = settle,
		.owner = f,
	};
}

static void end(struct fixture *f)
{
	f->editor->backend->free(f->editor);
	dt_documents_done(&f->docs);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_arena_done(&f->arena);
}

test(every_operation_answers_once_with_all_fields_set)
{
	struct fixture f;

	begin(&f, state);
	suite_run(&f.suite);
	suite_run(&f.suite);
	end(&f);
}

test(every_operation_answers_once_for_a_file_that_is_not_there)
{
	struct fixture f;

	begin(&f, state);
	f.suite.path = "/no/such/file";
	suite_run(&f.suite);
	end(&f);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	(void)answer;
	(void)result;
	*(bool *)owner = fail && fail->code == DT_E_CLOSED;
}

test(a_stopped_editor_does_nothing_any_more)
{
	struct fixture f;

	begin(&f, state);
	f.editor->backend->stop(f.editor);
	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		struct dt_answer answer;
		bool has_failed = false;

		if (!f.editor->can[i])
			continue;
		dt_answer_init(&answer, on_end, &has_failed);
		f.editor->backend->perform(f.editor, dt_operations[i], NULL,
		                           &answer);
		assert_true(has_failed);
	}
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(
			every_operation_answers_once_with_all_fields_set),
		test_in_tempdir(
			every_operation_answers_once_for_a_file_that_is_not_there),
		test_in_tempdir(a_stopped_editor_does_nothing_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
