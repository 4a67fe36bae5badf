# Source files as text.
noinst_LTLIBRARIES += libsource.la
libsource_la_SOURCES = source/source.h source/source.c source/directive.c source/loop.c source/diff.c
