# Pictures of the diagnosis: access maps, and its part of an HTML page.  What
# needs libpng stands apart: libummgr doesn't link it.
PICTURE_SOURCES = trace/access-map.h trace/access-map.c \
  trace/access-map-sides.c trace/access-map-rows.c trace/access-map-names.c \
  trace/access-map-svg.c \
  trace/diagnose-html.h trace/diagnose-html.c trace/diagnose-html-object.c
noinst_LTLIBRARIES += libpictures-png.la
libpictures_png_la_SOURCES = trace/access-map-png.c
libpictures_png_la_CFLAGS = $(AM_CFLAGS) $(PNG_CFLAGS)
libpictures_png_la_LIBADD = $(PNG_LIBS)
