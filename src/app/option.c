/*
 * app/option.c - command lines read by the table of their options.
 *
 * Long names without abbreviations: a script written today means the same when
 * a new option has come.  A letter is for what people type all day.
 */
#include "app/option.h"

static const struct dt_option *find(const struct dt_option *options,
                                    struct dt_str name)
{
	for (; options && options->name; options++) {
		if (dt_str_is(name, options->name))
			return options;
	}
	return NULL;
}

static enum dt_err take(const struct dt_option *option, const char *value,
                        void *out, struct dt_fail *fail)
{
	char *at = (char *)out + option->offset;
	struct dt_maybe_u32 *number = (void *)at;

	switch (option->type) {
	case DT_OPTION_FLAG:
		*(bool *)at = true;
		break;
	case DT_OPTION_TEXT:
		*(const char **)(void *)at = value;
		break;
	case DT_OPTION_NUMBER:
		if (dt_str_to_u32(dt_str(value), &number->value, NULL))
			return dt_fail(fail, DT_E_ARGS,
			               "--%s takes a number, not \"%s\"",
			               option->name, value);
		number->is_set = true;
		break;
	}
	return DT_E_OK;
}

/* The flag of a word like "-f"; NULL when it is none. */
static const struct dt_option *find_letter(const struct dt_option *options,
                                           const char *word)
{
	for (; options && options->name; options++) {
		if (options->letter && options->letter == word[1] && !word[2])
			return options;
	}
	return NULL;
}

/* One option at argv[0]; `*used` says how many words it took. */
static enum dt_err read_one(const struct dt_option *options, char **argv,
                            void *out, size_t *used, struct dt_fail *fail)
{
	const char *word = argv[0];
	struct dt_str value = dt_str(word + 2);
	struct dt_str name = dt_str_cut(&value, '=');
	const struct dt_option *option = find(options, name);
	const struct dt_option *letter = find_letter(options, word);
	bool is_flag = option && option->type == DT_OPTION_FLAG;

	*used = 1;
	if (letter)
		return take(letter, "", out, fail); /* a flag */
	if (!option || strncmp(word, "--", 2) != 0)
		return dt_fail(fail, DT_E_ARGS, "there is no option %s", word);
	if (is_flag && value.ptr)
		return dt_fail(fail, DT_E_ARGS, "--%s takes no value",
		               option->name);
	if (is_flag || value.ptr)
		return take(option, value.ptr, out, fail);
	if (!argv[1])
		return dt_fail(fail, DT_E_ARGS, "--%s needs a value: %s",
		               option->name, option->value);
	*used = 2;
	return take(option, argv[1], out, fail);
}

enum dt_err dt_options_read(const struct dt_option *options, char **argv,
                            void *out, bool *out_help, struct dt_fail *fail)
{
	char **rest = argv;

	*out_help = false;
	while (*argv && strcmp(*argv, "--") != 0) {
		size_t used;
		enum dt_err err;

		/* A lone "-" is a name: standard input. */
		if (argv[0][0] != '-' || argv[0][1] == '\0') {
			*rest++ = *argv++;
			continue;
		}
		if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h")) {
			*out_help = true;
			return DT_E_OK;
		}
		err = read_one(options, argv, out, &used, fail);
		if (err)
			return err;
		argv += used;
	}
	if (*argv)
		argv++; /* the "--" itself */
	while (*argv)
		*rest++ = *argv++;
	*rest = NULL;
	return DT_E_OK;
}

void dt_options_print_help(const struct dt_option *options, FILE *to)
{
	for (; options && options->name; options++) {
		const char letter[] = { '-', options->letter, ',', ' ', '\0' };
		int width = fprintf(to, "  %s--%s%s%s",
		                    options->letter ? letter : "",
		                    options->name, options->value ? " " : "",
		                    options->value ? options->value : "");

		fprintf(to, "%*s%s\n", width < 22 ? 22 - width : 1, "",
		        options->doc);
	}
}
