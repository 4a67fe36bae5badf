/* Reading the plugin's tables out of ELF files and archives.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where a file is linked its program headers say what the runtime will see;
   an object that is not has only sections.  No state.  */

#include "config.h"
#include "cli/tables.h"

#include "base/grow.h"
#include "base/log.h"
#include "ummgr-table.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file being read: the object that is being filled, and the notes at
   hand.  */
struct reading
{
  struct ummgr_cli_object object;
  size_t unit_room;
  const void *notes;
  uint64_t address;		/* Of the notes; 0 where not linked.  */
  bool good;
};

static void
complain (struct reading *r, const char *what, const char *why)
{
  const char *member = r->object.member;
  ummgr_error ("tables: %s%s%s%s: %s%s%s", r->object.file, member ? "(" : "",
	       member ? member : "", member ? ")" : "", what, why ? ": " : "",
	       why ? why : "");
  r->good = false;
}

/* ummgr_table_notes's callback.  */
static void
table_found (const void *table, size_t size, void *data)
{
  struct reading *r = data;
  uint64_t at = (const char *) table - (const char *) r->notes;
  struct ummgr_table_unit *unit;
  const char *reason;
  if (ummgr_table_decode (table, size,
			  r->object.linked ? r->address + at : 0, &unit,
			  &reason))
    {
      complain (r, "a table can't be used, because", reason);
      return;
    }
  if (!UMMGR_GROW (r->object.units, r->unit_room, r->object.unit_count + 1))
    {
      free (unit);
      complain (r, "not enough memory", NULL);
      return;
    }
  r->object.units[r->object.unit_count++] = unit;
}

static void
notes_read (struct reading *r, const Elf_Data *data, uint64_t address,
	    uint64_t align)
{
  if (!data || !data->d_buf)
    {
      complain (r, "can't read its notes", elf_errmsg (-1));
      return;
    }
  r->notes = data->d_buf;
  r->address = address;
  ummgr_table_notes (data->d_buf, data->d_size, align, table_found, r);
}

static void
segments_read (struct reading *r, Elf *elf)
{
  size_t count;
  if (elf_getphdrnum (elf, &count) != 0)
    {
      complain (r, "can't read its program headers", elf_errmsg (-1));
      return;
    }
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr p;
      if (!gelf_getphdr (elf, i, &p))
	complain (r, "can't read a program header", elf_errmsg (-1));
      else if (p.p_type == PT_NOTE && p.p_filesz)
	notes_read (r, elf_getdata_rawchunk (elf, p.p_offset, p.p_filesz,
					     ELF_T_BYTE),
		    p.p_vaddr, p.p_align);
    }
}

static void
sections_read (struct reading *r, Elf *elf)
{
  size_t names;
  if (elf_getshdrstrndx (elf, &names) != 0)
    {
      complain (r, "can't read its sections", elf_errmsg (-1));
      return;
    }
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn (elf, scn));)
    {
      GElf_Shdr s;
      if (!gelf_getshdr (scn, &s))
	{
	  complain (r, "can't read a section", elf_errmsg (-1));
	  continue;
	}
      const char *name = elf_strptr (elf, names, s.sh_name);
      if (name && strncmp (name, ".gnu.lto_", 9) == 0)
	r->object.lto = true;
      if (s.sh_type == SHT_NOTE && s.sh_flags & SHF_ALLOC && s.sh_size)
	notes_read (r, elf_rawdata (scn, NULL), 0, s.sh_addralign);
    }
}

/* Read what is neither archive nor junk, and hand it on.  */
static void
object_read (struct reading *r, Elf *elf, ummgr_cli_object_function function,
	     void *data)
{
  GElf_Ehdr e;
  if (elf_kind (elf) != ELF_K_ELF || !gelf_getehdr (elf, &e))
    {
      /* What lies in an archive beside objects is no concern of ours.  */
      if (!r->object.member)
	complain (r, "it is no object, executable, shared object or archive",
		  NULL);
      return;
    }
  if (e.e_ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			     ? ELFDATA2LSB : ELFDATA2MSB))
    {
      complain (r, "it is for a machine of the other byte order", NULL);
      return;
    }
  r->object.linked = e.e_type == ET_EXEC || e.e_type == ET_DYN;
  if (r->object.linked)
    segments_read (r, elf);
  else
    sections_read (r, elf);
  function (&r->object, data);
  for (size_t i = 0; i < r->object.unit_count; i++)
    free (r->object.units[i]);
  free (r->object.units);
}

static bool
archive_read (const char *path, int fd, Elf *archive,
	      ummgr_cli_object_function function, void *data)
{
  bool good = true;
  Elf_Cmd command = ELF_C_READ;
  Elf *elf;
  while ((elf = elf_begin (fd, command, archive)))
    {
      const Elf_Arhdr *header = elf_getarhdr (elf);
      struct reading r = { .good = true };
      r.object.file = path;
      r.object.member = header ? header->ar_name : "?";
      object_read (&r, elf, function, data);
      good &= r.good;
      command = elf_next (elf);
      elf_end (elf);
    }
  return good;
}

/* A thin archive's members are elsewhere; libelf doesn't follow.  */
static bool
is_thin_archive (int fd)
{
  char magic[8];
  return pread (fd, magic, sizeof magic, 0) == sizeof magic
	 && memcmp (magic, "!<thin>\n", sizeof magic) == 0;
}

static bool
file_read (const char *path, int fd, ummgr_cli_object_function function,
	   void *data)
{
  if (is_thin_archive (fd))
    {
      ummgr_error ("tables: %s: it is a thin archive; name its members "
		   "instead", path);
      return false;
    }
  Elf *elf = elf_begin (fd, ELF_C_READ, NULL);
  if (!elf)
    {
      ummgr_error ("tables: %s: %s", path, elf_errmsg (-1));
      return false;
    }
  bool good;
  if (elf_kind (elf) == ELF_K_AR)
    good = archive_read (path, fd, elf, function, data);
  else
    {
      struct reading r = { .good = true };
      r.object.file = path;
      object_read (&r, elf, function, data);
      good = r.good;
    }
  elf_end (elf);
  return good;
}

bool
ummgr_cli_tables_read (const char *path, ummgr_cli_object_function function,
		       void *data)
{
  elf_version (EV_CURRENT);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      ummgr_error ("tables: can't open '%s': %s", path, strerror (errno));
      return false;
    }
  struct stat st;
  bool good = fstat (fd, &st) == 0 && S_ISREG (st.st_mode);
  if (good)
    good = file_read (path, fd, function, data);
  else
    ummgr_error ("tables: '%s' is not a regular file", path);
  close (fd);
  return good;
}
