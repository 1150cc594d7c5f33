#include <Lerc_c_api.h>
