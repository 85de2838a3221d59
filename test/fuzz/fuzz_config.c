/*
 * test/fuzz/fuzz_config.c - dovetail.conf, which a person edits by hand and a
 * cloned repository may carry.
 */
#include "hub/config.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_str text = { (const char *)data, size };
	struct dt_config *config = dt_config_new();

	dt_config_read_text(config, ".dovetail.conf", text, true);
	for (size_t i = 0; i < dt_config_key_count; i++) {
		const struct dt_config_key *key = &dt_config_keys[i];
		char *name = dt_asprintf("%s.%s", key->section, key->name);

		/* Nothing is marked safe yet. */
		assert(key->is_safe ||
		       !strcmp(dt_config_get(config, name), key->def));
		free(name);
	}
	dt_config_read_text(config, "dovetail.conf", text, false);
	(void)dt_config_number(config, "limits.sessions");
	dt_config_free(config);
	return 0;
}
