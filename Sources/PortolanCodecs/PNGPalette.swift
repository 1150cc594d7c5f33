#if canImport(CPNGShim)
/// A palette of at most 256 colours, and the index of each pixel.
struct PNGPalette {
    /// The colours as straight RGBA, transparent ones first, so that `tRNS` stays short.
    let colors: [UInt32]
    /// The index in `colors` of each pixel.
    let indices: [UInt8]

    private static let limit = 256

    /// Creates the palette of premultiplied pixels.
    init(pixels: [UInt32]) {
        self.init(pixels, Self.distinct(pixels) ?? ColorGroups(pixels).medianCut(count: Self.limit))
    }

    /// Creates the palette of premultiplied pixels, or returns `nil` if they have more colours than it can hold.
    init?(exactly pixels: [UInt32]) {
        guard let groups = Self.distinct(pixels) else { return nil }
        self.init(pixels, groups)
    }

    private init(_ pixels: [UInt32], _ groups: Grouping) {
        // There is always at least one group.
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

    /// Returns the colours of `pixels`, or `nil` if there are more than a palette can hold.
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

    /// Colours, and the index of each premultiplied pixel.
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

/// The colours of a picture, counted in cells of similar ones, to be divided into groups by median cut.
///
/// Source: P. Heckbert, *Colour image quantization for frame buffer display* (1982).
struct ColorGroups {
    /// Five bits of each colour channel and four of alpha.
    private static let cellCount = 1 << 19

    private struct Cell {
        var key: UInt32
        var count: Int
        /// The sums of the straight channels, red to alpha.
        var sums: SIMD4<Int>

        var mean: SIMD4<Int> { sums / count }
    }

    private let cells: [Cell]

    /// Counts the colours of premultiplied pixels.
    init(_ pixels: [UInt32]) {
        var places = [Int32](repeating: -1, count: Self.cellCount)
        var cells: [Cell] = []
        for pixel in pixels {
            let straight = Premultiplication.straight(pixel), key = Self.key(straight)
            let channels = SIMD4<Int>(
                Int(straight & 255), Int(straight &>> 8 & 255), Int(straight &>> 16 & 255), Int(straight &>> 24))
            let place = Int(places[Int(key)])
            if place >= 0 {
                cells[place].count += 1
                cells[place].sums &+= channels
            } else {
                places[Int(key)] = Int32(cells.count)
                cells.append(Cell(key: key, count: 1, sums: channels))
            }
        }
        self.cells = cells
    }

    private static func key(_ straight: UInt32) -> UInt32 {
        (straight &>> 3 & 31) | (straight &>> 11 & 31) &<< 5 | (straight &>> 19 & 31) &<< 10 | (straight &>> 28) &<< 15
    }

    /// Returns at most `count` groups by repeatedly dividing the widest one at its median.
    func medianCut(count: Int) -> PNGPalette.Grouping {
        var groups = [cells[...]]
        while groups.count < count {
            let spreads = groups.map(Self.spread)
            guard let widest = spreads.indices.max(by: { spreads[$0].weight < spreads[$1].weight }),
                spreads[widest].weight > 0
            else { break }
            let axis = spreads[widest].axis
            let sorted = groups[widest].sorted { ($0.mean[axis], $0.key) < ($1.mean[axis], $1.key) }
            let half = sorted.reduce(0) { $0 + $1.count } / 2
            var cut = 1, sum = sorted[0].count
            while cut < sorted.count - 1, sum < half {
                sum += sorted[cut].count
                cut += 1
            }
            groups[widest] = sorted[..<cut]
            groups.append(sorted[cut...])
        }
        var groupOfCell = [UInt8](repeating: 0, count: Self.cellCount)
        let colors = groups.enumerated().map { number, group in
            var total = 0, sums = SIMD4<Int>()
            for cell in group {
                groupOfCell[Int(cell.key)] = UInt8(number)
                total += cell.count
                sums &+= cell.sums
            }
            let mean = (sums &+ total / 2) / total
            return UInt32(mean.x) | UInt32(mean.y) &<< 8 | UInt32(mean.z) &<< 16 | UInt32(mean.w) &<< 24
        }
        return PNGPalette.Grouping(colors: colors) { pixel in
            Int(groupOfCell[Int(Self.key(Premultiplication.straight(pixel)))])
        }
    }

    /// Returns the channel with the largest range in a group, and the weight of dividing it there.
    private static func spread(_ group: ArraySlice<Cell>) -> (axis: Int, weight: Int) {
        guard group.count > 1, let first = group.first else { return (0, 0) }
        var low = first.mean, high = low, count = 0
        for cell in group {
            low = pointwiseMin(low, cell.mean)
            high = pointwiseMax(high, cell.mean)
            count += cell.count
        }
        let widths = high &- low
        let axis = (0..<4).max { widths[$0] < widths[$1] } ?? 0
        return (axis, widths[axis] * widths[axis] * count)
    }
}
#endif
