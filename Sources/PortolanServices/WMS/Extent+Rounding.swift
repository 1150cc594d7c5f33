package import PortolanGeo

extension Extent {
    /// The extent with sides of fifteen digits, as many as a binary fraction holds for sure.
    ///
    /// Servers and caches compare the text of a `BBOX`; the noise of binary fractions must not be in it. Fewer digits would
    /// not do: servers draw differently where pixels are not square by a millionth.
    package var roundedForRequest: Extent {
        let largest = max(abs(minX), abs(minY), abs(maxX), abs(maxY))
        var unit = 1.0
        while largest * unit < 1e14, unit < 1e15 { unit *= 10 }
        func round(_ side: Double) -> Double { (side * unit).rounded() / unit }
        return Extent(minX: round(minX), minY: round(minY), maxX: round(maxX), maxY: round(maxY)) ?? self
    }
}
