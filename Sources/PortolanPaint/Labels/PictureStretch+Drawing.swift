import PortolanFeatures
import PortolanRaster

// Partially stretched pictures (MapLibre Style Specification, Sprite, `stretchX`, `stretchY` and `content`).
extension PictureStretch {
    /// Returns the box of the whole picture whose content fills a box.
    ///
    /// - Parameter scale: picture pixels per sprite pixel in parts that are not stretched.
    func whole(around content: Rectangle, scale: Double, of image: PixelBuffer) -> Rectangle {
        let across = Axis(columns, length: Double(image.width), content: self.content.map { ($0.minX, $0.maxX) })
        let down = Axis(rows, length: Double(image.height), content: self.content.map { ($0.minY, $0.maxY) })
        let (left, right) = across.whole(around: content.minX, content.maxX, scale)
        let (top, bottom) = down.whole(around: content.minY, content.maxY, scale)
        return Rectangle(minX: left, minY: top, maxX: right, maxY: bottom)
    }

    /// Returns the picture at another size, with some parts stretched and the others at their own size, or `nil` if it
    /// is too large.
    ///
    /// - Parameters:
    ///   - width: the total width in picture pixels.
    ///   - height: the total height in picture pixels.
    ///   - scale: picture pixels per sprite pixel in parts that are not stretched.
    func drawn(_ image: PixelBuffer, width: Double, height: Double, scale: Double) -> PixelBuffer? {
        guard let size = ImageSize(width: Int(width.rounded()), height: Int(height.rounded())) else { return nil }
        let across = Axis(columns, length: Double(image.width), content: nil).cuts(over: size.width, scale)
        let down = Axis(rows, length: Double(image.height), content: nil).cuts(over: size.height, scale)
        var canvas = Canvas(size: size)
        for (row, nextRow) in zip(down, down.dropFirst()) {
            for (column, nextColumn) in zip(across, across.dropFirst()) {
                guard let part = image.part(columns: column.from..<nextColumn.from, rows: row.from..<nextRow.from),
                    let own = ImageSize(width: nextColumn.to - column.to, height: nextRow.to - row.to)
                else { continue }
                var cell = Canvas(size: own)
                cell.draw(
                    part,
                    transform: .scale(
                        x: Double(own.width) / Double(part.width), y: Double(own.height) / Double(part.height)))
                canvas.copy(cell.buffer, atX: column.to, y: row.to)
            }
        }
        return canvas.buffer
    }

    /// The stretched and the fixed parts along one axis of a picture.
    private struct Axis {
        private let stretched: [Range<Double>]
        private let length: Double
        private let content: (Double, Double)

        init(_ stretched: [Range<Double>], length: Double, content: (Double, Double)?) {
            self.stretched = stretched.isEmpty ? [0..<max(length, 1)] : stretched
            self.length = length
            self.content = content ?? (0, length)
        }

        /// The stretched length before a position.
        private func stretch(before place: Double) -> Double {
            stretched.reduce(0) { $0 + max(min($1.upperBound, place) - $1.lowerBound, 0) }
        }

        /// Returns both ends of the whole if the content is between two positions.
        func whole(around low: Double, _ high: Double, _ scale: Double) -> (Double, Double) {
            let before = stretch(before: content.0), within = stretch(before: content.1) - before
            let all = stretch(before: length)
            let fixedBefore = content.0 - before, fixedWithin = content.1 - content.0 - within
            // The scale of the stretched parts within the content.
            let factor = within > 0 ? max(high - low - fixedWithin * scale, 0) / within : scale
            return (
                low - fixedBefore * scale - before * factor,
                high + (length - content.1 - (all - before - within)) * scale + (all - before - within) * factor
            )
        }

        /// Returns the beginning of each part in the picture and in the result of some length, and both ends.
        func cuts(over whole: Int, _ scale: Double) -> [(from: Int, to: Int)] {
            let all = stretch(before: length)
            let factor = all > 0 ? max(Double(whole) - (length - all) * scale, 0) / all : scale
            let places = Set(stretched.flatMap { [$0.lowerBound, $0.upperBound] } + [0, length]).sorted()
            return places.filter { $0 >= 0 && $0 <= length }.map { place in
                let own = stretch(before: place)
                let to = place >= length ? whole : Int((own * factor + (place - own) * scale).rounded())
                return (Int(place.rounded()), min(max(to, 0), whole))
            }
        }
    }
}

extension PixelBuffer {
    /// The part in some columns and rows, or `nil` if it is empty.
    fileprivate func part(columns: Range<Int>, rows: Range<Int>) -> PixelBuffer? {
        guard columns.lowerBound >= 0, columns.upperBound <= width, rows.lowerBound >= 0, rows.upperBound <= height,
            let size = ImageSize(width: columns.count, height: rows.count)
        else { return nil }
        var part: [UInt32] = []
        part.reserveCapacity(size.pixelCount)
        for row in rows { part += pixels[row * width + columns.lowerBound..<row * width + columns.upperBound] }
        return PixelBuffer(size: size, pixels: part)
    }
}
