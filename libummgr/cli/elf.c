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

/* Is SECTION's name one that GCC gives to offload code or its tables?  */
static bool
is_offload_section (const struct image *image, const Elf64_Shdr *names,
		    uint32_t name)
{
  static const char *const prefixes[]
    = { ".gnu.offload_lto_", ".gnu.offload_funcs", ".gnu.offload_vars" };
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    {
      size_t n = strlen (prefixes[i]);
      const void *text = name < names->sh_size
	? at (image, names->sh_offset + name, n) : NULL;
      if (text && memcmp (text, prefixes[i], n) == 0)
	return true;
    }
  return false;
}

static bool
has_offload_sections (const struct image *image, const Elf64_Ehdr *head)
{
  const Elf64_Shdr *sections
    = at (image, head->e_shoff, (uint64_t) head->e_shnum * sizeof *sections);
  if (!sections || head->e_shstrndx >= head->e_shnum)
    return false;
  for (int i = 0; i < head->e_shnum; i++)
    if (is_offload_section (image, &sections[head->e_shstrndx],
			    sections[i].sh_name))
      return true;
  return false;
}

/* Does IMAGE want the function that the program object (trace/program.c) calls?
   A weak reference stands among the dynamic symbols, stripped or not.  */
static bool
wants_trace (const struct image *image, const Elf64_Shdr *symbols,
	     const Elf64_Shdr *strings)
{
  static const char name[] = "ummgr_trace_attach";
  size_t count = symbols->sh_size / sizeof (Elf64_Sym);
  const Elf64_Sym *all = at (image, symbols->sh_offset, symbols->sh_size);
  for (size_t i = 0; all && i < count; i++)
    {
      const char *text = all[i].st_shndx == SHN_UNDEF
	&& all[i].st_name < strings->sh_size
	? at (image, strings->sh_offset + all[i].st_name, sizeof name) : NULL;
      if (text && memcmp (text, name, sizeof name) == 0)
	return true;
    }
  return false;
}

static bool
is_traced (const struct image *image, const Elf64_Ehdr *head)
{
  const Elf64_Shdr *sections
    = at (image, head->e_shoff, (uint64_t) head->e_shnum * sizeof *sections);
  for (int i = 0; sections && i < head->e_shnum; i++)
    if (sections[i].sh_type == SHT_DYNSYM
	&& sections[i].sh_link < head->e_shnum)
      return wants_trace (image, &sections[i], &sections[sections[i].sh_link]);
  return false;
}

static bool
has_interpreter (const struct image *image, const Elf64_Ehdr *head)
{
  const Elf64_Phdr *headers
    = at (image, head->e_phoff, (uint64_t) head->e_phnum * sizeof *headers);
  for (int i = 0; headers && i < head->e_phnum; i++)
    if (headers[i].p_type == PT_INTERP)
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
      out->traced = is_traced (&image, head);
    }
  if (image.data)
    munmap ((void *) image.data, image.size);
  return true;
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
  for (char *line = strtok_r (text, "\n", &save);
       line && !(out->offload && out->traced);
       line = strtok_r (NULL, "\n", &save))
    {
      char *file = strstr (line, "=> /");
      struct ummgr_cli_program library;
      if (!file)
	continue;
      file += 3;
      char *end = strstr (file, " (0x");
      if (end)
	*end = 0;
      if (!ummgr_cli_inspect (file, &library))
	continue;
      out->offload |= library.offload;
      out->traced |= library.traced;
    }
}
