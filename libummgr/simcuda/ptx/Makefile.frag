# The GPU's own code: PTX to C, and what runs it.
libsimdriver_la_SOURCES += simcuda/ptx/abi.h simcuda/ptx/calls.c simcuda/ptx/emit.c \
  simcuda/ptx/engine.h simcuda/ptx/load.c simcuda/ptx/parse.c simcuda/ptx/ptx.h \
  simcuda/ptx/run.c simcuda/ptx/store.c simcuda/ptx/vary.c

# Translated modules begin with abi.h: as a C string.
BUILT_SOURCES += simcuda/ptx/abi-text.h
CLEANFILES += simcuda/ptx/abi-text.h
simcuda/ptx/abi-text.h: $(srcdir)/simcuda/ptx/abi.h
	@$(MKDIR_P) simcuda/ptx
	$(AM_V_GEN)sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $< > $@
