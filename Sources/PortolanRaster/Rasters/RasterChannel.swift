#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A band and the brightness of its values.
package struct RasterChannel: Hashable, Sendable {
    /// The way from values to brightness.
    package enum Stretch: Hashable, Sendable {
        /// From black at a value to white at another one.
        case linear(from: Double, to: Double)
        /// By the share of values that are lower; the values are quantiles in ascending order.
        case equalized([Float])
    }

    /// The number of the band, the first one is 1.
    package var band: Int
    /// The way from values to brightness.
    package var stretch: Stretch
    /// The exponent of the brightness is the reciprocal: more than 1 makes the middle brighter.
    package var gamma: Double

    package init(band: Int, stretch: Stretch, gamma: Double = 1) {
        (self.band, self.stretch, self.gamma) = (band, stretch, gamma)
    }

    /// Returns the brightness of values, 0 without data.
    func levels(of values: [Float]) -> [UInt8] {
        // The powers of 4096 levels of brightness; in between, a byte does not show a difference.
        let exponent = 1 / gamma
        var table: [UInt8]?
        if gamma != 1 {
            table = (0...4096).map { (step: Int) -> UInt8 in
                let power: Double = pow(Double(step) / 4096, exponent)
                return UInt8(min(max((power * 255).rounded(), 0), 255))
            }
        }
        func byte(_ share: Float) -> UInt8 {
            let share = share > 0 ? min(share, 1) : 0
            if let table { return table[Int((share * 4096).rounded())] }
            return UInt8((share * 255).rounded())
        }
        switch stretch {
        case .linear(let low, let high):
            let scale = high != low ? 1 / (high - low) : 0
            return values.map { $0.isNaN ? 0 : byte(Float((Double($0) - low) * scale)) }
        case .equalized(let quantiles):
            let last = Float(max(quantiles.count - 1, 1))
            return values.map { value in
                guard !value.isNaN, let first = quantiles.first, value > first else { return 0 }
                var low = 0, high = quantiles.count
                while low < high {
                    let middle = (low + high) / 2
                    if quantiles[middle] < value { low = middle + 1 } else { high = middle }
                }
                guard low < quantiles.count else { return byte(1) }
                let before = quantiles[low - 1], span = quantiles[low] - before
                return byte((Float(low - 1) + (span > 0 ? (value - before) / span : 1)) / last)
            }
        }
    }
}
