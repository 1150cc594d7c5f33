#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `base` to the power of `exponent`, from the system's mathematics library.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
