/* What kind of program a file is.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Reads the few ELF headers that tell; a file that is cut short or lies
   about its offsets is "not ELF".  */

#include "config.h"
#include "cli/cli.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image
{
  const unsigned char *data;
  size_t size;
};

static const void *
at (const struct image *image, uint64_t offset, uint64_t size)
{
  return offset <= image->size && size <= image->size - offset
    ? image->data + offset : NULL;
}

/* Copy element INDEX of the array of SIZE bytes each at OFFSET: nothing says that
   it is aligned.  */
static bool
get (const struct image *image, uint64_t offset, uint64_t index, void *to,
     size_t size)
{
  const void *from = offset <= image->size
    ? at (image, offset + index * size, size) : NULL;
  if (from)
    memcpy (to, from, size);
  return from;
}

static bool
get_section (const struct image *image, const Elf64_Ehdr *head, unsigned index,
	     Elf64_Shdr *section)
{
  return index < head->e_shnum
	 && get (image, head->e_shoff, index, section, sizeof *section);
}

/* Does the string at NAME of the table STRINGS begin with TEXT's SIZE bytes?  */
static bool
begins (const struct image *image, const Elf64_Shdr *strings, uint32_t name,
	const char *text, size_t size)
{
  const void *there = name < strings->sh_size
    && strings->sh_offset <= image->size
    ? at (image, strings->sh_offset + name, size) : NULL;
  return there && memcmp (there, text, size) == 0;
}

/* Is SECTION's name one that GCC gives to offload code or its tables?  */
static bool
is_offload_section (const struct image *image, const Elf64_Shdr *names,
		    const Elf64_Shdr *section)
{
  static const char *const prefixes[]
    = { ".gnu.offload_lto_", ".gnu.offload_funcs", ".gnu.offload_vars" };
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (begins (image, names, section->sh_name, prefixes[i],
		strlen (prefixes[i])))
      return true;
  return false;
}

static bool
has_offload_sections (const struct image *image, const Elf64_Ehdr *head)
{
  Elf64_Shdr names, section;
  if (!get_section (image, head, head->e_shstrndx, &names))
    return false;
  for (unsigned i = 0; get_section (image, head, i, &section); i++)
    if (is_offload_section (image, &names, &section))
      return true;
  return false;
}

/* Does IMAGE want the function NAME of a library?  A weak reference, too, stands
   among the dynamic symbols, stripped or not.  */
static bool
symbol_wanted (const struct image *image, const Elf64_Shdr *symbols,
	       const Elf64_Shdr *strings, const char *name)
{
  size_t count = symbols->sh_size / sizeof (Elf64_Sym);
  Elf64_Sym symbol;
  for (size_t i = 0; i < count && get (image, symbols->sh_offset, i, &symbol,
				       sizeof symbol); i++)
    if (symbol.st_shndx == SHN_UNDEF
	&& begins (image, strings, symbol.st_name, name,
		   strlen (name) + 1))
      return true;
  return false;
}

static bool
wants (const struct image *image, const Elf64_Ehdr *head, const char *name)
{
  Elf64_Shdr section, strings;
  for (unsigned i = 0; get_section (image, head, i, &section); i++)
    if (section.sh_type == SHT_DYNSYM
	&& get_section (image, head, section.sh_link, &strings))
      return symbol_wanted (image, &section, &strings, name);
  return false;
}

static bool
has_interpreter (const struct image *image, const Elf64_Ehdr *head)
{
  Elf64_Phdr header;
  for (unsigned i = 0; i < head->e_phnum
	 && get (image, head->e_phoff, i, &header, sizeof header); i++)
    if (header.p_type == PT_INTERP)
      return true;
  return false;
}

bool
ummgr_cli_inspect (const char *path, struct ummgr_cli_program *out)
{
  memset (out, 0, sizeof *out);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat st;
  if (fd < 0)
    return false;
  struct image image = { NULL, 0 };
  if (fstat (fd, &st) == 0 && st.st_size > 0)
    {
      void *map = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (map != MAP_FAILED)
	image = (struct image) { map, st.st_size };
      out->privileged = (st.st_mode & (S_ISUID | S_ISGID)) != 0;
    }
  close (fd);
  const unsigned char *ident = at (&image, 0, EI_NIDENT);
  out->elf = ident && memcmp (ident, ELFMAG, SELFMAG) == 0;
  out->other_class = out->elf && ident[EI_CLASS] != ELFCLASS64;
  const Elf64_Ehdr *head = at (&image, 0, sizeof *head);
  if (out->elf && !out->other_class && head
      && (head->e_type == ET_EXEC || head->e_type == ET_DYN))
    {
      out->static_link = !has_interpreter (&image, head);
      out->offload = has_offload_sections (&image, head);
      /* The program object, record/program.c, calls it.  */
      out->traced = wants (&image, head, "ummgr_trace_attach");
      out->unified = wants (&image, head, "ummgr_unify_alloc");
      out->asan = wants (&image, head, "__asan_init");
    }
  if (image.data)
    munmap ((void *) image.data, image.size);
  return true;
}

/* Note what the loader's LINE says of OUT.  */
static void
take_library (char *line, struct ummgr_cli_program *out)
{
  char *file = strstr (line, "=> /");
  struct ummgr_cli_program library;
  if (!file)
    return;
  file += 3;
  char *end = strstr (file, " (0x");
  if (end)
    *end = 0;
  if (strstr (line, "libasan.so"))
    snprintf (out->sanitizer, sizeof out->sanitizer, "%s", file);
  else if (!(out->offload && out->traced)
	   && ummgr_cli_inspect (file, &library))
    {
      out->offload |= library.offload;
      out->traced |= library.traced;
    }
}

void
ummgr_cli_inspect_libraries (const char *path, struct ummgr_cli_program *out)
{
  static char text[1 << 16];
  char *const argv[] = { (char *) "env",
    (char *) "LD_TRACE_LOADED_OBJECTS=1", (char *) path, NULL };
  if (ummgr_cli_capture (argv, text, sizeof text) != 0)
    return;
  char *save;
  for (char *line = strtok_r (text, "\n", &save); line;
       line = strtok_r (NULL, "\n", &save))
    take_library (line, out);
}
