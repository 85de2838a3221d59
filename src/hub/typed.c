/*
 * hub/typed.c - a line for a shell is a command, and more than that where it has
 * characters that a shell takes for more than words.
 *
 * Two keys are always allowed, for they only end what runs: Ctrl-C and Ctrl-\.
 */
#include "hub/typed.h"

#include "base/str.h"

static bool is_interrupt(const char *text)
{
	return *text && !text[strspn(text, "\x03\x1c")];
}

static bool has_word(const char *list, struct dt_str word)
{
	struct dt_str rest = dt_str(list);
	struct dt_str next = dt_str_cut_word(&rest);

	while (next.len > 0 && !dt_str_eq(next, word))
		next = dt_str_cut_word(&rest);
	return next.len > 0;
}

/* Blanks that look like one and are none, and all that is no letter to see. */
static bool is_plain(const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c >= 0x7f ||
		    strchr(";&|<>$`\\\"'(){}*?[]#~!=%^", *text))
			return false;
	}
	return true;
}

enum dt_err dt_typed_check(const char *allow, const char *text,
                           struct dt_fail *fail)
{
	struct dt_str rest = dt_str(text);
	struct dt_str program;

	if (is_interrupt(text))
		return DT_E_OK;
	if (!is_plain(text))
		return dt_fail(fail, DT_E_DENIED,
		               "this has characters that a shell or a program "
		               "takes for more than words, so only the person "
		               "may type it: ask for that");
	program = dt_str_cut_word(&rest);
	if (!has_word(allow, program))
		return dt_fail(fail, DT_E_DENIED,
		               "%.*s is not among the programs that may run "
		               "without asking (%s): ask the person to run it",
		               DT_STR_ARG(program), allow);
	return DT_E_OK;
}
