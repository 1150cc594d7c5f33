package import PortolanGeo
package import PortolanRaster
import PortolanServices
package import PortolanWeb

/// One image of a map service: what is asked for, and where it goes on its mosaic.
package struct WMSImage: Hashable, Sendable {
    /// The address.
    package let url: NamedURL
    /// The extent that is asked for.
    package let extent: Extent
    /// The size that is asked for.
    package let requestSize: ImageSize
    let x: Int
    let y: Int
    let size: ImageSize
    let crop: Mosaic.Crop?
}

/// Cuts a request that is larger than a service draws into pieces that it does draw.
struct WMSPieces {
    /// The most pieces a picture is cut into.
    static let maximumCount = 256.0

    let source: WMSSource
    let layers: [Int]
    let isUpper: Bool
    let pixelRatio: Double

    /// How many pieces a picture needs; not a whole number where the sizes are none.
    static func count(width: Double, height: Double, of source: WMSSource) -> Double {
        func along(_ length: Double, _ limit: Int) -> Double {
            length <= Double(limit) ? 1 : (length / Double(limit - 2 * min(source.gutter, limit / 8))).rounded(.up)
        }
        return along(width, source.maximumWidth) * along(height, source.maximumHeight)
    }

    /// The images of an extent that lies at some columns and rows of a mosaic.
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

    /// One request: what it asks for, and what of it is shown where.
    private struct Piece {
        let extent: Extent
        let size: ImageSize
        let columns: Range<Int>
        let rows: Range<Int>
        let shownSize: ImageSize
        let crop: Mosaic.Crop?
    }

    /// The ground that is asked for as a whole, and its place on the mosaic.
    private struct Frame {
        let extent: Extent
        let columns: Range<Int>
        let rows: Range<Int>

        /// Cuts the frame; gutters do not reach beyond its ends.
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

    /// Cuts a range into lengths that are nearly equal, each with a gutter that ends with the range.
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
