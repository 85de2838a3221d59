/* test/unit/base/test_trash.c - twin of src/base/trash.c */
#include "base/trash.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct scene {
	struct dt_arena arena;
	const char *dir;
	const char *trash;
	int folder;
	char *went;
	struct dt_fail fail;
};

static void begin(struct scene *s, void **state)
{
	*s = (struct scene){ .dir = *state };
	s->trash = dt_arena_printf(&s->arena, "%s/Trash", s->dir);
	tempdir_put(s->dir, "a b", "text\n");
	s->folder = open(s->dir, O_RDONLY | O_DIRECTORY);
	assert_true(s->folder >= 0);
}

static void end(struct scene *s)
{
	free(s->went);
	close(s->folder);
	dt_arena_done(&s->arena);
}

static const char *text_of(struct scene *s, const char *name)
{
	struct dt_buf text;
	const char *copy;

	dt_buf_init(&text, DT_MIB);
	assert_ok(
		dt_file_read(dt_arena_printf(&s->arena, "%s/%s", s->dir, name),
	                     &text, NULL));
	copy = dt_arena_strdup(&s->arena, dt_buf_z(&text));
	dt_buf_done(&text);
	return copy;
}

static enum dt_err put(struct scene *s, const char *name)
{
	free(s->went);
	s->went = NULL;
	return dt_trash_put(s->trash, s->folder, name, "/w/a b", &s->went,
	                    &s->fail);
}

test(a_file_can_be_put_back_from_the_trash)
{
	struct scene s;
	const char *info;

	begin(&s, state);
	tempdir_mkdir(s.dir, "Trash");
	assert_ok(put(&s, "a b"));
	assert_string_equal(s.went,
	                    dt_arena_printf(&s.arena, "%s/files/a b", s.trash));
	assert_string_equal(text_of(&s, "Trash/files/a b"), "text\n");
	info = text_of(&s, "Trash/info/a b.trashinfo");
	assert_true(dt_str_starts(dt_str(info),
	                          DT_STR("[Trash Info]\nPath=/w/a%20b\n"
	                                 "DeletionDate=2")));
	assert_int_equal(strlen(info), strlen("[Trash Info]\nPath=/w/a%20b\n"
	                                      "DeletionDate="
	                                      "2026-11-15T12:00:00\n"));
	assert_int_equal(
		access(dt_arena_printf(&s.arena, "%s/a b", s.dir), F_OK), -1);
	end(&s);
}

test(what_is_there_is_never_replaced)
{
	struct scene s;

	begin(&s, state);
	tempdir_mkdir(s.dir, "Trash");
	tempdir_mkdir(s.dir, "Trash/files");
	tempdir_mkdir(s.dir, "Trash/info");
	tempdir_put(s.dir, "Trash/files/a b", "first\n");
	tempdir_put(s.dir, "Trash/info/a b.2.trashinfo", "taken\n");
	assert_ok(put(&s, "a b"));
	assert_string_equal(text_of(&s, "Trash/files/a b"), "first\n");
	assert_string_equal(text_of(&s, "Trash/files/a b.3"), "text\n");
	assert_string_equal(text_of(&s, "Trash/info/a b.2.trashinfo"),
	                    "taken\n");
	end(&s);
}

test(without_a_trash_the_file_stays)
{
	struct scene s;

	begin(&s, state);
	assert_int_equal(put(&s, "a b"), DT_E_MISSING);
	assert_string_equal(text_of(&s, "a b"), "text\n");
	tempdir_mkdir(s.dir, "other");
	tempdir_link(s.dir, "Trash", "other");
	assert_int_equal(put(&s, "a b"), DT_E_MISSING);
	assert_null(s.went);
	end(&s);
}

test(a_file_that_is_gone_leaves_nothing_in_the_trash)
{
	struct scene s;

	begin(&s, state);
	tempdir_mkdir(s.dir, "Trash");
	assert_int_equal(put(&s, "none"), DT_E_SYS);
	assert_int_equal(
		access(dt_arena_printf(&s.arena, "%s/info/a b.trashinfo",
	                               s.trash),
	               F_OK),
		-1);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_file_can_be_put_back_from_the_trash),
		test_in_tempdir(what_is_there_is_never_replaced),
		test_in_tempdir(without_a_trash_the_file_stays),
		test_in_tempdir(
			a_file_that_is_gone_leaves_nothing_in_the_trash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
