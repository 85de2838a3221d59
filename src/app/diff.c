/*
 * app/diff.c - two trees, "a" and "b", and the programs that look at them.
 *
 * With --no-prefix git prints the names of the trees where its own prefixes
 * would be, so a diff reads as if it had been made in the workspace, and what
 * the person set up for git (pager, colours) counts here too.  But of a file that
 * is only on one side git names that side twice, so what is not for a terminal
 * is written here: `git apply` takes it.  What git shows are copies in which
 * hidden characters are spelled out, see shown.c.
 */
#include "app/diff.h"

#include "app/child.h"
#include "app/shown.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/unidiff.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum dt_err dt_diff_make_folder(struct dt_arena *arena, const char **out,
                                struct dt_fail *fail)
{
	const char *temp = getenv("TMPDIR");
	char *folder = dt_arena_printf(arena, "%s/dovetail-review-XXXXXX",
	                               temp && *temp ? temp : "/tmp");

	if (!mkdtemp(folder))
		return dt_fail_sys(fail, "cannot make a folder in %s",
		                   temp && *temp ? temp : "/tmp");
	*out = folder;
	return DT_E_OK;
}

static const char *below(const char *path, const char *root)
{
	if (root && strcmp(path, root) != 0 && dt_path_is_beneath(path, root))
		path += strlen(root);
	return path + strspn(path, "/");
}

/* FOLDER/SIDE/PATH, the path as it is below the root. */
static const char *place(struct dt_arena *arena, const char *folder,
                         const char *side, const char *path, const char *root)
{
	return dt_arena_printf(arena, "%s/%s/%s", folder, side,
	                       below(path, root));
}

enum dt_err dt_diff_put(const char *file, struct dt_str text,
                        struct dt_fail *fail)
{
	size_t folder_len = strlen(file) - strlen(dt_path_base(file));
	char *folder = dt_strndup(file, folder_len);
	enum dt_err err = dt_file_make_dirs(folder, fail);

	free(folder);
	return err ? err : dt_file_write(file, text, 0600, fail);
}

static void name_files(struct dt_arena *arena, const char *folder,
                       const struct dt_review_info *review, struct dt_diff *out)
{
	const struct dt_review_file *e = review->entries.ptr;
	size_t count = review->entries.count;

	out->before = dt_arena_alloc(arena, count * sizeof(*out->before));
	out->after = dt_arena_alloc(arena, count * sizeof(*out->after));
	for (size_t i = 0; i < count; i++) {
		out->before[i] =
			place(arena, folder, "a", e[i].path, review->root);
		out->after[i] = place(arena, folder, "b",
		                      e[i].new_path ? e[i].new_path : e[i].path,
		                      review->root);
	}
	out->edited = out->after[0];
}

static enum dt_err put_entry(const struct dt_diff *diff, size_t i,
                             const struct dt_review_file *entry,
                             struct dt_fail *fail)
{
	struct dt_str text = dt_reviews_text(entry);
	enum dt_err err = DT_E_OK;

	if (entry->is_left_out)
		return DT_E_OK;
	if (entry->old.ptr)
		err = dt_diff_put(diff->before[i], entry->old, fail);
	if (!err && text.ptr)
		err = dt_diff_put(diff->after[i], text, fail);
	return err;
}

enum dt_err dt_diff_open(struct dt_arena *arena, const char *base,
                         const struct dt_review_info *review,
                         struct dt_diff *out, struct dt_fail *fail)
{
	const struct dt_review_file *entries = review->entries.ptr;
	const char *folder = dt_arena_printf(arena, "%s/%s", base, review->id);
	bool is_there = dt_file_is_dir(folder);
	enum dt_err err;

	err = dt_file_make_dirs(dt_arena_printf(arena, "%s/a", folder), fail);
	if (!err)
		err = dt_file_make_dirs(dt_arena_printf(arena, "%s/b", folder),
		                        fail);
	name_files(arena, folder, review, out);
	for (size_t i = 0; !err && !is_there && i < review->entries.count; i++)
		err = put_entry(out, i, &entries[i], fail);
	out->base = base;
	out->folder = folder;
	return err;
}

void dt_diff_remove(const struct dt_diff *diff)
{
	dt_file_remove_tree(diff->folder);
}

/* Both programs say 1 for a difference. */
static bool was_shown(int code)
{
	return code == 0 || code == 1;
}

