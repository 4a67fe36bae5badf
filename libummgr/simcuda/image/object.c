/* Looking into a loaded ELF object and the file it came from.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  Changes nothing: run/bind.c does.  */

#include "config.h"
#include "simcuda/image/object.h"
#include "base/log.h"
#include "base/self.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct search
{
  uintptr_t address;
  struct sim_object *out;
  bool found;
};

static int
visit (struct dl_phdr_info *info, size_t size, void *data)
{
  struct search *s = data;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type != PT_LOAD
	  || s->address - (info->dlpi_addr + p->p_vaddr) >= p->p_memsz)
	continue;
      s->out->bias = info->dlpi_addr;
      s->out->phdr = info->dlpi_phdr;
      s->out->phnum = info->dlpi_phnum;
      /* The executable itself has no name, and may have been moved.  */
      snprintf (s->out->path, sizeof s->out->path, "%s",
		info->dlpi_name && *info->dlpi_name ? info->dlpi_name
						    : ummgr_self_file ());
      s->found = true;
      return 1;
    }
  return 0;
}

bool
sim_object_find (uintptr_t address, struct sim_object *out)
{
  struct search s = { address, out, false };
  dl_iterate_phdr (visit, &s);
  return s.found;
}

/* The program may have changed its directory since it loaded PATH; the kernel
   knows the file's full name.  */
static int
open_mapped (const struct sim_object *object)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  if (!maps)
    return -1;
  char *line = NULL;
  size_t room = 0;
  int fd = -1;
  uintptr_t inside = (uintptr_t) object->phdr;
  while (fd < 0 && getline (&line, &room, maps) > 0)
    {
      unsigned long start, end;
      char *path = strchr (line, '/');
      if (!path || sscanf (line, "%lx-%lx", &start, &end) != 2
	  || inside < start || inside >= end)
	continue;
      path[strcspn (path, "\n")] = '\0';
      fd = open (path, O_RDONLY | O_CLOEXEC);
    }
  free (line);
  fclose (maps);
  return fd;
}

static bool
same_file (const struct sim_object *object, int fd)
{
  ElfW (Ehdr) header;
  size_t bytes = object->phnum * sizeof (ElfW (Phdr));
  ElfW (Phdr) *phdr = malloc (bytes);
  bool same
    = phdr && pread (fd, &header, sizeof header, 0) == sizeof header
      && memcmp (header.e_ident, ELFMAG, SELFMAG) == 0
      && header.e_phnum == object->phnum
      && header.e_phentsize == sizeof (ElfW (Phdr))
      && pread (fd, phdr, bytes, header.e_phoff) == (ssize_t) bytes
      && memcmp (phdr, object->phdr, bytes) == 0;
  free (phdr);
  return same;
}

int
sim_object_open (const struct sim_object *object)
{
  int fd = open (object->path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && same_file (object, fd))
    return fd;
  if (fd >= 0)
    close (fd);
  fd = open_mapped (object);
  if (fd >= 0 && same_file (object, fd))
    return fd;
  if (fd >= 0)
    close (fd);
  ummgr_error ("simcuda: %s: cannot read the file that this program was "
	       "loaded from (was it rebuilt or removed while running?)",
	       object->path);
  return -1;
}

/* SIZE bytes at OFFSET of the file FD, malloc'ed, and a 0 behind them; NULL where
   the file has not so many, whatever its headers say.  */
static void *
file_part (int fd, uint64_t offset, uint64_t size)
{
  struct stat st;
  if (fstat (fd, &st) != 0 || offset > (uint64_t) st.st_size
      || size > st.st_size - offset)
    return NULL;
  char *bytes = malloc (size + 1);
  if (bytes && pread (fd, bytes, size, offset) != (ssize_t) size)
    {
      free (bytes);
      return NULL;
    }
  if (bytes)
    bytes[size] = '\0';
  return bytes;
}

bool
sim_object_section (const struct sim_object *object, int fd, const char *name,
		    uintptr_t *address_p, size_t *size_p)
{
  ElfW (Ehdr) header;
  if (pread (fd, &header, sizeof header, 0) != sizeof header
      || header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum
      || header.e_shentsize != sizeof (ElfW (Shdr)))
    return false;
  ElfW (Shdr) *sections
    = file_part (fd, header.e_shoff, header.e_shnum * sizeof *sections);
  const ElfW (Shdr) *strings = sections ? &sections[header.e_shstrndx] : NULL;
  char *names
    = strings ? file_part (fd, strings->sh_offset, strings->sh_size) : NULL;
  bool found = false;
  for (size_t i = 0; names && i < header.e_shnum && !found; i++)
    if (sections[i].sh_name < strings->sh_size
	&& strcmp (names + sections[i].sh_name, name) == 0)
      {
	*address_p = object->bias + sections[i].sh_addr;
	*size_p = sections[i].sh_size;
	found = sim_object_holds (object, *address_p, *size_p);
      }
  free (names);
  free (sections);
  return found;
}

