#include "wire/reaches_up.h"
#include "base/str.h"
#include "hub/hub.h"
#include "sibling.h"

#include <stdio.h>
#  include <uv.h>
