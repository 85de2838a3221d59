/*
 * review/rules_read.c - the text of a rule taken apart.
 *
 *   rule         = alternative *( "|" alternative )
 *   alternative  = 1*condition                       all of them must hold
 *   condition    = [ "!" ] ( "agent:" glob / "kind:" kind *( "," kind ) /
 *                  "lines" ( ">" / ">=" / "<" / "<=" ) number / glob )
 *
 * A word that is nearly a condition is refused and not taken for a path: a rule
 * that never fits is worse than one that is warned of.
 */
#include "review/rules.h"

#include "base/glob.h"

const char *const dt_rule_actions[] = { "allow", "record", "ask", "deny",
	                                NULL };

const char *const dt_rule_kinds[] = { "create",   "change",  "delete",
	                              "rename",   "test",    "generated",
	                              "settings", "outside", NULL };

static bool skip(struct dt_str *word, struct dt_str prefix)
{
	if (!dt_str_starts(*word, prefix))
		return false;
	word->ptr += prefix.len;
	word->len -= prefix.len;
	return true;
}

static enum dt_err read_kinds(struct dt_str list, struct dt_condition *out,
                              struct dt_fail *fail)
{
	do {
		struct dt_str name = dt_str_cut(&list, ',');
		unsigned bit = 0;

		while (dt_rule_kinds[bit] &&
		       !dt_str_is(name, dt_rule_kinds[bit]))
			bit++;
		if (!dt_rule_kinds[bit])
			return dt_fail(fail, DT_E_ARGS,
			               "there is no kind \"%.*s\" of change",
			               DT_STR_ARG(name));
		out->kinds |= 1u << bit;
	} while (list.len > 0);
	return DT_E_OK;
}

static enum dt_err read_lines(struct dt_str rest, struct dt_condition *out,
                              struct dt_fail *fail)
{
	bool is_above = skip(&rest, DT_STR(">"));
	bool is_below = !is_above && skip(&rest, DT_STR("<"));
	bool has_equal = skip(&rest, DT_STR("="));
	uint32_t number;

	if ((!is_above && !is_below) || dt_str_to_u32(rest, &number, NULL) ||
	    (is_above && !has_equal && number == UINT32_MAX) ||
	    (is_below && !has_equal && number == 0))
		return dt_fail(fail, DT_E_ARGS,
		               "sizes are written as in lines>200 or "
		               "lines<=20");
	out->max = UINT32_MAX;
	if (is_above)
		out->min = has_equal ? number : number + 1;
	else
		out->max = has_equal ? number : number - 1;
	return DT_E_OK;
}

static enum dt_err read_path(struct dt_str glob, struct dt_fail *fail)
{
	for (size_t i = 0; i < glob.len; i++) {
		if (strchr(":<>=|!", glob.ptr[i]))
			return dt_fail(fail, DT_E_ARGS,
			               "\"%.*s\" is no condition; in a path "
			               "write ? for %c",
			               DT_STR_ARG(glob), glob.ptr[i]);
	}
	return dt_glob_check_path(glob, fail);
}

static enum dt_err read_condition(struct dt_str word, struct dt_condition *out,
                                  struct dt_fail *fail)
{
	*out = (struct dt_condition){ .is_negated = skip(&word, DT_STR("!")) };
	if (skip(&word, DT_STR("kind:"))) {
		out->type = DT_CONDITION_KIND;
		return read_kinds(word, out, fail);
	}
	if (word.len > 5 && strchr("<>=", word.ptr[5]) &&
	    skip(&word, DT_STR("lines"))) {
		out->type = DT_CONDITION_LINES;
		return read_lines(word, out, fail);
	}
	if (skip(&word, DT_STR("agent:"))) {
		out->type = DT_CONDITION_AGENT;
		out->glob = word;
		return dt_glob_check(word, fail);
	}
	out->glob = word;
	return read_path(word, fail);
}

enum dt_err dt_condition_next(struct dt_str *text, struct dt_condition *out,
                              bool *out_is_other, struct dt_fail *fail)
{
	struct dt_str word = dt_str_cut_word(text);
	bool has_bar = dt_str_is(word, "|");

	if (word.len == 0)
		return DT_E_MISSING;
	if (has_bar)
		word = dt_str_cut_word(text);
	if (word.len == 0 || dt_str_is(word, "|"))
		return dt_fail(fail, DT_E_ARGS,
		               "nothing stands behind a \"|\"");
	*out_is_other = has_bar;
	return read_condition(word, out, fail);
}
