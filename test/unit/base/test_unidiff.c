/*
 * test/unit/base/test_unidiff.c - diffs as git writes them, and as git reads
 * them: what is generated here is given to `git apply`, which must make the new
 * files of the old ones.
 */
#include "unit.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "base/unidiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct dt_buf out;

static int start(void **state)
{
	dt_buf_init(&out, DT_MIB);
	return tempdir_open(state);
}

static int end(void **state)
{
	dt_buf_done(&out);
	return tempdir_close(state);
}

static const char *diff(const char *old_name, const char *new_name,
                        const char *old_text, const char *new_text)
{
	struct dt_unidiff file = {
		.old_name = old_name,
		.new_name = new_name,
		.old_text = dt_str(old_text),
		.new_text = dt_str(new_text),
	};

	dt_buf_clear(&out);
	dt_unidiff_write(&file, &out);
	return dt_buf_z(&out);
}

test(a_changed_file_has_its_hunks)
{
	assert_string_equal(diff("a.c", "a.c", "1\n2\n3\n", "1\nII\n3\n"),
	                    "diff --git a/a.c b/a.c\n"
	                    "--- a/a.c\n"
	                    "+++ b/a.c\n"
	                    "@@ -1,3 +1,3 @@\n"
	                    " 1\n-2\n+II\n 3\n");
}

test(a_file_that_stays_as_it_is_has_none)
{
	assert_string_equal(diff("a.c", "a.c", "1\n", "1\n"), "");
	assert_string_equal(diff("a.c", "a.c", "", ""), "");
}

test(a_new_file_and_one_that_goes_face_nothing)
{
	assert_string_equal(diff(NULL, "d/a", NULL, "1\n"),
	                    "diff --git a/d/a b/d/a\n"
	                    "new file mode 100644\n"
	                    "--- /dev/null\n"
	                    "+++ b/d/a\n"
	                    "@@ -0,0 +1,1 @@\n"
	                    "+1\n");
	assert_string_equal(diff("a", NULL, "1\n2", NULL),
	                    "diff --git a/a b/a\n"
	                    "deleted file mode 100644\n"
	                    "--- a/a\n"
	                    "+++ /dev/null\n"
	                    "@@ -1,2 +0,0 @@\n"
	                    "-1\n-2\n\\ No newline at end of file\n");
	assert_string_equal(diff(NULL, "a", NULL, ""),
	                    "diff --git a/a b/a\n"
	                    "new file mode 100644\n");
}

test(a_renamed_file_says_where_it_goes)
{
	assert_string_equal(diff("a", "b c", "1\n", "1\n"),
	                    "diff --git a/a b/b c\n"
	                    "rename from a\n"
	                    "rename to b c\n");
	assert_string_equal(diff("a", "b c", "1\n", "2\n"),
	                    "diff --git a/a b/b c\n"
	                    "rename from a\n"
	                    "rename to b c\n"
	                    "--- a/a\n"
	                    "+++ b/b c\t\n"
	                    "@@ -1,1 +1,1 @@\n"
	                    "-1\n+2\n");
}

test(odd_names_are_quoted)
{
	assert_string_equal(diff("a\"\\\n\x01", NULL, "", NULL),
	                    "diff --git \"a/a\\\"\\\\\\012\\001\" "
	                    "\"b/a\\\"\\\\\\012\\001\"\n"
	                    "deleted file mode 100644\n");
}

test(what_does_not_fit_is_known)
{
	struct dt_unidiff file = {
		.new_name = "a",
		.new_text = DT_STR("12345678901234567890\n"),
	};
	struct dt_buf small;

	for (size_t limit = 1; limit < 90; limit++) {
		dt_buf_init(&small, limit);
		dt_unidiff_write(&file, &small);
		assert_true(small.overflow);
		dt_buf_done(&small);
	}
}

/* round trips */

