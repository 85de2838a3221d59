/* dialect/dialect.c - the list of dialects. */
#include "dialect/dialect.h"

#include "base/glob.h"
#include "tool/search.h"

#define X(name) extern const struct dt_dialect dt_dialect_##name;
#include "dialect/dialects.def"
#undef X

const struct dt_dialect *const dt_dialects[] = {
#define X(name) &dt_dialect_##name,
#include "dialect/dialects.def"
#undef X
};

const size_t dt_dialect_count = sizeof(dt_dialects) / sizeof(dt_dialects[0]);

const struct dt_dialect *dt_dialect_find(const char *name)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (!strcmp(dt_dialects[i]->name, name))
			return dt_dialects[i];
	}
	return NULL;
}

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

const char *dt_dialect_nearest(const struct dt_dialect *dialect,
                               struct dt_str typed)
{
	const struct dt_tool *tool;
	const char *nearest = NULL;
	size_t best = SIZE_MAX;

	for (size_t i = 0; (tool = dt_dialect_tool(dialect, i)); i++) {
		size_t slip = dt_tool_slip(tool->name, typed);

		if (slip < best) {
			best = slip;
			nearest = tool->name;
		}
	}
	return nearest;
}

const char *dt_agent_hidden(struct dt_agent *agent)
{
	return agent->host && agent->host->hidden ? agent->host->hidden(agent)
	                                          : "";
}

bool dt_agent_lists_all(struct dt_agent *agent)
{
	return agent->wants_all_tools ||
	       (agent->host && agent->host->lists_all &&
	        agent->host->lists_all(agent));
}

bool dt_agent_lists(struct dt_agent *agent, const struct dt_tool *tool)
{
	return !dt_tool_is_hidden(dt_agent_hidden(agent), tool->name) &&
	       (!(tool->flags & DT_TOOL_EXTRA) || dt_agent_lists_all(agent));
}

bool dt_tool_is_hidden(const char *globs, const char *name)
{
	struct dt_str rest = dt_str(globs);

	while (rest.len) {
		struct dt_str glob = dt_str_trim(dt_str_cut(&rest, ','));

		if (glob.len && dt_glob_matches(glob, dt_str(name)))
			return true;
	}
	return false;
}

void dt_agent_hit(struct dt_agent *agent, const char *limit)
{
	if (agent->host && agent->host->on_limit)
		agent->host->on_limit(agent, limit);
}
