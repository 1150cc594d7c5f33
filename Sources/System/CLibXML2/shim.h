#include <libxml/xmlversion.h>
/* Where libxml2 is built with ICU its headers include ICU's, which clash with the copy inside Foundation. Only the
   tail of a structure that is never touched here depends on them. */
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