static const ElfW (Phdr) *
segment_of (const struct sim_object *object, uintptr_t address)
{
  for (size_t i = 0; i < object->phnum; i++)
    {
      const ElfW (Phdr) *p = &object->phdr[i];
      if (p->p_type == PT_LOAD
	  && address - (object->bias + p->p_vaddr) < p->p_memsz)
	return p;
    }
  return NULL;
}

bool
sim_object_holds (const struct sim_object *object, uintptr_t address,
		  size_t size)
{
  const ElfW (Phdr) *p = segment_of (object, address);
  return p && size <= p->p_memsz
	 && address - (object->bias + p->p_vaddr) <= p->p_memsz - size;
}

bool
sim_object_writable (const struct sim_object *object, uintptr_t address)
{
  const ElfW (Phdr) *p = segment_of (object, address);
  if (!p || !(p->p_flags & PF_W))
    return false;
  for (size_t i = 0; i < object->phnum; i++)
    if (object->phdr[i].p_type == PT_GNU_RELRO
	&& address - (object->bias + object->phdr[i].p_vaddr)
	     < object->phdr[i].p_memsz)
      return false;
  return true;
}

bool
sim_object_zero (const struct sim_object *object, uintptr_t address)
{
  const ElfW (Phdr) *p = segment_of (object, address);
  return p && address - (object->bias + p->p_vaddr) >= p->p_filesz;
}

bool
sim_object_file_contents (const struct sim_object *object, int fd,
			  uintptr_t address, size_t size, void *buffer)
{
  const ElfW (Phdr) *p = segment_of (object, address);
  if (!p || !sim_object_holds (object, address, size))
    return false;
  size_t offset = address - (object->bias + p->p_vaddr);
  size_t stored = offset >= p->p_filesz ? 0 : p->p_filesz - offset;
  if (stored > size)
    stored = size;
  for (size_t done = 0; done < stored;)
    {
      ssize_t n = pread (fd, (char *) buffer + done, stored - done,
			 p->p_offset + offset + done);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return false;
      done += n;
    }
  memset ((char *) buffer + stored, 0, size - stored);
  return true;
}

/* The loader relocates these pointers in some objects and not in others (the
   vdso, for one).  */
static uintptr_t
dynamic_pointer (const struct sim_object *object, ElfW (Addr) value)
{
  return sim_object_holds (object, value, 1) ? value : object->bias + value;
}

void
sim_object_dynamic (const struct sim_object *object, struct sim_dynamic *out)
{
  memset (out, 0, sizeof *out);
  const ElfW (Dyn) *d = NULL;
  for (size_t i = 0; i < object->phnum; i++)
    if (object->phdr[i].p_type == PT_DYNAMIC)
      d = (const void *) (object->bias + object->phdr[i].p_vaddr);
  for (; d && d->d_tag != DT_NULL; d++)
    switch (d->d_tag)
      {
      case DT_RELA:
	out->rela = (const void *) dynamic_pointer (object, d->d_un.d_ptr);
	break;
      case DT_RELASZ:
	out->rela_count = d->d_un.d_val / sizeof (ElfW (Rela));
	break;
      case DT_JMPREL:
	out->jmprel = (const void *) dynamic_pointer (object, d->d_un.d_ptr);
	break;
      case DT_PLTRELSZ:
	out->jmprel_count = d->d_un.d_val / sizeof (ElfW (Rela));
	break;
      case DT_SYMTAB:
	out->symbols = (const void *) dynamic_pointer (object, d->d_un.d_ptr);
	break;
      case DT_STRTAB:
	out->strings = (const void *) dynamic_pointer (object, d->d_un.d_ptr);
	break;
      case 36: /* DT_RELR, newer than some <elf.h>.  */
	out->packed = true;
	break;
      }
  if (!out->rela)
    out->rela_count = 0;
  if (!out->jmprel)
    out->jmprel_count = 0;
}
