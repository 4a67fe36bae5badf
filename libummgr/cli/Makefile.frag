# The command.  It links convenience archives only, so that it runs from the
# build tree without libtool's wrapper.
bin_PROGRAMS += ummgr
ummgr_SOURCES = cli/cli.h cli/main.c cli/paths.c cli/probe.c cli/elf.c \
  cli/json.c \
  cli/run.h cli/run.c cli/run-options.c cli/run-machine.c \
  cli/run-environment.c cli/run-files.c cli/run-process.c \
  cli/cc.h cli/cc.c cli/cc-arguments.c cli/info.h cli/info.c \
  cli/info-machine.c cli/report-trace.h \
  cli/report.c cli/report-trace.c cli/replay.h cli/replay.c cli/replay-policies.h \
  cli/replay-policies.c cli/classify.c
ummgr_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS) -DUMMGR_CC='"$(CC)"' \
  -DUMMGR_CXX='"$(CXX)"' -DUMMGR_PLUGIN_DIR='"$(UMMGR_PLUGIN_DIR)"'
ummgr_LDADD = libreplay.la libdiagnose.la libpictures-png.la libpolicy.la libtrace.la \
  libsimmem.la libpaging.la libbase.la $(JANSSON_LIBS) $(HWLOC_LIBS) $(JUDY_LIBS) \
  $(ZSTD_LIBS) $(PNG_LIBS) -lm -ldl
dist_man_MANS += cli/ummgr.1 cli/ummgr-run.1 cli/ummgr-cc.1 \
  cli/ummgr-report.1 cli/ummgr-replay.1 cli/ummgr-classify.1 cli/ummgr-info.1
include cli/tables.frag

# Profiles where an installed tree has them, for running from the build tree.
noinst_DATA = stage/share/ummgr/profiles
stage/share/ummgr/profiles:
	@$(MKDIR_P) stage/share/ummgr
	@$(LN_S) -f $(abs_srcdir)/simcuda/profiles $@
