# The recorder: traces, and shadow memory, of the running program.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
AM_CPPFLAGS += $(XXHASH_CFLAGS)
noinst_LTLIBRARIES += librecord.la
librecord_la_SOURCES = record/alloc.c record/copy.c record/faults.c record/launch.c record/libgomp.c record/libgomp.h \
  record/loop.c record/loop.h record/modelled.c record/nest.c record/object.c record/phase.c record/place.c \
  record/record.c record/record.h record/recorder.h record/shadow-map.h \
  record/shadow-scan.c record/shadow-scan.h record/shadow.c record/shadow.h \
  record/site.c record/steps.c record/thread.c record/thread.h
libruntime_la_LIBADD += librecord.la

# The program object, for host and accelerator; see record/program.c.  A plain
# object, that every link takes whole and in which lto-wrapper finds the offload
# code.  It becomes part of users' programs: none of the library's flags, no
# sanitizer, and no LTO on the host; nor what Ubuntu's GCC protects by default and
# the offload compiler refuses.
PROGRAM_COMPILE = $(CC) -std=gnu11 -O2 -g0 -fPIC -fno-lto -fopenmp \
  -fcf-protection=none -fno-stack-protector -Wall -Wextra -Wno-unused-parameter -I$(top_srcdir)/include
ummgrtracedir = $(ummgrlibdir)/gcc-$(UMMGR_GCC_MAJOR)
ummgrtrace_DATA = ummgr-trace.o
CLEANFILES += ummgr-trace.o
EXTRA_DIST += record/program.c

ummgr-trace.o: $(srcdir)/record/program.c $(top_srcdir)/include/ummgr-trace-abi.h
if HAVE_OFFLOAD
	$(AM_V_CC)$(PROGRAM_COMPILE) -foffload=nvptx-none -c $< -o $@
else
	$(AM_V_CC)$(PROGRAM_COMPILE) -foffload=disable -c $< -o $@
endif

# Where `ummgr cc' of a build tree looks for it.
noinst_DATA += stage/lib/ummgr/ummgr-trace.o
stage/lib/ummgr/ummgr-trace.o: ummgr-trace.o
	@$(MKDIR_P) stage/lib/ummgr
	@$(LN_S) -f $(abs_builddir)/ummgr-trace.o $@
