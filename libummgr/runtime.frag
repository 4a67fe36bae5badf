# libummgr.so and the shim in front of libgomp's nvptx plugin.
include policy/Makefile.frag
include gomp/Makefile.frag
include tables.frag

noinst_LTLIBRARIES += libpolicy.la libruntime.la
libpolicy_la_SOURCES = $(POLICY_SOURCES)
libruntime_la_SOURCES = $(RUNTIME_SOURCES)
