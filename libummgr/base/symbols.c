/* Names for addresses, from the symbol tables of the loaded files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the mappings of the files it has looked into; they stay until the
   process ends.  dladdr alone would see exported symbols only, and a program
   exports few.  */

#include "config.h"
#include "base/symbols.h"
#include "base/self.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file
{
  struct file *next;
  uintptr_t base;		/* dli_fbase.  */
  uintptr_t bias;		/* Added to symbol values.  */
  const char *strings;		/* NULL: nothing readable.  */
  size_t strings_size;
  const ElfW (Sym) *symbols;
  size_t count;
};

static struct file *files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Point FILE at the symbol table in IMAGE: the full one, or the dynamic one
   where the file is stripped.  Offsets come from a file, so each is
   checked.  */
static void
find_table (struct file *file, const char *image, size_t size)
{
  const ElfW (Ehdr) *header = (const void *) image;
  if (size < sizeof *header || memcmp (header->e_ident, ELFMAG, SELFMAG) != 0
      || header->e_shentsize != sizeof (ElfW (Shdr))
      || header->e_shoff > size
      || (size - header->e_shoff) / sizeof (ElfW (Shdr)) < header->e_shnum)
    return;
  file->bias = header->e_type == ET_EXEC ? 0 : file->base;
  const ElfW (Shdr) *sections = (const void *) (image + header->e_shoff);
  for (int pass = 0; pass < 2 && !file->strings; pass++)
    for (size_t i = 0; i < header->e_shnum; i++)
      {
	const ElfW (Shdr) *s = &sections[i];
	if (s->sh_type != (pass ? SHT_DYNSYM : SHT_SYMTAB)
	    || s->sh_link >= header->e_shnum)
	  continue;
	const ElfW (Shdr) *t = &sections[s->sh_link];
	if (s->sh_offset > size || s->sh_size > size - s->sh_offset
	    || t->sh_offset > size || t->sh_size > size - t->sh_offset
	    || t->sh_size == 0 || image[t->sh_offset + t->sh_size - 1])
	  continue;
	file->symbols = (const void *) (image + s->sh_offset);
	file->count = s->sh_size / sizeof (ElfW (Sym));
	file->strings = image + t->sh_offset;
	file->strings_size = t->sh_size;
	break;
      }
}

static struct file *
open_file (const char *name, uintptr_t base)
{
  for (struct file *f = files; f; f = f->next)
    if (f->base == base)
      return f;
  struct file *file = calloc (1, sizeof *file);
  if (!file)
    return NULL;
  file->base = base;
  file->next = files;
  files = file;
  size_t size;
  const void *image = ummgr_self_map (name, &size);
  if (image)
    find_table (file, image, size);
  return file;
}

/* The symbol of TYPE that holds ADDRESS.  */
static const ElfW (Sym) *
find_symbol (const struct file *file, uintptr_t address, int type)
{
  for (size_t i = 0; file->strings && i < file->count; i++)
    {
      const ElfW (Sym) *s = &file->symbols[i];
      /* ELF32_ST_TYPE and ELF64_ST_TYPE are the same.  */
      if (ELF64_ST_TYPE (s->st_info) == type && s->st_shndx != SHN_UNDEF
	  && s->st_name < file->strings_size
	  && address - (file->bias + s->st_value) < s->st_size)
	return s;
    }
  return NULL;
}

static bool
name_symbol (uintptr_t address, int type, char *buf, size_t size,
	     Dl_info *info)
{
  if (!address || !dladdr ((void *) address, info) || !info->dli_fname)
    return false;
  pthread_mutex_lock (&lock);
  const struct file *file
    = open_file (info->dli_fname, (uintptr_t) info->dli_fbase);
  pthread_mutex_unlock (&lock);
  const ElfW (Sym) *s = file ? find_symbol (file, address, type) : NULL;
  if (!s)
    return false;
  uintptr_t offset = address - (file->bias + s->st_value);
  int n = snprintf (buf, size, "%s", file->strings + s->st_name);
  if (offset && n > 0 && (size_t) n < size)
    snprintf (buf + n, size - n, "+0x%lx", (unsigned long) offset);
  return true;
}

bool
ummgr_symbol_data (uintptr_t address, char *buf, size_t size)
{
  Dl_info info;
  return name_symbol (address, STT_OBJECT, buf, size, &info);
}

bool
ummgr_symbol_code (uintptr_t address, char *buf, size_t size)
{
  Dl_info info;
  memset (&info, 0, sizeof info);
  if (name_symbol (address, STT_FUNC, buf, size, &info))
    return true;
  if (!info.dli_fname)
    return false;
  const char *slash = strrchr (info.dli_fname, '/');
  snprintf (buf, size, "%s+0x%lx", slash ? slash + 1 : info.dli_fname,
	    (unsigned long) (address - (uintptr_t) info.dli_fbase));
  return true;
}

/* libstdc++'s, in programs that have it.  */
extern char *__cxa_demangle (const char *mangled, char *out, size_t *length, int *status)
  __attribute__ ((weak));

/* NAME, a function's with its type and parameters, without these, in place.  */
static char *
without_types (char *name)
{
  char *begin = name;
  int depth = 0;
  for (char *p = name; *p && depth >= 0; p++)
    {
      if (depth == 0 && strncmp (p, "operator", 8) == 0)
	{
	  p += 8;
	  p += strncmp (p, "()", 2) == 0 ? 2 : strcspn (p, "(");
	  *(*p == '(' ? p : p + strlen (p)) = 0;
	  return begin;
	}
      if (depth == 0 && strncmp (p, "(anonymous namespace)", 21) == 0)
	p += 20;
      else if (depth == 0 && *p == '(')
	{
	  *p = 0;
	  return begin;
	}
      else if (depth == 0 && *p == ' ')
	begin = p + 1;
      else if (strchr ("<({", *p))
	depth++;
      else if (strchr (">)}", *p))
	depth--;
    }
  return name;
}

void
ummgr_symbol_plain (const char *symbol, char *buf, size_t size)
{
  size_t length = strcspn (symbol, ".+");
  snprintf (buf, size, "%.*s", (int) (length ? length : strlen (symbol)), symbol);
  char *plain = strncmp (buf, "_Z", 2) == 0 && __cxa_demangle
		? __cxa_demangle (buf, NULL, NULL, NULL) : NULL;
  const char *module = strncmp (buf, "__", 2) == 0 ? strstr (buf, "_MOD_") : NULL;
  if (plain)
    snprintf (buf, size, "%s", without_types (plain));
  else if (module)
    memmove (buf, module + 5, strlen (module + 5) + 1);
  else if (strcmp (buf, "MAIN__") == 0)
    snprintf (buf, size, "main program");
  free (plain);
}
