/* The payloads of a trace's records, but for accesses: structs and bytes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The order of the fields is the format; new ones go to the end.  No state. */

#include "config.h"
#include "trace-code.h"

static unsigned char *
put_move (unsigned char *to, const struct ummgr_trace_move *move)
{
  to = ummgr_trace_put (to, move->object);
  to = ummgr_trace_put (to, move->offset);
  to = ummgr_trace_put (to, move->size);
  to = ummgr_trace_put_signed (to, move->from);
  to = ummgr_trace_put_signed (to, move->to);
  to = ummgr_trace_put (to, move->advice);
  return ummgr_trace_put (to, move->launch);
}

static void
get_move (struct ummgr_trace_cursor *in, struct ummgr_trace_move *move)
{
  move->object = ummgr_trace_get (in);
  move->offset = ummgr_trace_get (in);
  move->size = ummgr_trace_get (in);
  move->from = ummgr_trace_get_signed (in);
  move->to = ummgr_trace_get_signed (in);
  move->advice = ummgr_trace_get (in);
  move->launch = ummgr_trace_get (in);
}

static unsigned char *
put_run (unsigned char *to, const struct ummgr_trace_run *run)
{
  to = ummgr_trace_put_string (to, run->program);
  to = ummgr_trace_put_string (to, run->profile);
  to = ummgr_trace_put_string (to, run->policy);
  to = ummgr_trace_put_string (to, run->writer);
  to = ummgr_trace_put (to, run->page_size);
  to = ummgr_trace_put (to, run->granularity);
  return ummgr_trace_put (to, run->devices);
}

static void
get_run (struct ummgr_trace_cursor *in, struct ummgr_trace_run *run)
{
  run->program = ummgr_trace_get_string (in);
  run->profile = ummgr_trace_get_string (in);
  run->policy = ummgr_trace_get_string (in);
  run->writer = ummgr_trace_get_string (in);
  run->page_size = ummgr_trace_get (in);
  run->granularity = ummgr_trace_get (in);
  run->devices = ummgr_trace_get (in);
}

static unsigned char *
put_object (unsigned char *to, const struct ummgr_trace_object *object)
{
  to = ummgr_trace_put (to, object->object);
  to = ummgr_trace_put_string (to, object->name);
  to = ummgr_trace_put_string (to, object->file);
  to = ummgr_trace_put (to, object->line);
  to = ummgr_trace_put (to, object->base);
  to = ummgr_trace_put (to, object->size);
  return ummgr_trace_put (to, object->flags);
}

static void
get_object (struct ummgr_trace_cursor *in, struct ummgr_trace_object *object)
{
  object->object = ummgr_trace_get (in);
  object->name = ummgr_trace_get_string (in);
  object->file = ummgr_trace_get_string (in);
  object->line = ummgr_trace_get (in);
  object->base = ummgr_trace_get (in);
  object->size = ummgr_trace_get (in);
  object->flags = ummgr_trace_get (in);
}

unsigned char *
ummgr_trace_payload_put (const struct ummgr_trace_record *record,
			 unsigned char *to)
{
  to = ummgr_trace_put (to, record->time);
  switch (record->kind)
    {
    case UMMGR_TRACE_RUN:
      return put_run (to, &record->u.run);
    case UMMGR_TRACE_DEVICE:
      to = ummgr_trace_put (to, record->u.device.device);
      to = ummgr_trace_put (to, record->u.device.memory);
      return ummgr_trace_put_string (to, record->u.device.name);
    case UMMGR_TRACE_REGION:
      to = ummgr_trace_put (to, record->u.region.region);
      to = ummgr_trace_put_string (to, record->u.region.name);
      to = ummgr_trace_put_string (to, record->u.region.file);
      return ummgr_trace_put (to, record->u.region.line);
    case UMMGR_TRACE_BEGIN:
    case UMMGR_TRACE_FINISH:
      to = ummgr_trace_put (to, record->u.launch.launch);
      to = ummgr_trace_put (to, record->u.launch.region);
      return ummgr_trace_put_signed (to, record->u.launch.device);
    case UMMGR_TRACE_OBJECT:
      return put_object (to, &record->u.object);
    case UMMGR_TRACE_GONE:
      return ummgr_trace_put (to, record->u.object.object);
    case UMMGR_TRACE_MARK:
      return ummgr_trace_put_string (to, record->u.mark.name);
    case UMMGR_TRACE_COPY:
    case UMMGR_TRACE_PREFETCH:
    case UMMGR_TRACE_ADVICE:
      return put_move (to, &record->u.move);
    default:
      break;
    }
  return to;
}

bool
ummgr_trace_payload_get (struct ummgr_trace_cursor *in, unsigned tag,
			 struct ummgr_trace_record *record)
{
  if (tag < UMMGR_TRACE_RUN || tag > UMMGR_TRACE_ADVICE)
    return false;
  record->kind = tag;
  record->time = ummgr_trace_get (in);
  switch (record->kind)
    {
    case UMMGR_TRACE_RUN:
      get_run (in, &record->u.run);
      break;
    case UMMGR_TRACE_DEVICE:
      record->u.device.device = ummgr_trace_get (in);
      record->u.device.memory = ummgr_trace_get (in);
      record->u.device.name = ummgr_trace_get_string (in);
      break;
    case UMMGR_TRACE_REGION:
      record->u.region.region = ummgr_trace_get (in);
      record->u.region.name = ummgr_trace_get_string (in);
      record->u.region.file = ummgr_trace_get_string (in);
      record->u.region.line = ummgr_trace_get (in);
      break;
    case UMMGR_TRACE_BEGIN:
    case UMMGR_TRACE_FINISH:
      record->u.launch.launch = ummgr_trace_get (in);
      record->u.launch.region = ummgr_trace_get (in);
      record->u.launch.device = ummgr_trace_get_signed (in);
      break;
    case UMMGR_TRACE_OBJECT:
      get_object (in, &record->u.object);
      break;
    case UMMGR_TRACE_GONE:
      record->u.object = (struct ummgr_trace_object) {
	.object = ummgr_trace_get (in), .name = "", .file = ""
      };
      break;
    case UMMGR_TRACE_MARK:
      record->u.mark.name = ummgr_trace_get_string (in);
      break;
    default:
      get_move (in, &record->u.move);
      break;
    }
  return true;
}
