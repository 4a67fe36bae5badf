/* Source lines for addresses of code.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the mappings of the files it has looked into, and lists of the ranges of code in
   them, which are made at the first question; they stay until the process ends.  All
   that comes from a file is checked: a table that is wrong has no lines.  */

#include "config.h"
#include "base/lines.h"
#include "base/grow.h"
#include "base/self.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* DWARF's numbers, as far as line tables need them.  */
enum
{
  OP_COPY = 1, OP_ADVANCE_PC, OP_ADVANCE_LINE, OP_SET_FILE, OP_CONST_ADD_PC = 8,
  OP_FIXED_ADVANCE_PC = 9,
  EXTENDED_END = 1, EXTENDED_SET_ADDRESS = 2,
  CONTENT_PATH = 1, CONTENT_DIRECTORY = 2,
  FORM_BLOCK2 = 3, FORM_BLOCK4 = 4, FORM_DATA2 = 5, FORM_DATA4 = 6, FORM_DATA8 = 7, FORM_STRING = 8,
  FORM_BLOCK = 9, FORM_BLOCK1 = 10, FORM_DATA1 = 11, FORM_STRP = 14, FORM_UDATA = 15,
  FORM_DATA16 = 30, FORM_LINE_STRP = 31,
  FORMATS = 8			/* Of a file's entry.  */
};

struct bytes
{
  const unsigned char *at, *end;
  bool bad;
};

/* Instructions that stand together, and the unit that has their lines.  */
struct range
{
  uint64_t lo, hi;
  size_t unit;			/* Where it begins in the section.  */
};

struct file
{
  struct file *next;
  uintptr_t base;		/* dli_fbase.  */
  uintptr_t bias;		/* Added to addresses in tables.  */
  struct bytes line, strings, line_strings;
  struct range *ranges;
  size_t count, room;
};

/* What a unit's header says.  */
struct unit
{
  struct bytes program;
  struct bytes names;		/* From the tables of directories on.  */
  unsigned version, least, range, opcodes;
  int base;
  bool wide;			/* Offsets of 8 bytes.  */
  const unsigned char *lengths;	/* Of the standard opcodes' arguments.  */
};

struct row
{
  uint64_t address, file;
  int64_t line;
};

static struct file *files;

/* --- reading ---------------------------------------------------------------- */

static uint64_t
take (struct bytes *b, unsigned size)
{
  uint64_t value = 0;
  if ((size_t) (b->end - b->at) < size)
    {
      b->bad = true;
      b->at = b->end;
      return 0;
    }
  memcpy (&value, b->at, size);
  b->at += size;
  return value;
}

static void
skip (struct bytes *b, uint64_t size)
{
  if (size > (uint64_t) (b->end - b->at))
    {
      b->bad = true;
      size = b->end - b->at;
    }
  b->at += size;
}

/* LEB128; *BITS_P is how many bits it had.  */
static uint64_t
take_bits (struct bytes *b, unsigned *bits_p, bool *negative_p)
{
  uint64_t value = 0;
  unsigned bits = 0;
  unsigned char one = 0x80;
  while (one & 0x80 && !b->bad)
    {
      one = take (b, 1);
      if (bits < 64)
	value |= (uint64_t) (one & 0x7f) << bits;
      bits += 7;
    }
  *bits_p = bits;
  *negative_p = one & 0x40;
  return value;
}

static uint64_t
take_number (struct bytes *b)
{
  unsigned bits;
  bool negative;
  return take_bits (b, &bits, &negative);
}

static int64_t
take_signed (struct bytes *b)
{
  unsigned bits;
  bool negative;
  uint64_t value = take_bits (b, &bits, &negative);
  if (negative && bits < 64)
    value |= -(uint64_t) 1 << bits;
  return (int64_t) value;
}

static const char *
take_string (struct bytes *b)
{
  const char *text = (const char *) b->at;
  const unsigned char *end = memchr (b->at, 0, b->end - b->at);
  if (!end)
    {
      b->bad = true;
      return "";
    }
  b->at = end + 1;
  return text;
}

