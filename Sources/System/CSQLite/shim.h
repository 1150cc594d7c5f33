#ifndef PORTOLAN_CSQLITE_SHIM_H
#define PORTOLAN_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
