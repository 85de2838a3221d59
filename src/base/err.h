/* base/err.h - the one error type. */
#ifndef DT_BASE_ERR_H
#define DT_BASE_ERR_H

/*
 * Every way this program can fail, once.  The text is for logs; what a person
 * or an agent reads is dt_fail.msg.  Wire codes are not known here: rpc/ and
 * app/ each map this list to theirs, and a test checks that the maps are full.
 */
#define DT_ERR_MAP(X)                                                          \
	X(OK, "success")                                                       \
	X(ARGS, "invalid arguments")                                           \
	X(METHOD, "no such method or tool")                                    \
	X(PROTO, "the peer broke the protocol")                                \
	X(LIMIT, "a configured limit was reached")                             \
	X(DENIED, "refused by policy or by the user")                          \
	X(MISSING, "no such thing")                                            \
	X(STATE, "not possible in this state")                                 \
	X(UNSUPPORTED, "the editor cannot do this")                            \
	X(TIMEOUT, "the deadline passed")                                      \
	X(CANCELLED, "the caller cancelled")                                   \
	X(CLOSED, "the other side hung up")                                    \
	X(SYS, "a system call failed")

enum dt_err {
#define X(name, text) DT_E_##name,
	DT_ERR_MAP(X)
#undef X
		DT_E_COUNT, /* not an error: how many there are */
};

#define DT_MUST_CHECK __attribute__((warn_unused_result))
#define DT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* What went wrong, in words.  Plain storage: never allocated, never freed. */
struct dt_fail {
	enum dt_err code;
	int sys_errno; /* 0 unless code is DT_E_SYS */
	char msg[240];
};

/*
 * Record a failure and return its code, so that detection is one line:
 *	return dt_fail(fail, DT_E_ARGS, "line %u is past the end", line);
 * `fail` may be NULL.  The first record wins; a caller above may log, not
 * overwrite.  A message that does not fit is cut on a character boundary.
 */
enum dt_err dt_fail(struct dt_fail *fail, enum dt_err code, const char *fmt,
                    ...) DT_PRINTF(3, 4);

/* The same for a failed system call: ": strerror(errno)" is appended. */
enum dt_err dt_fail_sys(struct dt_fail *fail, const char *fmt, ...)
	DT_PRINTF(2, 3);

const char *dt_err_name(enum dt_err err); /* "ARGS" */
const char *dt_err_text(enum dt_err err); /* "invalid arguments" */

/* Tells the compiler and the analyzer that a recorded failure is not OK. */
static inline enum dt_err dt_fail_code(enum dt_err code)
{
	if (code == DT_E_OK)
		__builtin_unreachable();
	return code;
}
#define dt_fail(...) dt_fail_code(dt_fail(__VA_ARGS__))
#define dt_fail_sys(...) dt_fail_code(dt_fail_sys(__VA_ARGS__))

#endif