static const char *
string_at (struct bytes table, uint64_t offset)
{
  skip (&table, offset);
  return take_string (&table);
}

/* --- headers ---------------------------------------------------------------- */

/* The unit at B, which is behind it then.  */
static bool
read_unit (struct bytes *b, struct unit *u)
{
  memset (u, 0, sizeof *u);
  uint64_t length = take (b, 4);
  u->wide = length == 0xffffffff;
  if (u->wide)
    length = take (b, 8);
  struct bytes in = *b;
  skip (b, length);
  if (b->bad)
    return false;
  in.end = b->at;
  u->version = take (&in, 2);
  if (u->version >= 5)
    skip (&in, 2);		/* Sizes of addresses and selectors.  */
  uint64_t header = take (&in, u->wide ? 8 : 4);
  u->program = in;
  skip (&u->program, header);
  in.end = u->program.at;
  u->least = take (&in, 1);
  if (u->version >= 4)
    skip (&in, 1);
  skip (&in, 1);
  u->base = (int8_t) take (&in, 1);
  u->range = take (&in, 1);
  u->opcodes = take (&in, 1);
  u->lengths = in.at;
  skip (&in, u->opcodes ? u->opcodes - 1 : 0);
  u->names = in;
  return !in.bad && !u->program.bad && u->version >= 2 && u->version <= 5
    && u->range && u->opcodes;
}

/* A value of FORM: its text, or its number in *NUMBER_P.  */
static const char *
take_form (struct bytes *b, const struct file *f, bool wide, uint64_t form,
	   uint64_t *number_p)
{
  *number_p = 0;
  switch (form)
    {
    case FORM_STRING: return take_string (b);
    case FORM_LINE_STRP: return string_at (f->line_strings, take (b, wide ? 8 : 4));
    case FORM_STRP: return string_at (f->strings, take (b, wide ? 8 : 4));
    case FORM_UDATA: *number_p = take_number (b); break;
    case FORM_DATA1: *number_p = take (b, 1); break;
    case FORM_DATA2: *number_p = take (b, 2); break;
    case FORM_DATA4: *number_p = take (b, 4); break;
    case FORM_DATA8: *number_p = take (b, 8); break;
    case FORM_DATA16: skip (b, 16); break;
    case FORM_BLOCK: skip (b, take_number (b)); break;
    case FORM_BLOCK1: skip (b, take (b, 1)); break;
    case FORM_BLOCK2: skip (b, take (b, 2)); break;
    case FORM_BLOCK4: skip (b, take (b, 4)); break;
    default: b->bad = true;
    }
  return NULL;
}

/* A table of DWARF 5: entry WANTED's path, and its directory's number.  Behind the
   table B is only if there is no such entry.  */
static const char *
take_entries (struct bytes *b, const struct file *f, bool wide, uint64_t wanted,
	      uint64_t *directory_p)
{
  struct { uint64_t content, form; } formats[FORMATS];
  const char *path = NULL;
  unsigned count = take (b, 1);
  if (count > FORMATS)
    b->bad = true;
  for (unsigned i = 0; i < count && !b->bad; i++)
    {
      formats[i].content = take_number (b);
      formats[i].form = take_number (b);
    }
  uint64_t entries = count ? take_number (b) : (take_number (b), 0);
  for (uint64_t e = 0; e < entries && e <= wanted && !b->bad; e++)
    for (unsigned i = 0; i < count; i++)
      {
	uint64_t number;
	const char *text = take_form (b, f, wide, formats[i].form, &number);
	if (e == wanted && formats[i].content == CONTENT_PATH)
	  path = text;
	if (e == wanted && formats[i].content == CONTENT_DIRECTORY)
	  *directory_p = number;
      }
  return b->bad ? NULL : path;
}

/* The same up to DWARF 4, where file and directory 0 are the compilation's.  */
static const char *
old_name (struct bytes b, uint64_t wanted, const char **directory_p)
{
  struct bytes directories = b;
  const char *name = "";
  uint64_t directory = 0;
  while (*take_string (&b) && !b.bad)
    ;
  for (uint64_t i = 1; i <= wanted && !b.bad && *(name = take_string (&b)); i++)
    {
      directory = take_number (&b);
      take_number (&b);
      take_number (&b);
    }
  for (uint64_t i = 1; i <= directory; i++)
    *directory_p = take_string (&directories);
  return b.bad || directories.bad || !*name ? NULL : name;
}

