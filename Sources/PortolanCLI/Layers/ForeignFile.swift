/// Files of GIS programs that are no features in GeoJSON, known by their first bytes.
enum ForeignFile {
    private static let kinds: [(start: [UInt8], words: String, advice: @Sendable (String) -> String)] = [
        ([0, 0, 0x27, 0x0A], "a Shapefile", converted),
        (Array("fgb".utf8), "a FlatGeobuf file", converted),
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive", { _ in "unpack it; of what is in it GeoJSON can be drawn" }),
        ([0x1F, 0x8B], "a gzip file", { "unpack it first, as with gunzip \($0)" }),
        (Array("II*\0".utf8), "a TIFF", tiled), (Array("MM\0*".utf8), "a TIFF", tiled),
        (Array("%PDF".utf8), "a PDF", { _ in "only GeoJSON can be drawn" }),
    ]

    @Sendable private static func converted(_ source: String) -> String { LayerBuilder.conversion(of: source) }

    @Sendable private static func tiled(_ source: String) -> String {
        "make tiles of it first, as with gdal_translate -of MBTILES \(source) out.mbtiles, and write mbtiles:out.mbtiles"
    }

    /// What a file is and what to do with it, in one sentence; `nil` when it may be features.
    static func words(of bytes: [UInt8], source: String) -> String? {
        kinds.first { bytes.starts(with: $0.start) }.map { "'\(source)' is \($0.words); \($0.advice(source))" }
    }
}
