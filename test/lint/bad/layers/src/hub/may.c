#include "dialect/dialect.h"
#include "app/main.h"
