// The standard library's rounding and remainder call the C mathematics library, which has to be linked on Linux.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
