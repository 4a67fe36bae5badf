/* Names of the files that a process leaves.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the directory that relative names start from: the one in which the
   process began.  */

#include "config.h"
#include "base/output.h"
#include "base/log.h"
#include "base/quiet.h"
#include "base/world.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *here;

bool
ummgr_output_has_pid (const char *name)
{
  for (const char *p = name; (p = strchr (p, '%')); p += p[1] ? 2 : 1)
    if (p[1] == 'p')
      return true;
  return false;
}

static unsigned
rank_number (void)
{
  struct ummgr_world world;
  return ummgr_world_find (&world) ? world.number : 0;
}

/* The value of the variable whose name is [NAME, END).  */
static const char *
variable (const char *name, const char *end)
{
  char *copy = strndup (name, end - name);
  const char *value = copy ? getenv (copy) : NULL;
  free (copy);
  return value ? value : "";
}

/* Write what the % at P stands for; returns where the name goes on.  */
static const char *
put_one (FILE *out, const char *p, pid_t pid)
{
  char host[HOST_NAME_MAX + 1] = "";
  const char *end = p[1] == 'q' && p[2] == '{' ? strchr (p, '}') : NULL;
  if (end)
    {
      fputs (variable (p + 3, end), out);
      return end + 1;
    }
  if (p[1] == 'h')
    {
      gethostname (host, sizeof host - 1);
      fputs (host, out);
    }
  else if (p[1] == 'p' && pid)
    fprintf (out, "%d", (int) pid);
  else if (p[1] == 'r' && pid)
    fprintf (out, "%u", rank_number ());
  else if (p[1] == '%' && pid)
    fputc ('%', out);
  else if (p[1] == 'p' || p[1] == 'r' || p[1] == '%')
    fprintf (out, "%%%c", p[1]);
  else
    {
      fputc ('%', out);
      return p + 1;
    }
  return p + 2;
}

char *
ummgr_output_expand (const char *name, pid_t pid)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return NULL;
  while (*name)
    if (*name == '%')
      name = put_one (out, name, pid);
    else
      fputc (*name++, out);
  if (fclose (out) == 0)
    return text;
  free (text);
  return NULL;
}

char *
ummgr_output_tell (const char *file)
{
  char *told = malloc (2 * strlen (file) + 1), *to = told;
  for (; told && *file; file++)
    {
      if (*file == '%')
	*to++ = '%';
      *to++ = *file;
    }
  if (told)
    *to = 0;
  return told;
}

char *
ummgr_output_from (const char *directory, const char *name)
{
  char *text;
  if (*name == '/' || strcmp (name, "-") == 0 || !directory)
    return strdup (name);
  return asprintf (&text, "%s/%s", directory, name) < 0 ? NULL : text;
}

/* NAME with WORD before its suffix.  */
static char *
add_word (const char *name, const char *word)
{
  const char *slash = strrchr (name, '/'), *dot = strrchr (name, '.');
  const char *last = slash ? slash + 1 : name;
  size_t stem = dot && dot > last ? (size_t) (dot - name) : strlen (name);
  char *text;
  return asprintf (&text, "%.*s.%s%s", (int) stem, name, word, name + stem) < 0 ? NULL : text;
}

/* NAME with the number of this process before its suffix.  */
static char *
add_pid (const char *name)
{
  char number[16];
  snprintf (number, sizeof number, "%d", (int) getpid ());
  return add_word (name, number);
}

/* Is NAME another's for another process, or rank, of the same user?  */
static bool
tells_apart (const char *name)
{
  for (const char *p = name; (p = strchr (p, '%')); p += p[1] ? 2 : 1)
    if (p[1] == 'p' || p[1] == 'r' || (p[1] == 'q' && p[2] == '{'))
      return true;
  return false;
}

char *
ummgr_output_for_rank (const char *name)
{
  struct ummgr_world world;
  struct stat st;
  bool one = !ummgr_world_find (&world) || world.count < 2 || tells_apart (name)
	     || strcmp (name, "-") == 0 || (stat (name, &st) == 0 && !S_ISREG (st.st_mode));
  return one ? strdup (name) : add_word (name, "%r");
}

/* What is written for NAMED; without memory NAMED itself.  */
static const char *
resolve (const char *named, bool child)
{
  if (!named || strcmp (named, "-") == 0)
    return named;
  if (!here)
    here = getcwd (NULL, 0);
  char *ranked = ummgr_output_for_rank (named);
  char *own = ranked ? ummgr_output_expand (ranked, getpid ()) : NULL;
  char *with_pid = own && child && !ummgr_output_has_pid (named)
		   ? add_pid (own) : NULL;
  char *result = own ? ummgr_output_from (here, with_pid ? with_pid : own) : NULL;
  free (with_pid);
  free (own);
  free (ranked);
  return result ? result : named;
}

void
ummgr_output_resolve (struct ummgr_options *options,
		      const struct ummgr_options *named, bool child)
{
  options->stats = resolve (named->stats, child);
  options->report = resolve (named->report, child);
  options->trace = resolve (named->trace, child);
  options->check = resolve (named->check, child);
}

/* Zero, or errno.  */
static int
write_to (FILE *out, void (*put) (FILE *, const void *), const void *what)
{
  errno = 0;
  put (out, what);
  bool bad = fflush (out) != 0 || ferror (out);
  int cause = errno ? errno : EIO;
  if (out != stderr && fclose (out) != 0 && !bad)
    return errno;
  return bad ? cause : 0;
}

enum ummgr_status
ummgr_output_write (const char *area, const char *file,
		    void (*put) (FILE *, const void *), const void *what)
{
  struct ummgr_quiet quiet;
  ummgr_quiet_begin (&quiet);
  FILE *out = strcmp (file, "-") == 0 ? stderr : fopen (file, "we");
  int error = out ? write_to (out, put, what) : errno;
  ummgr_quiet_end (&quiet);
  if (!error)
    return UMMGR_OK;
  ummgr_error ("%s: can't write '%s': %s", area, file, strerror (error));
  return UMMGR_ERR_IO;
}
