/*
 * test/fuzz/fuzz_hook.c - what Claude Code tells a hook, and the file it is
 * about: the input up to the first NUL, then the file's text.
 */
#include "base/limits.h"
#include "dialect/claude_hook.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The verdict `final`: what is printed is JSON, or there is a sentence. */
static void check_allow(struct dt_arena *arena,
                        const struct dt_claude_hook *hook,
                        const struct dt_claude_accepted *accepted)
{
	const struct dt_json *json;
	struct dt_fail fail = { 0 };
	struct dt_buf out;

	dt_buf_init(&out, DT_LIMIT_MESSAGE);
	if (dt_claude_hook_allow(arena, hook, accepted, &out, &fail)) {
		assert(fail.msg[0] && out.len == 0);
	} else {
		assert(!dt_json_read(arena, dt_buf_str(&out), &json, NULL));
		json = dt_json_get(json, "hookSpecificOutput");
		assert(json && dt_json_get(json, "permissionDecision"));
	}
	dt_buf_done(&out);
}

static void check_hook(struct dt_arena *arena,
                       const struct dt_claude_hook *hook, struct dt_str old)
{
	struct dt_claude_accepted accepted = { .old = old };
	struct dt_fail fail = { 0 };

	assert(hook->path[0] == '/');
	if (dt_claude_hook_propose(arena, hook, old, &accepted.proposed,
	                           &fail)) {
		assert(fail.code && fail.msg[0]);
		return;
	}
	assert(accepted.proposed.ptr);
	accepted.final = accepted.proposed;
	check_allow(arena, hook, &accepted);
	accepted.final = DT_STR("the person's\r\n");
	check_allow(arena, hook, &accepted);
	accepted.final = old.ptr ? old : DT_STR("");
	check_allow(arena, hook, &accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_str rest = { (const char *)data, size };
	struct dt_str input = size ? dt_str_cut(&rest, '\0') : rest;
	struct dt_claude_hook hook = { 0 };
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct dt_fail fail = { 0 };

	if (dt_json_read(&arena, input, &json, &fail) ||
	    dt_claude_hook_read(&arena, json, &hook, &fail)) {
		assert(fail.code && fail.msg[0]);
	} else {
		check_hook(&arena, &hook, (struct dt_str){ 0 });
		check_hook(&arena, &hook, rest.ptr ? rest : DT_STR(""));
	}
	dt_arena_done(&arena);
	return 0;
}
