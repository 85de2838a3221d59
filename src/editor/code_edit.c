/* editor/code_edit.c - the shapes of changes that are made of code. */
#include "editor/code_edit.h"

#include "editor/operation.h"

const struct dt_field dt_actions_args_fields[] = {
	DT_FIELD(struct dt_actions_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_OBJECT("range", struct dt_actions_args, range, struct dt_range,
	                dt_shape_range, DT_REQ, "What it is about."),
	DT_FIELD(struct dt_actions_args, only, NAME, DT_OMIT,
	         "Actions of this kind alone."),
	DT_FIELD_END,
};

static const struct dt_field action_fields[] = {
	DT_FIELD(struct dt_code_action, title, NAME, DT_REQ, "What it does."),
	DT_FIELD(struct dt_code_action, kind, NAME, DT_OMIT, "Its kind."),
	DT_FIELD_AS("preferred", struct dt_code_action, is_preferred, BOOL,
	            DT_OMIT, "It is the one to take."),
	DT_FIELD(struct dt_code_action, disabled, NAME, DT_OMIT,
	         "Why it cannot be done now."),
	DT_FIELD_END,
};
static const struct dt_shape action =
	DT_SHAPE(struct dt_code_action, action_fields);

const struct dt_field dt_actions_result_fields[] = {
	DT_FIELD(struct dt_actions_result, actions, ITEMS, DT_REQ,
	         "What can be done.", .shape = &action),
	DT_FIELD(struct dt_actions_result, source, NAME, DT_REQ,
	         "Who knows them."),
	DT_FIELD_END,
};

const struct dt_field dt_make_action_args_fields[] = {
	DT_FIELD(struct dt_make_action_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_OBJECT("range", struct dt_make_action_args, range,
	                struct dt_range, dt_shape_range, DT_REQ,
	                "What it is about."),
	DT_FIELD(struct dt_make_action_args, only, NAME, DT_OMIT,
	         "Actions of this kind alone."),
	DT_FIELD(struct dt_make_action_args, title, NAME, DT_OMIT,
	         "Which one; absent: all of the kind."),
	DT_FIELD_AS("isPreview", struct dt_make_action_args, is_preview, BOOL,
	            DT_OMIT, "It is only looked at: no command may run."),
	DT_FIELD_END,
};

static const struct dt_field position_fields[] = {
	DT_FIELD(struct dt_position, line, U32, DT_REQ, "0-based line."),
	DT_FIELD(struct dt_position, character, U32, DT_REQ,
	         "0-based column in UTF-16 units."),
	DT_FIELD_END,
};
static const struct dt_shape position =
	DT_SHAPE(struct dt_position, position_fields);

const struct dt_field dt_rename_args_fields[] = {
	DT_FIELD(struct dt_rename_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_OBJECT("position", struct dt_rename_args, position,
	                struct dt_position, position, DT_REQ,
	                "A place in the name."),
	DT_FIELD_AS("newName", struct dt_rename_args, new_name, NAME, DT_OMIT,
	            "Its new name."),
	DT_FIELD_END,
};

const struct dt_field dt_format_args_fields[] = {
	DT_FIELD(struct dt_format_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("hasRange", struct dt_format_args, has_range, BOOL, 0,
	            "Only the range."),
	DT_FIELD_OBJECT("range", struct dt_format_args, range, struct dt_range,
	                dt_shape_range, DT_OMIT, "The part to format."),
	DT_FIELD_END,
};

const struct dt_field dt_code_edit_result_fields[] = {
	DT_FIELD(struct dt_code_edit_result, changes, ITEMS, DT_REQ,
	         "File by file.", .shape = &dt_shape_change),
	DT_FIELD(struct dt_code_edit_result, source, NAME, DT_REQ,
	         "The server or program that made them."),
	DT_FIELD(struct dt_code_edit_result, title, NAME, DT_OMIT,
	         "What they do."),
	DT_FIELD_END,
};

const struct dt_field dt_can_rename_result_fields[] = {
	DT_FIELD_AS("canRename", struct dt_can_rename_result, can_rename, BOOL,
	            DT_REQ, "It can be renamed."),
	DT_FIELD(struct dt_can_rename_result, reason, NAME, DT_OMIT,
	         "Why it cannot."),
	DT_FIELD(struct dt_can_rename_result, placeholder, NAME, DT_OMIT,
	         "The name as it is."),
	DT_FIELD_OBJECT("range", struct dt_can_rename_result, range,
	                struct dt_range, dt_shape_range, DT_OMIT,
	                "Where the name is."),
	DT_FIELD_END,
};
