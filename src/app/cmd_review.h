/* app/cmd_review.h - the commands below `dovetail review`. */
#ifndef DT_APP_CMD_REVIEW_H
#define DT_APP_CMD_REVIEW_H

#include "app/command.h"

extern const struct dt_command dt_cmd_review_list;
extern const struct dt_command dt_cmd_review_show;
extern const struct dt_command dt_cmd_review_accept;
extern const struct dt_command dt_cmd_review_reject;
extern const struct dt_command dt_cmd_review_apply;

#endif
