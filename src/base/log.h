/* base/log.h - one line of log per fact, written by whoever owns the fact. */
#ifndef DT_BASE_LOG_H
#define DT_BASE_LOG_H

#include "base/err.h"

enum dt_log_level { DT_LOG_ERROR, DT_LOG_WARN, DT_LOG_INFO, DT_LOG_DEBUG };

/* Lines above `level` are dropped.  The default is DT_LOG_WARN, to stderr. */
void dt_log_set(enum dt_log_level level, int fd);
void dt_log_set_level(enum dt_log_level level);
enum dt_log_level dt_log_level(void);

/*
 * "2026-11-15T02:01:37.123Z warn text\n" in one write().  Control characters in
 * the text are shown as \xNN: what peers send cannot forge a line.  Never call
 * it with a token, a key or the text of a document.
 */
void dt_log(enum dt_log_level level, const char *fmt, ...) DT_PRINTF(2, 3);

/* Say it and abort: for bugs and for memory that ran out. */
void dt_panic(const char *fmt, ...) DT_PRINTF(1, 2) __attribute__((noreturn));

#endif
