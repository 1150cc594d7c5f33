package import PortolanGeo
package import PortolanRaster
import PortolanServices
package import PortolanWeb

/// An image of a map service: its request and its position on the mosaic.
package struct WMSImage: Hashable, Sendable {
    /// The address.
    package let url: NamedURL
    /// The requested extent.
    package let extent: Extent
    /// The requested size.
    package let requestSize: ImageSize
    let x: Int
    let y: Int
    let size: ImageSize
    let crop: Mosaic.Crop?
}

/// Splits a request that is too large for a service into pieces.
struct WMSPieces {
    /// The largest number of pieces of a picture.
    static let maximumCount = 256.0

    let source: WMSSource
    let layers: [Int]
    let isUpper: Bool
    let pixelRatio: Double

    /// Returns the number of pieces of a picture; not a whole number if the sizes are invalid.
    static func count(width: Double, height: Double, of source: WMSSource) -> Double {
        func along(_ length: Double, _ limit: Int) -> Double {
            length <= Double(limit) ? 1 : (length / Double(limit - 2 * min(source.gutter, limit / 8))).rounded(.up)
        }
        return along(width, source.maximumWidth) * along(height, source.maximumHeight)
    }

    /// Returns the images of an extent that covers some columns and rows of a mosaic.
    func images(of extent: Extent, columns: Range<Int>, rows: Range<Int>) -> [WMSImage] {
        guard !columns.isEmpty, !rows.isEmpty else { return [] }
        return Frame(extent: extent, columns: columns, rows: rows).pieces(
            width: source.maximumWidth, height: source.maximumHeight, gutter: source.gutter
        ).map(image)
    }

    private func image(of piece: Piece) -> WMSImage {
        WMSImage(
            url: source.url(
                extent: piece.extent, size: piece.size, layers: layers, isUpper: isUpper, pixelRatio: pixelRatio),
            extent: piece.extent, requestSize: piece.size, x: piece.columns.lowerBound, y: piece.rows.lowerBound,
            size: piece.shownSize, crop: piece.crop)
    }

    /// One request: the requested part, and the shown part and its position.
    private struct Piece {
        let extent: Extent
        let size: ImageSize
        let columns: Range<Int>
        let rows: Range<Int>
        let shownSize: ImageSize
        let crop: Mosaic.Crop?
    }

    /// The requested ground extent as a whole, and its position on the mosaic.
    private struct Frame {
        let extent: Extent
        let columns: Range<Int>
        let rows: Range<Int>

        /// Splits the frame; gutters do not extend beyond its ends.
        func pieces(width: Int, height: Int, gutter: Int) -> [Piece] {
            let unitX = extent.width / Double(columns.count), unitY = extent.height / Double(rows.count)
            func x(_ column: Int) -> Double {
                column == columns.upperBound
                    ? extent.maxX : extent.minX + Double(column - columns.lowerBound) * unitX
            }
            func y(_ row: Int) -> Double {
                row == rows.upperBound ? extent.minY : extent.maxY - Double(row - rows.lowerBound) * unitY
            }
            var pieces: [Piece] = []
            for row in WMSPieces.cut(rows, limit: height, gutter: gutter) {
                for column in WMSPieces.cut(columns, limit: width, gutter: gutter) {
                    let asked = Extent(
                        minX: x(column.asked.lowerBound), minY: y(row.asked.upperBound),
                        maxX: x(column.asked.upperBound), maxY: y(row.asked.lowerBound))
                    guard let asked, let size = ImageSize(width: column.asked.count, height: row.asked.count),
                        let shownSize = ImageSize(width: column.shown.count, height: row.shown.count)
                    else { continue }
                    let crop = Mosaic.Crop(
                        x: column.shown.lowerBound - column.asked.lowerBound,
                        y: row.shown.lowerBound - row.asked.lowerBound, imageSize: size)
                    pieces.append(
                        Piece(
                            extent: asked.roundedForRequest, size: size, columns: column.shown, rows: row.shown,
                            shownSize: shownSize, crop: size == shownSize ? nil : crop))
                }
            }
            return pieces
        }
    }

    /// Splits a range into nearly equal lengths, each with a gutter that ends with the range.
    ///
    /// The gutter leaves at least three quarters of a piece.
    private static func cut(
        _ range: Range<Int>, limit: Int, gutter: Int
    ) -> [(shown: Range<Int>, asked: Range<Int>)] {
        if range.count <= limit { return [(range, range)] }
        let gutter = min(gutter, limit / 8), room = limit - 2 * gutter
        let count = (range.count + room - 1) / room
        return (0..<count).map { number in
            let shown =
                range.lowerBound + number * range.count / count..<range.lowerBound + (number + 1) * range.count / count
            return (
                shown,
                max(shown.lowerBound - gutter, range.lowerBound)..<min(shown.upperBound + gutter, range.upperBound)
            )
        }
    }
}
