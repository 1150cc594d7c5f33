/// The order of the parts of a TIFF file, by which it is a Cloud Optimized GeoTIFF or not (OGC 21-026).
package struct GeoTIFFLayout: Sendable {
    /// An image of the file: the main one, or an overview.
    package struct Level: Sendable {
        package let width: Int, height: Int
        /// The width and height of blocks.
        package let blockWidth: Int, blockHeight: Int
        /// Whether the blocks are tiles, and not strips.
        package let isTiled: Bool
        /// The position of the directory.
        package let directory: UInt64
        /// The place of the first block, or `nil` if all are left out.
        package let firstBlock: Range<UInt64>?
        /// Whether the blocks lie in the order of their rows and columns, as far as they were looked at.
        package let isOrdered: Bool
    }

    /// The images from the finest to the coarsest.
    package let levels: [Level]
    /// The position before which the first directory is at the beginning of the file.
    package let beginning: UInt64
    /// Whether the file declares that the four bytes before each block are its length.
    package let declaresLeaders: Bool
    /// Whether the file declares that it was edited and lost the order that it states.
    package let isEdited: Bool

    /// The width or height from which an image needs tiles and overviews.
    package static let largeSide = 512
}

extension GeoTIFFImage {
    /// The blocks of an image whose order is looked at.
    private static let orderedBlockCount = 512

    /// Returns the order of the parts of the file.
    package func layout(_ parts: TIFFParts) throws(ArchiveError) -> Need<GeoTIFFLayout> {
        do throws(TIFFParts.Stop) {
            let header = try TIFFHeader(parts), start: UInt64 = header.isBig ? 16 : 8
            // GDAL's text: its own length in 43 bytes, and lines.
            let title = Array("GDAL_STRUCTURAL_METADATA_SIZE=".utf8)
            var beginning = start, lines: [Substring] = []
            if parts.byteCount >= start + 43 {
                let text = Array(try parts.bytes(start..<start + 43))
                let digits = String(decoding: text.dropFirst(title.count).prefix { $0 != 0x20 }, as: UTF8.self)
                if text.starts(with: title) {
                    let length = min(UInt64(digits) ?? 0, parts.byteCount - start - 43)
                    let stated = try parts.bytes(start + 43..<start + 43 + min(length, 1 << 12))
                    lines = String(decoding: stated, as: UTF8.self).split { $0.isNewline || $0 == "\0" }
                    beginning += 43 + length
                }
            }
            var levels: [GeoTIFFLayout.Level] = []
            for level in structure.levels where level.reduction == 1 {
                levels.append(try Self.layout(of: level.image, parts))
            }
            return .known(
                GeoTIFFLayout(
                    levels: levels, beginning: beginning + 1,
                    declaresLeaders: lines.contains("BLOCK_LEADER=SIZE_AS_UINT4"),
                    isEdited: lines.contains { $0.starts(with: "KNOWN_INCOMPATIBLE_EDITION=YES") }))
        } catch {
            if case .missing(let range) = error { return .part(range) }
            throw ArchiveError(error, at: place)
        }
    }

    private static func layout(
        of image: TIFFImage, _ parts: TIFFParts
    ) throws(TIFFParts.Stop) -> GeoTIFFLayout.Level {
        var first: Range<UInt64>?, last: UInt64 = 0, isOrdered = true
        for index in 0..<min(image.columnCount * image.rowCount, orderedBlockCount) {
            let place = try image.place(
                column: index % image.columnCount, row: index / image.columnCount, plane: 0, parts)
            guard let place else { continue }
            first = first ?? place
            if place.lowerBound < last { isOrdered = false }
            last = place.lowerBound
        }
        return GeoTIFFLayout.Level(
            width: image.width, height: image.height, blockWidth: image.blockWidth, blockHeight: image.blockHeight,
            isTiled: image.isTiled, directory: image.directory.offset, firstBlock: first, isOrdered: isOrdered)
    }
}

extension GeoTIFFRaster {
    /// Returns the order of the parts of the file.
    package func layout() throws(ArchiveError) -> GeoTIFFLayout {
        while true {
            let image = image
            let need = try file.parts { parts throws(ArchiveError) in try image.layout(parts) }
            switch need {
            case .known(let layout): return layout
            case .part(let range): try file.readPart(range)
            }
        }
    }

    /// Returns the levels whose first block does not have its length before it, which the file declares.
    package func levelsWithoutLeaders(_ layout: GeoTIFFLayout) throws(ArchiveError) -> [Int] {
        guard layout.declaresLeaders else { return [] }
        var levels: [Int] = []
        for (index, level) in layout.levels.enumerated() {
            guard let block = level.firstBlock, block.lowerBound >= 4 else { continue }
            let leader = try file.bytes(at: block.lowerBound - 4..<block.lowerBound)
            if leader.reversed().reduce(0, { $0 << 8 | Int($1) }) != block.count { levels.append(index) }
        }
        return levels
    }
}

extension GeoTIFFImage {
    /// The type of the samples, as GDAL names it.
    package var sampleType: String {
        let image = structure.levels[0].image
        return switch image.format {
        case .unsigned: image.bitsPerSample <= 8 ? "Byte" : "UInt\(image.bitsPerSample)"
        case .signed: "Int\(image.bitsPerSample)"
        case .float: "Float\(image.bitsPerSample)"
        }
    }
    /// The name of the compression.
    package var compression: String { structure.levels[0].image.compression.title }
    /// The value without meaning, or `nil`.
    package var noData: Double? { colors.noData }
    /// Whether the image has a mask.
    package var hasMask: Bool { structure.levels[0].mask != nil }
}
