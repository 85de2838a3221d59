/* test/conformance/fixtures.h - what the official suite wants a server to have. */
#ifndef FIXTURES_H
#define FIXTURES_H

#include "dialect/dialect.h"
#include "hub/hub.h"

/* MCP with the tools, resources and prompts that the suite calls by name. */
extern const struct dt_dialect fixture_dialect;

/* Whose sessions are told of changes. */
extern struct dt_hub *fixture_hub;

#endif
