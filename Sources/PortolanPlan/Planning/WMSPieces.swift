import PortolanGeo
import PortolanRaster
import PortolanServices

/// Cuts a request that is larger than a service draws into pieces that it does draw.
struct WMSPieces {
    /// The most pieces a picture is cut into.
    static let maximumCount = 256.0

    /// The sizes at which services mostly give up that state no limit.
    private static let usualLimits = [2048, 1024]

    let source: WMSSource
    let layers: [Int]
    let isUpper: Bool
    let pixelRatio: Double

    /// How many pieces a picture needs; not a whole number where the sizes are none.
    static func count(width: Double, height: Double, of source: WMSSource) -> Double {
        func along(_ length: Double, _ limit: Int) -> Double {
            length <= Double(limit) ? 1 : (length / Double(limit - 2 * gutter(of: source, limit: limit))).rounded(.up)
        }
        return along(width, source.maximumWidth) * along(height, source.maximumHeight)
    }

    /// The images of an extent that lies at some columns and rows of a mosaic.
    func images(of extent: Extent, columns: Range<Int>, rows: Range<Int>) -> [ImagePlacement] {
        guard !columns.isEmpty, !rows.isEmpty else { return [] }
        let images = images(
            of: extent, columns: columns, rows: rows, width: source.maximumWidth, height: source.maximumHeight)
        guard images.count == 1, let only = images.first else { return images }
        return [
            ImagePlacement(
                url: only.url, name: only.name, x: only.x, y: only.y, size: only.size,
                fallback: fallback(of: extent, columns: columns, rows: rows))
        ]
    }

    /// What to ask for should the service refuse the whole for its size: only where it states no limit.
    private func fallback(of extent: Extent, columns: Range<Int>, rows: Range<Int>) -> [ImagePlacement] {
        let longest = max(columns.count, rows.count)
        guard source.limits.maxWidth == nil || source.limits.maxHeight == nil,
            let limit = Self.usualLimits.first(where: { $0 < longest })
        else { return [] }
        return images(of: extent, columns: columns, rows: rows, width: limit, height: limit)
    }

    private func images(
        of extent: Extent, columns: Range<Int>, rows: Range<Int>, width: Int, height: Int
    ) -> [ImagePlacement] {
        let across = Self.cut(columns, limit: width, gutter: Self.gutter(of: source, limit: width))
        let down = Self.cut(rows, limit: height, gutter: Self.gutter(of: source, limit: height))
        let unitX = extent.width / Double(columns.count), unitY = extent.height / Double(rows.count)
        var images: [ImagePlacement] = []
        for row in down {
            for column in across {
                let asked = Extent(
                    minX: column.asked.lowerBound == columns.lowerBound
                        ? extent.minX : extent.minX + Double(column.asked.lowerBound - columns.lowerBound) * unitX,
                    minY: row.asked.upperBound == rows.upperBound
                        ? extent.minY : extent.maxY - Double(row.asked.upperBound - rows.lowerBound) * unitY,
                    maxX: column.asked.upperBound == columns.upperBound
                        ? extent.maxX : extent.minX + Double(column.asked.upperBound - columns.lowerBound) * unitX,
                    maxY: row.asked.lowerBound == rows.lowerBound
                        ? extent.maxY : extent.maxY - Double(row.asked.lowerBound - rows.lowerBound) * unitY
                )?.roundedForRequest
                guard let asked, let whole = ImageSize(width: column.asked.count, height: row.asked.count),
                    let size = ImageSize(width: column.shown.count, height: row.shown.count)
                else { continue }
                let crop = ImageCrop(
                    x: column.shown.lowerBound - column.asked.lowerBound,
                    y: row.shown.lowerBound - row.asked.lowerBound, imageSize: whole)
                images.append(
                    ImagePlacement(
                        url: source.url(
                            extent: asked, size: whole, layers: layers, isUpper: isUpper, pixelRatio: pixelRatio),
                        name: asked.description, x: column.shown.lowerBound, y: row.shown.lowerBound, size: size,
                        crop: whole == size ? nil : crop))
            }
        }
        return images
    }

    /// A gutter that leaves at least three quarters of a piece.
    private static func gutter(of source: WMSSource, limit: Int) -> Int { min(source.gutter, limit / 8) }

    /// Cuts a range into parts of nearly one length, each with a gutter towards its neighbours.
    private static func cut(
        _ range: Range<Int>, limit: Int, gutter: Int
    ) -> [(shown: Range<Int>, asked: Range<Int>)] {
        guard range.count > limit else { return [(range, range)] }
        let room = limit - 2 * gutter
        let count = (range.count + room - 1) / room
        return (0..<count).map { part in
            let shown =
                range.lowerBound + part * range.count / count..<range.lowerBound + (part + 1) * range.count / count
            return (
                shown,
                max(shown.lowerBound - gutter, range.lowerBound)..<min(shown.upperBound + gutter, range.upperBound)
            )
        }
    }
}
