# The program object, for host and accelerator; see record/program.c.  A plain
# object, that every link takes whole and in which lto-wrapper finds the offload
# code.  It becomes part of users' programs: none of the library's flags, no
# sanitizer, and no LTO on the host.
PROGRAM_COMPILE = $(CC) -std=gnu11 -O2 -g0 -fPIC -fno-lto -fopenmp -Wall \
  -Wextra -Wno-unused-parameter -I$(srcdir)
ummgrlib_DATA = ummgr-trace.o
CLEANFILES += ummgr-trace.o
EXTRA_DIST += record/program.c

ummgr-trace.o: $(srcdir)/record/program.c $(srcdir)/record/trace-abi.h
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
