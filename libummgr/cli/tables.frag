# `ummgr tables`: the one subcommand that reads ELF.
ummgr_SOURCES += cli/tables.h cli/tables.c cli/tables-read.c \
  cli/tables-use.h cli/tables-use.c cli/tables-flow.h cli/tables-flow.c \
  cli/tables-site.h cli/tables-site.c cli/tables-live.h cli/tables-live.c
ummgr_CPPFLAGS += $(LIBELF_CFLAGS)
ummgr_LDADD += libtables.la libbase.la $(LIBELF_LIBS) -lm
dist_man_MANS += cli/ummgr-tables.1
