# The GPU's own code: PTX to C, and what runs it.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libsimdriver_la_SOURCES += simcuda/ptx/abi.h simcuda/ptx/calls.c simcuda/ptx/emit.c \
  simcuda/ptx/engine.h simcuda/ptx/live.c simcuda/ptx/load.c simcuda/ptx/parse.c simcuda/ptx/ptx.h \
  simcuda/ptx/run.c simcuda/ptx/store.c simcuda/ptx/vary.c

# Translated modules begin with abi.h: as a C string.
BUILT_SOURCES += simcuda/ptx/abi-text.h
CLEANFILES += simcuda/ptx/abi-text.h
simcuda/ptx/abi-text.h: $(srcdir)/simcuda/ptx/abi.h
	@$(MKDIR_P) simcuda/ptx
	$(AM_V_GEN)sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $< > $@

# What is made of the same text changes with any of these.
ptx_translator = $(srcdir)/simcuda/ptx/abi.h $(srcdir)/simcuda/ptx/emit.c $(srcdir)/simcuda/ptx/live.c \
  $(srcdir)/simcuda/ptx/parse.c $(srcdir)/simcuda/ptx/ptx.h $(srcdir)/simcuda/ptx/vary.c
BUILT_SOURCES += simcuda/ptx/translator.h
CLEANFILES += simcuda/ptx/translator.h
simcuda/ptx/translator.h: $(ptx_translator)
	@$(MKDIR_P) simcuda/ptx
	$(AM_V_GEN)cat $(ptx_translator) | cksum | sed 's/ .*/u/; s/^/#define PTX_TRANSLATOR /' > $@

# The modules that programs have in common are translated once, with what is installed; with
# KERNELS=no each user's first run does that.
KERNELS = yes
EXTRA_DIST += simcuda/ptx/prepare.sh simcuda/ptx/sample.c
install-exec-hook: prepare-kernels
.PHONY: prepare-kernels
prepare-kernels: stage
	test '$(KERNELS)' = no || $(SHELL) $(srcdir)/simcuda/ptx/prepare.sh $(abs_builddir)/ummgr \
	  $(srcdir)/simcuda/ptx/sample.c "$(DESTDIR)$(ummgrlibdir)/kernels" $(CC) \
	  `$(SHELL) $(top_srcdir)/bench/offload-flags.sh $(CC) 2>/dev/null`
uninstall-local: uninstall-kernels
.PHONY: uninstall-kernels
uninstall-kernels:
	rm -rf "$(DESTDIR)$(ummgrlibdir)/kernels"
