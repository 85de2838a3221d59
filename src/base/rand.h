/* base/rand.h - randomness from the kernel, and the ids made of it. */
#ifndef DT_BASE_RAND_H
#define DT_BASE_RAND_H

#include <stddef.h>
#include <stdint.h>

void dt_rand_bytes(void *out, size_t len); /* aborts if the kernel has none */
uint32_t dt_rand_below(uint32_t bound);    /* uniform in 0 .. bound-1 */

#define DT_ID_TEXT 33
/* 128 random bits as 32 hex digits: reviews, sessions, workspaces. */
void dt_rand_id(char out[DT_ID_TEXT]);

#define DT_TOKEN_TEXT 65
/* 256 random bits as 64 hex digits: what lets an agent in. */
void dt_rand_token(char out[DT_TOKEN_TEXT]);

#endif
