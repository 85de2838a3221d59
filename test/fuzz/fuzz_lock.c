/*
 * test/fuzz/fuzz_lock.c - lock files, which any program of the user may write.
 */
#include "dialect/claude_lock.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What we write for what was read is read as the same again. */
static void check_written(struct dt_arena *arena,
                          const struct dt_claude_lock *lock)
{
	struct dt_place place = {
		.name = lock->ide_name,
		.roots = lock->folders.ptr,
		.root_count = lock->folders.count,
		.token = lock->token,
		.pid = (pid_t)lock->pid,
	};
	struct dt_claude_lock again;
	struct dt_buf text;

	dt_buf_init(&text, 16 << 20);
	dt_claude_lock_write(&place, &text);
	assert(!dt_claude_lock_read(arena, dt_buf_str(&text), &again, NULL));
	assert(again.pid == place.pid);
	assert(again.folders.count == lock->folders.count);
	for (size_t i = 0; i < again.folders.count; i++)
		assert(!strcmp(again.folders.ptr[i], lock->folders.ptr[i]));
	assert(!strcmp(again.transport, "ws"));
	assert(!strcmp(again.maker, "dovetail"));
	dt_buf_done(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_str text = { (const char *)data, size };
	struct dt_arena arena = { 0 };
	struct dt_claude_lock lock;
	struct dt_fail fail = { 0 };

	if (dt_claude_lock_read(&arena, text, &lock, &fail))
		assert(fail.code && fail.msg[0] && !lock.maker);
	else if (lock.folders.count > 0)
		check_written(&arena, &lock);
	dt_arena_done(&arena);
	return 0;
}
