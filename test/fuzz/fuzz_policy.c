/*
 * test/fuzz/fuzz_policy.c - the rules of [policy], which a cloned repository may
 * carry, and the patterns in them.
 *
 * The first line is the path the rules are asked about.
 */
#include "hub/config.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum dt_rule_action decide(const struct dt_config *config,
                                  const char *path, uint32_t lines)
{
	struct dt_rule_subject subject = {
		.agent = "claude-code",
		.path = path,
		.kinds = DT_RULE_CHANGE | dt_rules_kinds_of(path),
		.lines = lines,
	};
	struct dt_ruling ruling =
		dt_rules_decide(dt_config_rules(config), &subject);

	assert(!ruling.rule || ruling.rule->action == ruling.action);
	assert(ruling.rule || ruling.action == DT_RULE_ASK);
	return ruling.action;
}

/* What the person has decided, and whether a repository widens it. */
static void narrow(const char *own, struct dt_str repository, const char *path,
                   uint32_t lines)
{
	struct dt_config *config = dt_config_new();
	enum dt_rule_action before;

	dt_config_read_text(config, "f", dt_str(own), false);
	before = decide(config, path, lines);
	dt_config_read_text(config, "r", repository, true);
	assert(decide(config, path, lines) >= before);
	dt_config_free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_str text = { (const char *)data, size };
	struct dt_str line = dt_str_cut(&text, '\n');
	char *path = dt_strndup(line.ptr, line.len);
	uint32_t lines = (uint32_t)size % 300;
	struct dt_config *config = dt_config_new();

	dt_config_read_text(config, "f", text, false);
	(void)decide(config, path, lines);
	dt_config_free(config);
	narrow("[policy]\nallow = *\n", text, path, lines);
	narrow("[policy]\ndeny = a*\nrecord = *\n", text, path, lines);
	free(path);
	return 0;
}
