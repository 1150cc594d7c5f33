import PortolanWeb

/// Files of GIS programs that are no features in GeoJSON, known by their first bytes.
enum ForeignFile {
    /// The kind of a file and what to do with it, in one sentence; `nil` when it may be features.
    static func words(of bytes: [UInt8], source: String) -> String? {
        let (kind, advice): (String, String)
        switch ContentKind(recognizing: bytes) {
        case .shapefile: (kind, advice) = ("a Shapefile", LayerBuilder.conversion(of: source))
        case .flatGeobuf: (kind, advice) = ("a FlatGeobuf file", LayerBuilder.conversion(of: source))
        case .zip: (kind, advice) = ("a ZIP archive", "unpack it; of what is in it GeoJSON can be drawn")
        case .gzip: (kind, advice) = ("a gzip file", "unpack it first, as with gunzip \(source)")
        case .tiff:
            let tiles = "gdal_translate -of MBTILES \(source) out.mbtiles, and write mbtiles:out.mbtiles"
            (kind, advice) = ("a TIFF", "make tiles of it first, as with \(tiles)")
        case .pdf: (kind, advice) = ("a PDF", "only GeoJSON can be drawn")
        default: return nil
        }
        return "'\(source)' is \(kind); \(advice)"
    }
}
