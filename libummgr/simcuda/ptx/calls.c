/* What CUDA's own device library gives to code on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   "CUDA C++ Programming Guide", formatted output and dynamic global memory allocation:
   vprintf takes a buffer of arguments, each aligned to its size, as the C promotions have
   them, and returns their number; output comes at the end of a launch or when a buffer is
   full: here at once.  */

#include "config.h"
#include "simcuda/ptx/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cursor
{
  const char *p;
};

static const void *
next (struct cursor *c, size_t size)
{
  c->p = (const char *) (((uintptr_t) c->p + size - 1) & -size);
  const void *at = c->p;
  c->p += size;
  return at;
}

/* One conversion, FORMAT, which ends with its letter; WIDE: an argument of 64 bits.  */
static void
convert (const char *format, bool wide, const int *star, int stars, struct cursor *c)
{
#define PRINT(VALUE)							\
  (stars == 0 ? printf (format, VALUE)					\
   : stars == 1 ? printf (format, star[0], VALUE)			\
   : printf (format, star[0], star[1], VALUE))
  char letter = format[strlen (format) - 1];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (strchr ("eEfFgGaA", letter))
    PRINT (*(const double *) next (c, 8));
  else if (letter == 's')
    {
      const char *s = *(const char *const *) next (c, 8);
      PRINT (s ? s : "(null)");
    }
  else if (letter == 'p')
    PRINT (*(void *const *) next (c, 8));
  else if (wide)
    PRINT (*(const long *) next (c, 8));
  else
    PRINT (*(const int *) next (c, 4));
#pragma GCC diagnostic pop
}

/* From '%' on; returns what is behind the conversion, or NULL where it has no end.  */
static const char *
conversion (const char *p, struct cursor *c, unsigned *count)
{
  char format[64];
  size_t n = 0;
  int star[2], stars = 0;
  bool wide = false;
  format[n++] = *p++;
  for (; *p && !strchr ("diouxXcsfFeEgGpaA%", *p); p++)
    {
      if (n > sizeof format - 3)
	return NULL;
      wide |= strchr ("lzjtL", *p) != NULL;
      if (*p == '*')
	{
	  if (stars == 2)
	    return NULL;
	  star[stars++] = *(const int *) next (c, 4);
	}
      format[n++] = *p;
    }
  if (!*p)
    return NULL;
  format[n++] = *p;
  format[n] = 0;
  if (*p == '%')
    putchar ('%');
  else
    {
      convert (format, wide, star, stars, c);
      ++*count;
    }
  return p + 1;
}

static u32
call_vprintf (struct ptx_warp *w, u64 format, u64 arguments)
{
  struct cursor c = { (const char *) (uintptr_t) arguments };
  unsigned count = 0;
  for (const char *p = (const char *) (uintptr_t) format; p && *p;)
    if (*p == '%')
      p = conversion (p, &c, &count);
    else
      putchar (*p++);
  fflush (stdout);
  return count;
}

static u64
call_malloc (struct ptx_warp *w, u64 size)
{
  return (u64) (uintptr_t) malloc (size);
}

static void
call_free (struct ptx_warp *w, u64 pointer)
{
  free ((void *) (uintptr_t) pointer);
}

static void
call_assertfail (struct ptx_warp *w, u64 message, u64 file, u32 line, u64 function, u64 size)
{
  fprintf (stderr, "%s:%u: %s: assertion `%s' failed\n", (const char *) (uintptr_t) file,
	   line, (const char *) (uintptr_t) function, (const char *) (uintptr_t) message);
  w->calls->trap (w, (const char *) (uintptr_t) function, (const char *) (uintptr_t) file,
		  line);
}

void *
ptx_call_find (const char *name)
{
  static const struct { const char *name; void *function; } known[] = {
    { "vprintf", (void *) call_vprintf }, { "malloc", (void *) call_malloc },
    { "free", (void *) call_free }, { "__assertfail", (void *) call_assertfail }
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].name, name) == 0)
      return known[i].function;
  return NULL;
}