static bool
name_file (const struct file *f, const struct unit *u, uint64_t number, char *out,
	   size_t size)
{
  const char *directory = "", *name;
  if (u->version < 5)
    name = old_name (u->names, number, &directory);
  else
    {
      uint64_t at = 0, none;
      struct bytes directories = u->names, b = u->names;
      take_entries (&b, f, u->wide, UINT64_MAX, &none);
      name = take_entries (&b, f, u->wide, number, &at);
      if (at)
	directory = take_entries (&directories, f, u->wide, at, &none);
    }
  if (!name || !directory)
    return false;
  bool whole = *name == '/' || !*directory;
  snprintf (out, size, "%s%s%s", whole ? "" : directory, whole ? "" : "/", name);
  return true;
}

/* --- programs --------------------------------------------------------------- */

struct machine
{
  const struct unit *unit;
  struct row row;
  bool sequence_ends;
  bool row_stands;
};

static void
advance (struct machine *m, uint64_t operations)
{
  m->row.address += operations * m->unit->least;
}

static void
extended (struct machine *m, struct bytes *b)
{
  uint64_t length = take_number (b);
  struct bytes in = *b;
  skip (b, length);
  in.end = b->at;
  switch (in.at < in.end ? take (&in, 1) : 0)
    {
    case EXTENDED_END:
      m->row_stands = m->sequence_ends = true;
      break;
    case EXTENDED_SET_ADDRESS:
      m->row.address = take (&in, in.end - in.at < 8 ? 4 : 8);
      break;
    default:
      break;
    }
}

static void
standard (struct machine *m, struct bytes *b, unsigned op)
{
  switch (op)
    {
    case OP_COPY: m->row_stands = true; break;
    case OP_ADVANCE_PC: advance (m, take_number (b)); break;
    case OP_ADVANCE_LINE: m->row.line += take_signed (b); break;
    case OP_SET_FILE: m->row.file = take_number (b); break;
    case OP_CONST_ADD_PC:
      advance (m, (255 - m->unit->opcodes) / m->unit->range);
      break;
    case OP_FIXED_ADVANCE_PC: m->row.address += take (b, 2); break;
    default:
      for (unsigned i = 0; i < m->unit->lengths[op - 1]; i++)
	take_number (b);
    }
}

/* Up to the next row.  */
static bool
step (struct machine *m, struct bytes *b)
{
  if (m->sequence_ends)
    m->row = (struct row) { 0, 1, 1 };
  m->sequence_ends = m->row_stands = false;
  while (!m->row_stands && b->at < b->end && !b->bad)
    {
      unsigned op = take (b, 1);
      if (op >= m->unit->opcodes)
	{
	  op -= m->unit->opcodes;
	  advance (m, op / m->unit->range);
	  m->row.line += m->unit->base + (int) (op % m->unit->range);
	  m->row_stands = true;
	}
      else if (op)
	standard (m, b, op);
      else
	extended (m, b);
    }
  return m->row_stands && !b->bad;
}

/* The ranges of U, which begins at OFFSET.  */
static void
list_ranges (struct file *f, const struct unit *u, size_t offset)
{
  struct machine m = { .unit = u, .sequence_ends = true };
  struct bytes b = u->program;
  uint64_t lo = UINT64_MAX;
  while (step (&m, &b))
    {
      lo = m.row.address < lo ? m.row.address : lo;
      if (!m.sequence_ends)
	continue;
      /* What the linker left out begins at 0.  */
      if (lo && lo < m.row.address && UMMGR_GROW (f->ranges, f->room, f->count + 1))
	f->ranges[f->count++] = (struct range) { lo, m.row.address, offset };
      lo = UINT64_MAX;
    }
}

