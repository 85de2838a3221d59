/* app/cmd_reload.c - dovetail reload. */
#include "app/command.h"
#include "app/remote.h"
#include "app/text.h"

struct reply {
	struct dt_names warnings;
};

static const struct dt_field reply_fields[] = {
	DT_FIELD(struct reply, warnings, NAMES, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape reply_shape = DT_SHAPE(struct reply, reply_fields);

static enum dt_err run(const void *options, char *const *args,
                       struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct reply reply = { 0 };
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)options;
	(void)args;
	if (err)
		return err;
	err = dt_remote_fetch(remote, "reload", &arena, &reply_shape, &reply,
	                      fail);
	for (size_t i = 0; !err && i < reply.warnings.count; i++)
		puts(dt_text_safe(&arena, reply.warnings.ptr[i]));
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_reload = {
	.name = "reload",
	.summary = "Have the daemon read its configuration again",
	.doc = "Have the daemon read dovetail.conf(5) again, and print what is "
	       "wrong in it.",
	.run = run,
};