struct trip {
	char old_name[48];
	char new_name[48];
	bool is_new;
	bool is_gone;
	char old_text[512];
	char new_text[512];
};

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* Few different lines, so that texts have some in common. */
static void draw_text(char *text, size_t size)
{
	static const char *const lines[] = {
		"a\n", "b\n", "\n", "}\n", "  c\n", "d\r\n", "-x\n", "+++ y\n"
	};
	size_t count = draw(40);

	text[0] = '\0';
	for (size_t i = 0; i < count && strlen(text) + 16 < size; i++)
		strncat(text, lines[draw(8)], 16);
	if (draw(3) == 0)
		strncat(text, draw(2) ? "no end" : "@@ -1 +1 @@", 16);
}

static void draw_trip(struct trip *t, unsigned n)
{
	static const char *const names[] = { "f", "with blank ", "q\"uote\\ ",
		                             "tab\t", "\xc3\xa9" };
	const char *name = names[draw(5)];

	*t = (struct trip){ 0 };
	snprintf(t->old_name, sizeof(t->old_name), "%s%u", name, n);
	memcpy(t->new_name, t->old_name, sizeof(t->old_name));
	draw_text(t->old_text, sizeof(t->old_text));
	if (draw(2))
		memcpy(t->new_text, t->old_text, sizeof(t->old_text));
	else
		draw_text(t->new_text, sizeof(t->new_text));
	/* One line more or less is the most common change. */
	if (draw(2))
		strncat(t->new_text, "more\n", 16);
	switch (draw(5)) {
	case 0:
		t->is_new = true;
		t->old_text[0] = '\0';
		break;
	case 1:
		t->is_gone = true;
		t->new_text[0] = '\0';
		break;
	case 2:
		snprintf(t->new_name, sizeof(t->new_name), "new/%s%u", name, n);
		break;
	default:
		break;
	}
}

static void git_apply(const char *dir)
{
	char *command = dt_asprintf("cd '%s/w' && HOME='%s' "
	                            "GIT_CEILING_DIRECTORIES='%s' git apply "
	                            "--whitespace=nowarn ../patch",
	                            dir, dir, dir);

	assert_int_equal(system(command), 0);
	free(command);
}

static void check_trip(const char *dir, const struct trip *t)
{
	char *path = dt_asprintf("%s/w/%s", dir, t->new_name);
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	if (t->is_gone) {
		assert_int_equal(access(path, F_OK), -1);
	} else {
		assert_ok(dt_file_read(path, &text, NULL));
		assert_string_equal(dt_buf_z(&text), t->new_text);
	}
	dt_buf_done(&text);
	free(path);
}

#define TRIPS 400

test(git_makes_the_new_files_of_the_old_ones)
{
	struct trip *trips = dt_alloc(TRIPS * sizeof(*trips));
	char *path = dt_asprintf("%s/patch", (char *)*state);

	tempdir_mkdir(*state, "w");
	for (unsigned i = 0; i < TRIPS; i++) {
		struct trip *t = &trips[i];
		char *name;

		draw_trip(t, i);
		name = dt_asprintf("w/%s", t->old_name);
		if (!t->is_new)
			tempdir_put(*state, name, t->old_text);
		free(name);
		dt_unidiff_write(
			&(struct dt_unidiff){
				t->is_new ? NULL : t->old_name,
				t->is_gone ? NULL : t->new_name,
				dt_str(t->old_text),
				dt_str(t->new_text),
			},
			&out);
	}
	assert_false(out.overflow);
	assert_ok(dt_file_write(path, dt_buf_str(&out), 0600, NULL));
	git_apply(*state);
	for (unsigned i = 0; i < TRIPS; i++)
		check_trip(*state, &trips[i]);
	free(path);
	free(trips);
}

#define test_with_buffer(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_with_buffer(a_changed_file_has_its_hunks),
		test_with_buffer(a_file_that_stays_as_it_is_has_none),
		test_with_buffer(a_new_file_and_one_that_goes_face_nothing),
		test_with_buffer(a_renamed_file_says_where_it_goes),
		test_with_buffer(odd_names_are_quoted),
		test_with_buffer(what_does_not_fit_is_known),
		test_with_buffer(git_makes_the_new_files_of_the_old_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
