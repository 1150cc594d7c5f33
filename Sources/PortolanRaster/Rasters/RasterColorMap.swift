/// The colours of the values of one band.
package struct RasterColorMap: Hashable, Sendable {
    /// The meaning of the values of stops.
    package enum Kind: Hashable, Sendable {
        /// Colours change continuously from one stop to the next; the first and the last one hold beyond.
        case ramp
        /// A colour holds for values that are lower than that of its stop, and not lower than that of the one before.
        case intervals
        /// A colour holds for values that are not higher than that of its stop, and higher than that of the one before.
        case classes
        /// A colour holds for exactly the value of its stop.
        case values
    }

    /// A value and its colour.
    package struct Stop: Hashable, Sendable {
        /// The value.
        package var value: Double
        /// The colour.
        package var color: MapColor
        /// The name in a legend, or `nil`.
        package var label: String?

        package init(_ value: Double, _ color: MapColor, label: String? = nil) {
            (self.value, self.color, self.label) = (value, color, label)
        }
    }

    /// The meaning of the values of stops.
    package let kind: Kind
    /// The stops, in ascending order.
    package let stops: [Stop]
    /// The lowest value of the first class, for legends.
    package var lowest: Double?

    package init(_ kind: Kind, _ stops: [Stop], lowest: Double? = nil) {
        self.kind = kind
        self.stops = stops.sorted { $0.value < $1.value }
        self.lowest = lowest
    }

    /// Returns the colour of a value, or `nil` if it has none.
    package func color(of value: Double) -> MapColor? {
        guard value.isFinite, !stops.isEmpty else { return nil }
        let index = firstIndex(notBelow: value)
        switch kind {
        case .values: return index < stops.count && stops[index].value == value ? stops[index].color : nil
        case .classes: return index < stops.count ? stops[index].color : nil
        case .intervals:
            let after = index < stops.count && stops[index].value == value ? index + 1 : index
            return after < stops.count ? stops[after].color : nil
        case .ramp:
            guard index > 0 else { return stops[0].color }
            guard index < stops.count else { return stops[stops.count - 1].color }
            let (before, after) = (stops[index - 1], stops[index])
            let share = (value - before.value) / (after.value - before.value)
            func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
                UInt8(min(max((Double(one) + (Double(other) - Double(one)) * share).rounded(), 0), 255))
            }
            let (one, other) = (before.color, after.color)
            return MapColor(
                red: mix(one.red, other.red), green: mix(one.green, other.green), blue: mix(one.blue, other.blue),
                alpha: mix(one.alpha, other.alpha))
        }
    }

    /// Paints values; pixels without a colour are left as they are.
    func paint(_ values: [Float], into pixels: inout [UInt32]) {
        // Neighbours often have the same value.
        var last = Float.nan, bits: UInt32 = 0
        for index in values.indices {
            let value = values[index]
            guard !value.isNaN else { continue }
            if value != last {
                last = value
                bits = color(of: Double(value)).map { Pixel($0).bits } ?? 0
            }
            pixels[index] = bits
        }
    }

    /// Returns the index of the first stop whose value is not lower.
    private func firstIndex(notBelow value: Double) -> Int {
        var low = 0, high = stops.count
        while low < high {
            let middle = (low + high) / 2
            if stops[middle].value < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
