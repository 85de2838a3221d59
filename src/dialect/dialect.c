/* dialect/dialect.c - the list of dialects. */
#include "dialect/dialect.h"

#define X(name) extern const struct dt_dialect dt_dialect_##name;
#include "dialect/dialects.def"
#undef X

const struct dt_dialect *const dt_dialects[] = {
#define X(name) &dt_dialect_##name,
#include "dialect/dialects.def"
#undef X
};

const size_t dt_dialect_count = sizeof(dt_dialects) / sizeof(dt_dialects[0]);

const struct dt_tool *dt_dialect_tool(const struct dt_dialect *dialect,
                                      size_t index)
{
	for (size_t i = 0; dialect->groups[i]; i++) {
		if (index < dialect->groups[i]->count)
			return &dialect->groups[i]->tools[index];
		index -= dialect->groups[i]->count;
	}
	return NULL;
}

const struct dt_tool *dt_dialect_find_tool(const struct dt_dialect *dialect,
                                           struct dt_str name)
{
	for (size_t i = 0; dialect->groups[i]; i++) {
		const struct dt_tool_group *group = dialect->groups[i];

		for (size_t k = 0; k < group->count; k++) {
			if (dt_str_is(name, group->tools[k].name))
				return &group->tools[k];
		}
	}
	return NULL;
}
