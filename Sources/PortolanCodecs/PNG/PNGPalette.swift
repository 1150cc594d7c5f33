#if canImport(CDeflate)
/// At most 256 colours that stand for those of a picture, and which of them each pixel has.
struct PNGPalette {
    /// The colours, straight RGBA, those that are not opaque first, so that `tRNS` stays short.
    let colors: [UInt32]
    /// The place in `colors` of each pixel.
    let indices: [UInt8]

    private static let limit = 256

    /// Makes the palette of premultiplied pixels.
    init(pixels: [UInt32]) {
        let exact = Self.distinct(pixels)
        let groups = exact ?? ColorGroups(pixels).medianCut(count: Self.limit)
        // A picture of one colour has one group; there is never none.
        let order = groups.colors.indices.sorted { one, other in
            let a = groups.colors[one], b = groups.colors[other]
            return (a &>> 24 == 255 ? 1 : 0, a) < (b &>> 24 == 255 ? 1 : 0, b)
        }
        var places = [UInt8](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() { places[index] = UInt8(place) }
        colors = order.map { groups.colors[$0] }
        var indices = [UInt8](repeating: 0, count: pixels.count)
        for (pixel, value) in pixels.enumerated() { indices[pixel] = places[groups.group(of: value)] }
        self.indices = indices
    }

    /// The colours of `pixels`, or `nil` when there are more than a palette holds.
    private static func distinct(_ pixels: [UInt32]) -> Grouping? {
        var known: [UInt32: Int] = [:]
        var colors: [UInt32] = []
        var last: UInt32?
        for pixel in pixels where pixel != last {
            last = pixel
            guard known[pixel] == nil else { continue }
            guard colors.count < limit else { return nil }
            known[pixel] = colors.count
            colors.append(Premultiplication.straight(pixel))
        }
        return Grouping(colors: colors) { known[$0] ?? 0 }
    }

    /// Colours, and which of them a premultiplied pixel has.
    struct Grouping {
        let colors: [UInt32]
        let group: (UInt32) -> Int

        init(colors: [UInt32], group: @escaping (UInt32) -> Int) {
            self.colors = colors
            self.group = group
        }

        func group(of pixel: UInt32) -> Int { group(pixel) }
    }
}
#endif