/* In UNIT, of the sequence R, the row that ADDRESS belongs to.  */
static bool
find_row (const struct unit *u, const struct range *r, uint64_t address,
	  struct row *out)
{
  struct machine m = { .unit = u, .sequence_ends = true };
  struct bytes b = u->program;
  struct row last = { 0, 0, 0 };
  bool open = false;
  while (step (&m, &b))
    {
      if (open && last.address >= r->lo && address >= last.address
	  && address < m.row.address)
	{
	  *out = last;
	  return true;
	}
      last = m.row;
      open = !m.sequence_ends;
    }
  return false;
}

/* --- files ------------------------------------------------------------------ */

/* Where the section NAME is in the SIZE bytes of IMAGE; nowhere if it is not plain.  */
static struct bytes
section (const unsigned char *image, size_t size, const char *name)
{
  const ElfW (Ehdr) *header = (const void *) image;
  struct bytes none = { NULL, NULL, false };
  const ElfW (Shdr) *sections = (const void *) (image + header->e_shoff);
  const ElfW (Shdr) *names = &sections[header->e_shstrndx];
  if (names->sh_offset > size || names->sh_size > size - names->sh_offset
      || !names->sh_size || image[names->sh_offset + names->sh_size - 1])
    return none;
  for (size_t i = 0; i < header->e_shnum; i++)
    {
      const ElfW (Shdr) *s = &sections[i];
      if (s->sh_name < names->sh_size && s->sh_type == SHT_PROGBITS
	  && !(s->sh_flags & SHF_COMPRESSED) && s->sh_offset <= size
	  && s->sh_size <= size - s->sh_offset
	  && strcmp ((const char *) image + names->sh_offset + s->sh_name, name) == 0)
	return (struct bytes) { image + s->sh_offset, image + s->sh_offset + s->sh_size,
				false };
    }
  return none;
}

static void
read_image (struct file *f, const unsigned char *image, size_t size)
{
  const ElfW (Ehdr) *header = (const void *) image;
  if (size < sizeof *header || memcmp (header->e_ident, ELFMAG, SELFMAG) != 0
      || header->e_shentsize != sizeof (ElfW (Shdr)) || header->e_shoff > size
      || header->e_shoff % sizeof (uint32_t)
      || (size - header->e_shoff) / sizeof (ElfW (Shdr)) < header->e_shnum
      || header->e_shstrndx >= header->e_shnum)
    return;
  f->bias = header->e_type == ET_EXEC ? 0 : f->base;
  f->line = section (image, size, ".debug_line");
  f->strings = section (image, size, ".debug_str");
  f->line_strings = section (image, size, ".debug_line_str");
  struct bytes b = f->line;
  while (b.at < b.end)
    {
      struct unit u;
      size_t offset = b.at - f->line.at;
      if (read_unit (&b, &u))
	list_ranges (f, &u, offset);
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
    read_image (file, image, size);
  return file;
}

static bool
line_of (uintptr_t address, char *out, size_t size, unsigned *line_p)
{
  Dl_info info;
  if (!address || !dladdr ((void *) address, &info) || !info.dli_fname)
    return false;
  const struct file *f = open_file (info.dli_fname, (uintptr_t) info.dli_fbase);
  uint64_t wanted = f ? address - f->bias : 0;
  for (size_t i = 0; f && i < f->count; i++)
    {
      const struct range *r = &f->ranges[i];
      struct bytes b = f->line;
      struct unit u;
      struct row row;
      if (wanted < r->lo || wanted >= r->hi)
	continue;
      skip (&b, r->unit);
      if (!read_unit (&b, &u) || !find_row (&u, r, wanted, &row) || row.line <= 0)
	return false;
      *line_p = row.line;
      return name_file (f, &u, row.file, out, size);
    }
  return false;
}

bool
ummgr_line_of (uintptr_t address, char *out, size_t size, unsigned *line_p)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&lock);
  bool found = line_of (address, out, size, line_p);
  pthread_mutex_unlock (&lock);
  return found;
}

bool
ummgr_is_library_file (const char *file)
{
  return strncmp (file, "/usr/include/", 13) == 0 || strncmp (file, "/usr/lib/gcc", 12) == 0
	 || strstr (file, "/include/c++/");
}