/* A terminal that moves no cursor has no use for a pager. */
static bool has_pager(void)
{
	const char *terminal = getenv("TERM");

	return terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Two names in a folder compared. */
struct pair {
	const char *folder;
	const char *before;
	const char *after;
};

static enum dt_err run_diff(const struct dt_diff *diff, const struct pair *pair,
                            const char *pager, int *out_code,
                            struct dt_fail *fail)
{
	char *old = (char *)(uintptr_t)pair->before;
	char *new = (char *)(uintptr_t)pair->after;
	char *git[10] = { "git" };
	char *plain[] = { "diff", "-ruN", old, new, NULL };
	/* A repository around the folder would be somebody else's.  git gives
	 * less the options FRX where the person has none. */
	const char *less = getenv("LESS");
	const char *env[] = { "GIT_CEILING_DIRECTORIES",
		              diff->base,
		              "LESS",
		              less ? less : "-FRX -Psq leaves the diff $",
		              *pager ? "GIT_PAGER" : NULL,
		              pager,
		              NULL };
	size_t n = 1;
	enum dt_err err;

	if (!has_pager())
		git[n++] = "--no-pager";
	git[n++] = "diff";
	/* Without colours of ours there are none of git's. */
	if (!dt_terminal_has_colours())
		git[n++] = "--no-color";
	git[n++] = "--no-index";
	git[n++] = "--no-prefix";
	git[n++] = "--";
	git[n++] = old;
	git[n++] = new;
	err = dt_child_run(git, pair->folder, env, out_code, fail);
	if (!err && *out_code == DT_CHILD_MISSING)
		err = dt_child_run(plain, pair->folder, NULL, out_code, fail);
	return err;
}

static enum dt_err show(const struct dt_diff *diff, const char *before,
                        const char *after, const char *pager,
                        struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct pair pair = { .before = before, .after = after };
	enum dt_err err =
		dt_shown_make(&arena, diff->folder, &pair.folder, fail);
	int code = 0;

	if (!err && pair.folder != diff->folder) {
		pair.before = dt_text_safe(&arena, before);
		pair.after = dt_text_safe(&arena, after);
	}
	if (!err)
		err = run_diff(diff, &pair, pager, &code, fail);
	dt_arena_done(&arena);
	if (!err && code == 0)
		puts("There is no difference.");
	if (!err && code == DT_CHILD_MISSING)
		return dt_fail(fail, DT_E_MISSING,
		               "install git to see the change; there is no "
		               "diff either");
	/* Leaving the pager early ends git by SIGPIPE; that is fine. */
	if (!err && !was_shown(code) && code < 128)
		return dt_fail(fail, DT_E_SYS, "git diff failed");
	return err;
}

enum dt_err dt_diff_show(const struct dt_diff *diff, const char *pager,
                         struct dt_fail *fail)
{
	return show(diff, "a", "b", pager, fail);
}

/* As it is named in the folder of the layout; a side that is missing is none. */
static const char *side_of(const struct dt_diff *diff, const char *file)
{
	if (access(file, F_OK) != 0)
		return "/dev/null";
	return file + strlen(diff->folder) + 1;
}

enum dt_err dt_diff_show_file(const struct dt_diff *diff, size_t file,
                              const char *pager, struct dt_fail *fail)
{
	return show(diff, side_of(diff, diff->before[file]),
	            side_of(diff, diff->after[file]), pager, fail);
}

void dt_diff_write(const struct dt_review_info *review, struct dt_buf *out)
{
	const struct dt_review_file *files = review->entries.ptr;

	for (size_t i = 0; i < review->entries.count; i++) {
		const struct dt_review_file *f = &files[i];
		struct dt_unidiff file = {
			.old_text = f->old,
			.new_text = dt_reviews_text(f),
		};

		if (f->is_left_out)
			continue;
		if (f->old.ptr)
			file.old_name = below(f->path, review->root);
		if (file.new_text.ptr)
			file.new_name =
				below(f->new_path ? f->new_path : f->path,
			              review->root);
		if (file.old_name || file.new_name)
			dt_unidiff_write(&file, out);
	}
}

/* Whoever reads a pipe wants the bytes, so the warning goes beside them. */
static void print_patch(const struct dt_review_info *review)
{
	struct dt_buf patch;
	size_t hidden;

	dt_buf_init(&patch, SIZE_MAX);
	dt_diff_write(review, &patch);
	if (patch.len > 0)
		fwrite(patch.ptr, 1, patch.len, stdout);
	else
		puts("There is no difference.");
	hidden = dt_visible_count(dt_buf_str(&patch), DT_LAYOUT_FILE);
	if (hidden > 0)
		fprintf(stderr,
		        "dovetail: this has characters that are hidden in a "
		        "terminal (%zu); `dovetail review show` spells them "
		        "out there\n",
		        hidden);
	dt_buf_done(&patch);
}

enum dt_err dt_diff_print(struct dt_arena *arena,
                          const struct dt_review_info *review,
                          const char *pager, struct dt_fail *fail)
{
	struct dt_diff diff = { 0 };
	const char *base;
	enum dt_err err;

	if (!isatty(STDOUT_FILENO)) {
		print_patch(review);
		return DT_E_OK;
	}
	err = dt_diff_make_folder(arena, &base, fail);
	if (err)
		return err;
	err = dt_diff_open(arena, base, review, &diff, fail);
	if (!err)
		err = dt_diff_show(&diff, pager, fail);
	if (diff.folder)
		dt_diff_remove(&diff);
	rmdir(base);
	return err;
}

static const char *choose_editor(const char *editor)
{
	if (!*editor)
		editor = getenv("VISUAL");
	if (!editor || !*editor)
		editor = getenv("EDITOR");
	return editor && *editor ? editor : "vi";
}

enum dt_err dt_diff_edit_file(const char *file, const char *editor,
                              struct dt_fail *fail)
{
	const char *chosen = choose_editor(editor);
	/* A shell, because EDITOR="code --wait" is common. */
	char *command = dt_asprintf("%s \"$@\"", chosen);
	char *argv[] = { "sh", "-c", command, "editor", (char *)(uintptr_t)file,
		         NULL };
	enum dt_err err;
	int code;

	err = dt_child_run(argv, NULL, NULL, &code, fail);
	free(command);
	if (!err && code)
		err = dt_fail(fail, DT_E_SYS,
		              "%s ended with %d; set EDITOR to one you have",
		              chosen, code);
	return err;
}

enum dt_err dt_diff_read_file(const char *file, struct dt_buf *out,
                              struct dt_fail *fail)
{
	enum dt_err err = dt_file_read(file, out, fail);

	if (!err && !dt_utf8_is_valid(dt_buf_str(out)))
		err = dt_fail(fail, DT_E_ARGS,
		              "the text is not UTF-8 any more; edit it again");
	return err;
}
