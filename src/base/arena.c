/*
 * base/arena.c - blocks of growing size, carved from the front.
 *
 * A block is never moved, so pointers hold until dt_arena_done().  Something
 * large gets a block of its own size, behind the current one, so that the room
 * left in that one is not lost.
 */
#include "base/arena.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_BLOCK 2000
#define LARGEST_STEP (256 * 1024)

struct dt_arena_block {
	struct dt_arena_block *before;
	size_t size;
	_Alignas(max_align_t) char bytes[];
};

static struct dt_arena_block *new_block(size_t size)
{
	struct dt_arena_block *block;

	if (size > PTRDIFF_MAX - sizeof(*block))
		dt_panic("out of memory (%zu bytes)", size);
	block = dt_realloc(NULL, sizeof(*block) + size);
	block->size = size;
	return block;
}

void dt_arena_done(struct dt_arena *arena)
{
	struct dt_arena_block *block = arena->last;

	while (block) {
		struct dt_arena_block *before = block->before;

		free(block);
		block = before;
	}
	*arena = (struct dt_arena){ 0 };
}

/* A block that holds `size` bytes and only them. */
static char *alloc_alone(struct dt_arena *arena, size_t size)
{
	struct dt_arena_block *block = new_block(size);

	if (arena->last) {
		block->before = arena->last->before;
		arena->last->before = block;
	} else {
		block->before = NULL;
		arena->last = block;
		arena->next = arena->end = block->bytes + size;
	}
	return block->bytes;
}

static char *carve(struct dt_arena *arena, size_t size, size_t align)
{
	size_t pad = (size_t)(-(uintptr_t)arena->next & (align - 1));
	size_t room = (size_t)(arena->end - arena->next);
	struct dt_arena_block *block;
	size_t step;

	if (arena->next && pad <= room && size <= room - pad) {
		char *at = arena->next + pad;

		arena->next = at + size;
		return at;
	}
	step = arena->last ? arena->last->size * 2 : FIRST_BLOCK;
	if (step > LARGEST_STEP)
		step = LARGEST_STEP;
	if (size > step / 2)
		return alloc_alone(arena, size);
	block = new_block(step);
	block->before = arena->last;
	arena->last = block;
	arena->next = block->bytes + size;
	arena->end = block->bytes + step;
	return block->bytes;
}

void *dt_arena_alloc(struct dt_arena *arena, size_t size)
{
	void *at = carve(arena, size, _Alignof(max_align_t));

	return memset(at, 0, size);
}

char *dt_arena_bytes(struct dt_arena *arena, size_t size)
{
	return carve(arena, size, 1);
}

void dt_arena_shrink(struct dt_arena *arena, char *bytes, size_t size,
                     size_t used)
{
	if (bytes + size == arena->next)
		arena->next = bytes + used;
}

char *dt_arena_strdup(struct dt_arena *arena, const char *z)
{
	return z ? dt_arena_strndup(arena, z, strlen(z)) : NULL;
}

char *dt_arena_strndup(struct dt_arena *arena, const char *ptr, size_t len)
{
	char *copy = dt_arena_bytes(arena, len + 1);

	if (len)
		memcpy(copy, ptr, len);
	copy[len] = '\0';
	return copy;
}

char *dt_arena_printf(struct dt_arena *arena, const char *fmt, ...)
{
	va_list args;
	va_list again;
	char *text;
	int len;

	va_start(args, fmt);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0)
		len = 0;
	text = dt_arena_bytes(arena, (size_t)len + 1);
	text[0] = '\0';
	vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	return text;
}
