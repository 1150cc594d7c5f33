package import PortolanGeo

extension Extent {
    /// The extent with sides rounded to fifteen digits, as many as a double can represent reliably.
    ///
    /// Servers and caches compare the text of `BBOX`, which must not contain rounding noise. Fewer digits are
    /// insufficient, since servers draw differently if pixels deviate from squares by a millionth.
    package var roundedForRequest: Extent {
        let largest = max(abs(minX), abs(minY), abs(maxX), abs(maxY))
        var unit = 1.0
        while largest * unit < 1e14, unit < 1e15 { unit *= 10 }
        func round(_ side: Double) -> Double { (side * unit).rounded() / unit }
        return Extent(minX: round(minX), minY: round(minY), maxX: round(maxX), maxY: round(maxY)) ?? self
    }
}
