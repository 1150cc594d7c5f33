#include <ft2build.h>
#include <freetype/freetype.h>
#include <freetype/ftoutln.h>
#include <freetype/ftcolor.h>
#include <freetype/ftcid.h>
