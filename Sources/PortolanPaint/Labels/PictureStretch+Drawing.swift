import PortolanFeatures
import PortolanRaster

// Pictures of which only some parts are stretched (MapLibre Style Specification, Sprite, `stretchX`, `stretchY` and `content`).
extension PictureStretch {
    /// The box of the whole picture whose content fills a box.
    ///
    /// - Parameter scale: picture pixels a pixel of the sprite, where nothing is stretched.
    func whole(around content: Rectangle, scale: Double, of image: PixelBuffer) -> Rectangle {
        let across = Axis(columns, length: Double(image.width), content: self.content.map { ($0.minX, $0.maxX) })
        let down = Axis(rows, length: Double(image.height), content: self.content.map { ($0.minY, $0.maxY) })
        let (left, right) = across.whole(around: content.minX, content.maxX, scale)
        let (top, bottom) = down.whole(around: content.minY, content.maxY, scale)
        return Rectangle(minX: left, minY: top, maxX: right, maxY: bottom)
    }

    /// The picture drawn in another size, of which some parts are stretched and the others keep theirs; `nil` if it is too large.
    ///
    /// - Parameters:
    ///   - width: picture pixels of the whole.
    ///   - height: picture pixels of the whole.
    ///   - scale: picture pixels a pixel of the sprite, where nothing is stretched.
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

    /// The stretched and the other parts along one side of a picture.
    private struct Axis {
        private let stretched: [Range<Double>]
        private let length: Double
        private let content: (Double, Double)

        init(_ stretched: [Range<Double>], length: Double, content: (Double, Double)?) {
            self.stretched = stretched.isEmpty ? [0..<max(length, 1)] : stretched
            self.length = length
            self.content = content ?? (0, length)
        }

        /// How much of the first pixels is stretched.
        private func stretch(before place: Double) -> Double {
            stretched.reduce(0) { $0 + max(min($1.upperBound, place) - $1.lowerBound, 0) }
        }

        /// The two ends of the whole where the content lies between two others.
        func whole(around low: Double, _ high: Double, _ scale: Double) -> (Double, Double) {
            let before = stretch(before: content.0), within = stretch(before: content.1) - before
            let all = stretch(before: length)
            let fixedBefore = content.0 - before, fixedWithin = content.1 - content.0 - within
            // What the parts that are stretched make up of the content.
            let factor = within > 0 ? max(high - low - fixedWithin * scale, 0) / within : scale
            return (
                low - fixedBefore * scale - before * factor,
                high + (length - content.1 - (all - before - within)) * scale + (all - before - within) * factor
            )
        }

        /// Where each part begins in the picture, and where in one of a length, and the ends of both.
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
    /// The part in some columns and rows, or `nil` if there is none.
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
