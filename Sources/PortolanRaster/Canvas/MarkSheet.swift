/// A mark painted at each sixteenth, or each quarter, of a pixel in x and y.
///
/// Pixels are accessed by pointer. Memory safety: of each picture, only those of its `height` rows and `width` columns
/// are read that are within the rows and columns of the painted picture.
struct MarkSheet: Sendable {
    /// The maximum extent of a mark in pixels, times the number of phases per pixel, so that the memory is constant.
    private static let longestReach = 256.0

    /// The number of phases per pixel in each direction, as a power of two.
    private let phaseBits: Int
    /// The rows of all pictures, concatenated.
    private let pixels: [UInt32]
    /// The width of a picture, a multiple of four, and its height.
    private let width: Int
    let height: Int
    /// The offset from the pixel of the mark's point to the picture's first pixel.
    private let left: Int
    private let top: Int

    /// The maximum vertical distance of painted pixels from the mark's point.
    var reach: Double { Double(height) + 1 }

    /// The memory of the pictures in bytes.
    var byteCount: Int { pixels.count * 4 }

    /// Paints the pictures, or returns `nil` for a mark that is too large or paints nothing.
    init?(_ mark: Mark, phaseBits: Int) {
        let boxes = mark.parts.compactMap(\.bounds)
        guard var box = boxes.first else { return nil }
        for other in boxes.dropFirst() {
            box.include(Point(x: other.minX, y: other.minY))
            box.include(Point(x: other.maxX, y: other.maxY))
        }
        let phases = 1 << phaseBits, reach = Self.longestReach / Double(phases)
        self.phaseBits = phaseBits
        guard box.minX >= -reach, box.minY >= -reach, box.maxX <= reach, box.maxY <= reach else { return nil }
        left = Int(box.minX.rounded(.down))
        top = Int(box.minY.rounded(.down))
        // One more for the subpixel shift.
        width = (Int(box.maxX.rounded(.up)) - left + 1 + 3) & ~3
        height = Int(box.maxY.rounded(.up)) - top + 1
        guard let size = ImageSize(width: width, height: height) else { return nil }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.pixelCount * phases * phases)
        for row in 0..<phases {
            for column in 0..<phases {
                var canvas = Canvas(size: size)
                let place = Point(
                    x: Double(-left) + Double(column) / Double(phases),
                    y: Double(-top) + Double(row) / Double(phases))
                mark.paint(at: place, on: &canvas)
                pixels += canvas.buffer.pixels
            }
        }
        self.pixels = pixels
    }

    /// The position of a picture.
    struct Spot {
        /// The offset of the picture in the sheet.
        let source: Int
        let column: Int
        let row: Int
    }

    /// Computes where the mark of each point is visible on a range of rows.
    func locate(_ places: ArraySlice<Point>, on rows: PixelRows, into spots: inout [Spot]) {
        spots.removeAll(keepingCapacity: true)
        // Far enough above 0 that the conversion rounds down.
        let far = 80, phaseBits = phaseBits, phases = 1 << phaseBits
        let scale = Double(phases), offset = Double(far << phaseBits) + 0.5, low = -Double(far)
        let width = Double(rows.size.width + far), height = Double(rows.size.height + far)
        for place in places where place.x > low && place.x < width && place.y > low && place.y < height {
            let x = Int(place.x * scale + offset), y = Int(place.y * scale + offset)
            let row = y >> phaseBits - far + top, column = x >> phaseBits - far + left
            guard row < rows.range.upperBound, row + self.height > rows.range.lowerBound, column < rows.size.width,
                column + self.width > 0
            else { continue }
            let phase = (y & (phases - 1)) << phaseBits + x & (phases - 1)
            spots.append(Spot(source: phase * self.width * self.height, column: column, row: row))
        }
    }

    /// Draws the picture of a spot on a range of rows.
    func draw(_ spot: Spot, on rows: PixelRows) {
        let range = (spot.row..<spot.row + height).clamped(to: rows.range)
        let first = max(spot.column, 0), end = min(spot.column + width, rows.size.width)
        unsafe pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            var source = unsafe start + (spot.source + (range.lowerBound - spot.row) * width + first - spot.column)
            for row in range {
                unsafe PixelRow.blend(source, over: rows.row(row) + first, end - first)
                unsafe source += width
            }
        }
    }
}

extension RowPainter {
    /// The number of marks to prefetch ahead.
    private static let lookahead = 6
    /// The number of marks located at a time, so that their positions stay in the processor's cache.
    private static let marksAtATime = 4096

    /// Draws a mark at many points.
    mutating func draw(_ sheet: MarkSheet, at places: [Point], on rows: PixelRows) {
        for first in stride(from: 0, to: places.count, by: Self.marksAtATime) {
            sheet.locate(places[first..<min(first + Self.marksAtATime, places.count)], on: rows, into: &spots)
            for index in spots.indices {
                if index + Self.lookahead < spots.count {
                    let next = spots[index + Self.lookahead]
                    rows.prefetch(next.row..<next.row + sheet.height, column: max(next.column, 0))
                }
                sheet.draw(spots[index], on: rows)
            }
        }
    }
}
