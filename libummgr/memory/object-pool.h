/* Memory for many data objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "memory/objects.h"

/* A zeroed object, or NULL without memory.  Any thread.  */
struct ummgr_object *ummgr_object_pool_take (void);

/* Give OBJECT back.  Any thread.  */
void ummgr_object_pool_give (struct ummgr_object *object);
