# The command.  It links convenience archives only, so that it runs from the
# build tree without libtool's wrapper.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
bin_PROGRAMS += ummgr
ummgr_SOURCES = cli/advise-place.c cli/advise-runs.c cli/advise.c cli/advise.h cli/apart.c cli/calibrate.c cli/cc-arguments.c cli/cc.c cli/cc.h cli/classify.c cli/cli.h cli/commands.c cli/completion-bash.c cli/completion-fish.c \
  cli/completion-zsh.c cli/completion.c cli/completion.h cli/diff.c cli/elf.c cli/help.c \
  cli/info-machine.c cli/info-topology.c cli/info-topology-svg.c cli/info-topology-text.c cli/info.c cli/info.h cli/json.c cli/list.c cli/main.c cli/options-check.c cli/options.c cli/options.h cli/paths.c \
  cli/probe.c cli/recorded.c cli/recorded.h cli/remedies.c cli/remedies.h cli/replay-policies.c cli/replay.c cli/replay.h cli/report-trace.c \
  cli/report-trace.h cli/report.c cli/run-advise.c cli/run-apply.c cli/run-default.c cli/run-environment.c cli/run-files.c \
  cli/run-machine.c cli/run-options.c cli/run-process.c cli/run-ranks.c cli/run.c cli/run.h \
  cli/tables-flow.c cli/tables-live.c cli/tables-read.c cli/tables-site.c cli/tables-share.c cli/tables-split.c \
  cli/tables-use.c cli/tables.c cli/tables.h cli/top.c \
  cli/wrappers.c
# What `ummgr cc' becomes: make RUN_CC=/usr/bin/gcc where CC is there for the build alone.
RUN_CC = $(CC)
RUN_CXX = $(CXX)
ummgr_CPPFLAGS = $(AM_CPPFLAGS) $(LIBELF_CFLAGS) -DUMMGR_CC='"$(RUN_CC)"' \
  -DUMMGR_CXX='"$(RUN_CXX)"' -DUMMGR_PLUGIN_DIR='"$(UMMGR_PLUGIN_DIR)"'
ummgr_LDADD = libcalibrate.la libadvise.la libsource.la libreplay.la libdiagnose.la libpictures-png.la libpolicy.la libreport.la libtrace.la \
  libtables.la libtopology.la libdevice.la libprofile.la libuvm.la libpaging.la libbase.la $(JANSSON_LIBS) \
  $(JUDY_LIBS) $(ZSTD_LIBS) $(PNG_LIBS) $(LIBELF_LIBS) $(GLPK_LIBS) -lm -ldl
dist_man_MANS += cli/ummgr-advise.1 cli/ummgr-calibrate.1 cli/ummgr-cc.1 cli/ummgr-classify.1 cli/ummgr-completion.1 cli/ummgr-diff.1 cli/ummgr-help.1 cli/ummgr-info.1 cli/ummgr-replay.1 \
  cli/ummgr-report.1 cli/ummgr-run.1 cli/ummgr-tables.1 cli/ummgr-top.1 cli/ummgr.1 cli/ummgr-tutorial.7

# The command by names of compilers, which build systems take where they don't take two words.
wrappers = ummgr-gcc ummgr-g++ ummgr-gfortran ummgr-gcc-ar ummgr-gcc-nm ummgr-gcc-ranlib
noinst_DATA += $(wrappers)
CLEANFILES += $(wrappers)
$(wrappers): ummgr$(EXEEXT)
	$(AM_V_GEN)$(LN_S) -f ummgr$(EXEEXT) $@
install-exec-hook: install-wrappers
.PHONY: install-wrappers uninstall-wrappers
install-wrappers:
	@cd "$(DESTDIR)$(bindir)" && for name in $(wrappers); do $(LN_S) -f ummgr$(EXEEXT) $$name || exit 1; done
uninstall-local: uninstall-wrappers
uninstall-wrappers:
	@for name in $(wrappers); do rm -f "$(DESTDIR)$(bindir)/$$name"; done

# Their manual is that of `ummgr cc'.
same_manual = $(wrappers) ummgr-c++
install-data-hook: install-same-manual
.PHONY: install-same-manual uninstall-same-manual
install-same-manual:
	@cd "$(DESTDIR)$(man1dir)" && for name in $(same_manual); do $(LN_S) -f ummgr-cc.1 $$name.1 || exit 1; done
uninstall-local: uninstall-same-manual
uninstall-same-manual:
	@for name in $(same_manual); do rm -f "$(DESTDIR)$(man1dir)/$$name.1"; done

# Profiles where an installed tree has them, for running from the build tree.
noinst_DATA += stage/share/ummgr/profiles
stage/share/ummgr/profiles:
	@$(MKDIR_P) stage/share/ummgr
	@$(LN_S) -f $(abs_srcdir)/simcuda/profiles $@

# And manual pages, for `ummgr help'.
noinst_DATA += stage/share/man/man1
stage/share/man/man1:
	@$(MKDIR_P) stage/share/man
	@$(LN_S) -f $(abs_srcdir)/cli $@

# The command itself knows what its words are completed by.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
bashcompletion_DATA = completion/bash/ummgr
zshcompletion_DATA = completion/zsh/_ummgr
fishcompletion_DATA = completion/fish/ummgr.fish
CLEANFILES += $(bashcompletion_DATA) $(zshcompletion_DATA) $(fishcompletion_DATA)
$(bashcompletion_DATA) $(zshcompletion_DATA) $(fishcompletion_DATA): ummgr$(EXEEXT)
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)./ummgr$(EXEEXT) completion `echo $@ | cut -d/ -f2` > $@.new && mv $@.new $@
