/* A loaded ELF object: the executable or a shared object that carries an
   offload image.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_object
{
  uintptr_t bias;
  const ElfW (Phdr) *phdr;	/* As loaded.  */
  size_t phnum;
  char path[4096];
};

/* What the dynamic section says; pointers are 0 where it says nothing.  */
struct sim_dynamic
{
  const ElfW (Rela) *rela, *jmprel;
  size_t rela_count, jmprel_count;
  const ElfW (Sym) *symbols;
  const char *strings;
  bool packed;			/* Has DT_RELR as well.  */
};

/* The object one of whose segments holds ADDRESS.  */
bool sim_object_find (uintptr_t address, struct sim_object *out);

/* Open OBJECT's file, once it is certain that it is still the one that was
   loaded; -1 after one message if not.  */
int sim_object_open (const struct sim_object *object);

/* Address and size in memory of section NAME, read from the headers of the
   open file FD.  False if there is none such.  */
bool sim_object_section (const struct sim_object *object, int fd,
			 const char *name, uintptr_t *address_p,
			 size_t *size_p);

void sim_object_dynamic (const struct sim_object *object,
			 struct sim_dynamic *out);

/* Can the program write at ADDRESS of OBJECT (RELRO is not writable)?  */
bool sim_object_writable (const struct sim_object *object, uintptr_t address);
/* Do SIZE bytes at ADDRESS lie in one of OBJECT's segments?  */
bool sim_object_holds (const struct sim_object *object, uintptr_t address,
		       size_t size);

/* Is ADDRESS behind what the file holds of its segment?  */
bool sim_object_zero (const struct sim_object *object, uintptr_t address);

/* Read from FD what the image file holds for SIZE bytes at ADDRESS: file
   contents, and zeros behind them.  */
bool sim_object_file_contents (const struct sim_object *object, int fd,
			       uintptr_t address, size_t size, void *buffer);

#if defined __x86_64__
#define SIM_R_JUMP_SLOT R_X86_64_JUMP_SLOT
#define SIM_R_GLOB_DAT R_X86_64_GLOB_DAT
#define SIM_R_RELATIVE R_X86_64_RELATIVE
#define SIM_R_ABSOLUTE R_X86_64_64
#elif defined __aarch64__
#define SIM_R_JUMP_SLOT R_AARCH64_JUMP_SLOT
#define SIM_R_GLOB_DAT R_AARCH64_GLOB_DAT
#define SIM_R_RELATIVE R_AARCH64_RELATIVE
#define SIM_R_ABSOLUTE R_AARCH64_ABS64
#elif defined __powerpc64__
#define SIM_R_JUMP_SLOT R_PPC64_JMP_SLOT
#define SIM_R_GLOB_DAT R_PPC64_GLOB_DAT
#define SIM_R_RELATIVE R_PPC64_RELATIVE
#define SIM_R_ABSOLUTE R_PPC64_ADDR64
#else
#error "the simulated driver knows the relocations of x86-64, aarch64 and ppc64"
#endif
