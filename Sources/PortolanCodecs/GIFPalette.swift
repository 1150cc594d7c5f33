/// The colours of a picture with the numbers of their pixels, the most frequent first.
struct GIFColors {
    /// The colours as packed RGB, and the numbers of their pixels.
    private(set) var all: [(color: UInt32, count: Int)] = []
    /// The total number of pixels.
    private(set) var pixelCount = 0

    /// Counts the colours of opaque pixels.
    init(_ pixels: [UInt32]) {
        var counts: [UInt32: Int] = [:], color: UInt32 = 0, run = 0
        for pixel in pixels where pixel >= 0xff00_0000 {
            // Neighbouring pixels of a map often have one colour.
            if pixel & 0xFF_FFFF != color {
                if run > 0 { counts[color, default: 0] += run }
                (color, run) = (pixel & 0xFF_FFFF, 0)
            }
            run += 1
        }
        if run > 0 { counts[color, default: 0] += run }
        // The order of a dictionary differs between runs.
        all = counts.map { ($0.key, $0.value) }.sorted { ($1.count, $0.color) < ($0.count, $1.color) }
        pixelCount = all.reduce(0) { $0 + $1.count }
    }
}

/// A palette of up to 255 colours and transparency.
struct GIFPalette {
    /// The index of transparent pixels.
    static let transparentIndex: UInt8 = 0
    private static let most = 255
    /// The share of pixels from which a colour is exact, and the largest number of such colours.
    private static let frequentShare = 1.0 / 1024, mostFrequent = 160

    /// The colours as packed RGB; the first one stands for transparency.
    private let colors: [UInt32]
    private let exact: [UInt32: UInt8]

    /// Creates the palette for the colours of a picture.
    init(_ given: GIFColors) {
        var colors: [UInt32] = [0]
        if given.all.count <= Self.most {
            colors += given.all.map(\.color)
        } else {
            let least = max(Int(Double(given.pixelCount) * Self.frequentShare), 1)
            let frequent = given.all.prefix(Self.mostFrequent).prefix { $0.count >= least }
            colors += frequent.map(\.color)
            colors += MedianCut.colors(of: given.all.dropFirst(frequent.count), most: Self.most - frequent.count)
        }
        self.colors = colors
        var exact: [UInt32: UInt8] = [:]
        for (index, color) in colors.enumerated().dropFirst() where exact[color] == nil {
            exact[color] = UInt8(index)
        }
        self.exact = exact
    }

    /// The number of bits of an index.
    var codeSize: Int { max(bits, 2) }

    private var bits: Int {
        var bits = 1
        while 1 << bits < colors.count { bits += 1 }
        return bits
    }

    /// The size of the table in the form of a descriptor.
    var sizeField: UInt8 { UInt8(bits - 1) }

    /// The table of colours as bytes, red first.
    var table: [UInt8] {
        let padded = colors + Array(repeating: 0, count: (1 << bits) - colors.count)
        return padded.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255)] }
    }

    /// Returns the largest difference of a channel between colours and their nearest ones in the palette.
    func error(of given: GIFColors) -> Int {
        given.all.reduce(0) { error, entry in
            exact[entry.color] != nil
                ? error : max(error, Self.largestDifference(entry.color, colors[Int(nearest(to: entry.color))]))
        }
    }

    /// Returns the indexes of pixels.
    func indexes(of pixels: [UInt32], _ given: GIFColors) -> [UInt8] {
        var known = exact
        for entry in given.all where known[entry.color] == nil { known[entry.color] = nearest(to: entry.color) }
        var last: (pixel: UInt32, index: UInt8) = (0, Self.transparentIndex)
        return pixels.map { pixel in
            if pixel != last.pixel {
                last = (pixel, pixel < 0xff00_0000 ? Self.transparentIndex : known[pixel & 0xFF_FFFF] ?? 0)
            }
            return last.index
        }
    }

    private func nearest(to color: UInt32) -> UInt8 {
        var best = Int.max, found = 1
        let span = colors.span
        for index in 1..<span.count {
            let distance = Self.distance(color, span[index])
            if distance < best { (best, found) = (distance, index) }
        }
        return UInt8(found)
    }

    private static func distance(_ one: UInt32, _ other: UInt32) -> Int {
        let red = Int(one & 255) - Int(other & 255), green = Int(one >> 8 & 255) - Int(other >> 8 & 255)
        let blue = Int(one >> 16 & 255) - Int(other >> 16 & 255)
        return 2 * red * red + 4 * green * green + 3 * blue * blue
    }

    private static func largestDifference(_ one: UInt32, _ other: UInt32) -> Int {
        func difference(_ shift: UInt32) -> Int { abs(Int(one >> shift & 255) - Int(other >> shift & 255)) }
        return max(difference(0), difference(8), difference(16))
    }
}

/// The median cut of colours: boxes in the colour cube, split until there are enough.
///
/// Source: P. Heckbert, Color image quantization for frame buffer display, SIGGRAPH 1982.
enum MedianCut {
    private struct Box {
        var entries: [(color: UInt32, count: Int)]
        let shift: UInt32
        /// The spread of the widest channel, weighted by the pixels.
        let priority: Double

        init(_ entries: [(color: UInt32, count: Int)]) {
            self.entries = entries
            var best = (shift: UInt32(0), spread: 0)
            for shift: UInt32 in [0, 8, 16] {
                var low = 255, high = 0
                for entry in entries {
                    let value = Int(entry.color >> shift & 255)
                    low = min(low, value)
                    high = max(high, value)
                }
                if high - low > best.spread { best = (shift, high - low) }
            }
            shift = best.shift
            let count = entries.reduce(0) { $0 + $1.count }
            priority = best.spread == 0 ? 0 : Double(best.spread) * Double(count).squareRoot()
        }

        /// The mean colour.
        var mean: UInt32 {
            let total = max(entries.reduce(0) { $0 + $1.count }, 1)
            return [0, 8, 16].reduce(UInt32(0)) { color, shift in
                let sum = entries.reduce(0) { $0 + Int($1.color >> UInt32(shift) & 255) * $1.count }
                return color | UInt32((sum + total / 2) / total) << UInt32(shift)
            }
        }

        /// The two halves of the pixels along the widest channel.
        var halves: (Box, Box) {
            let sorted = entries.sorted { one, other in
                (one.color >> shift & 255, one.color) < (other.color >> shift & 255, other.color)
            }
            let half = sorted.reduce(0) { $0 + $1.count } / 2
            var sum = 0, cut = 1
            for (index, entry) in sorted.enumerated() {
                sum += entry.count
                if sum >= half {
                    cut = min(max(index + 1, 1), sorted.count - 1)
                    break
                }
            }
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }
    }

    /// Returns up to `most` colours that stand for the given ones.
    static func colors(of entries: ArraySlice<(color: UInt32, count: Int)>, most: Int) -> [UInt32] {
        guard most > 0, !entries.isEmpty else { return [] }
        var boxes = [Box(Array(entries))]
        while boxes.count < most {
            guard let index = boxes.indices.max(by: { boxes[$0].priority < boxes[$1].priority }),
                boxes[index].priority > 0
            else { break }
            let (one, other) = boxes[index].halves
            boxes[index] = one
            boxes.append(other)
        }
        return boxes.map(\.mean)
    }
}
