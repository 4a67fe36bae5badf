# Pictures of the diagnosis: access maps, and its part of an HTML page.  What
# needs libpng stands apart: libummgr doesn't link it.
PICTURE_SOURCES = diagnose/map.h diagnose/map.c \
  diagnose/map-sides.c diagnose/map-rows.c diagnose/map-names.c \
  diagnose/map-svg.c \
  diagnose/html.h diagnose/html.c diagnose/html-object.c
noinst_LTLIBRARIES += libpictures-png.la
libpictures_png_la_SOURCES = diagnose/map-png.c
libpictures_png_la_CFLAGS = $(AM_CFLAGS) $(PNG_CFLAGS)
libpictures_png_la_LIBADD = $(PNG_LIBS)
