import PortolanArchives
import PortolanGeo
import PortolanRaster

extension FuzzKind {
    /// GeoTIFFs, of which the reader asks for parts, in all compressions.
    static let geoTIFF = FuzzKind(
        name: "geotiff", grammar: .words, corpus: ["Tests/PortolanArchivesTests/Fixtures/geotiff/*.tif"],
        memory: Bound(any: 256 << 20, each: 400), time: Bound(any: 4_000_000_000, each: 40_000), read: readGeoTIFF)

    private static func readGeoTIFF(_ bytes: [UInt8]) throws -> Outcome {
        var parts = TIFFParts(byteCount: UInt64(bytes.count)), words = ""
        /// Returns an answer, after adding the parts that it needs.
        func known<Value>(
            _ ask: (TIFFParts) throws(ArchiveError) -> GeoTIFFImage.Need<Value>
        ) throws -> Value {
            for _ in 0..<4096 {
                switch try ask(parts) {
                case .known(let value): return value
                case .part(let range):
                    guard range.upperBound <= UInt64(bytes.count), !range.isEmpty else {
                        throw Violation("a part beyond the file: \(range)")
                    }
                    parts.add(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]), at: range.lowerBound)
                }
            }
            throw Violation("a file whose parts have no end")
        }
        do {
            let image = try known { parts throws(ArchiveError) in try GeoTIFFImage.read(parts, at: "fuzz.tif") }
            guard image.extent.width.isFinite, image.bandCount > 0, !image.levelSizes.isEmpty,
                image.levelSizes.allSatisfy({ $0.width > 0 && $0.height > 0 })
            else { throw Violation("an image without size") }
            let layout = try known { parts throws(ArchiveError) in try image.layout(parts) }
            words = "\(layout.levels.count) \(magnitude(image.bandCount)) \(image.compression) \(image.sampleType)"
            let places = try known { parts throws(ArchiveError) in
                try image.blocks(ofTile: image.levelSizes.count - 1, column: 0, row: 0, bands: nil, parts)
            }
            guard places.allSatisfy({ $0.upperBound <= UInt64(bytes.count) }) else {
                throw Violation("a block beyond the file")
            }
            var source = TIFFRanges(parts, place: "fuzz.tif")
            source.add(bytes, at: 0)
            var stretched = image
            if image.needsRange { try stretched.stretch(source) }
            let pixels = try stretched.tile(
                level: image.levelSizes.count - 1, column: 0, row: 0, style: nil, source)
            let values = try image.values(level: image.levelSizes.count - 1, column: 0, row: 0, band: 1, source)
            guard pixels?.width == image.tileSize, values?.width == image.tileSize else {
                throw Violation("a tile of another size")
            }
        } catch let error as ArchiveError { words += try refused(error.description).signature }
        return .value(words)
    }
}
