import PortolanRaster

/// A part of an image, and the blocks that hold it.
struct TIFFWindow {
    /// A block and its place in the file; `nil` if it is left out.
    struct Block: Hashable {
        let column: Int, row: Int, plane: Int
        let place: Range<UInt64>?
    }

    let image: TIFFImage
    /// The pixels of the image.
    let columns: Range<Int>, rows: Range<Int>

    /// Returns the blocks with some samples of the pixels.
    func blocks(samples: [Int], _ parts: TIFFParts) throws(TIFFParts.Stop) -> [Block] {
        var blocks: [Block] = []
        for plane in image.isPlanar ? samples : [0] {
            for row in (rows.lowerBound / image.blockHeight)...((rows.upperBound - 1) / image.blockHeight) {
                for column in (columns.lowerBound / image.blockWidth)...((columns.upperBound - 1) / image.blockWidth) {
                    let place = try image.place(column: column, row: row, plane: plane, parts)
                    blocks.append(Block(column: column, row: row, plane: plane, place: place))
                }
            }
        }
        return blocks
    }

    /// Calls `body` with each row of each block within the window: the columns and the row in the block, and the index of
    /// the first pixel in the window.
    func forEachRow(of block: Block, _ body: (_ columns: Range<Int>, _ row: Int, _ first: Int) -> Void) {
        let left = block.column * image.blockWidth, top = block.row * image.blockHeight
        let inside = columns.clamped(to: left..<left + image.blockWidth)
        for y in rows.clamped(to: top..<top + image.rowCount(ofBlockRow: block.row)) {
            let first = (y - rows.lowerBound) * columns.count + inside.lowerBound - columns.lowerBound
            body((inside.lowerBound - left)..<(inside.upperBound - left), y - top, first)
        }
    }
}
