import PortolanWeb

/// The kind of an unexpected response, recognized by its first bytes.
package enum AnswerKind: String, Hashable, Sendable, CaseIterable {
    /// The capabilities of a Web Map Service.
    case wms
    /// The capabilities of a Web Map Tile Service.
    case wmts
    /// A Tile Map Service document.
    case tms
    /// The capabilities of a Web Feature Service.
    case wfs
    /// The capabilities of a Web Coverage Service.
    case wcs
    /// The capabilities of a Catalogue Service.
    case csw
    /// An ArcGIS REST document.
    case arcGIS
    /// A TileJSON document.
    case tileJSON
    /// A vector tile style.
    case style
    /// Features in GeoJSON.
    case geoJSON
    /// Features in KML, GPX, GML, GeoRSS or Atom.
    case features
    /// Other JSON.
    case json
    /// An HTML page.
    case page
    /// An image.
    case image

    /// The maximum number of examined bytes.
    private static let bodyLimit = 1 << 16

    /// Recognizes the kind of a response; returns `nil` for other kinds, including exceptions.
    ///
    /// - Complexity: linear in the length of the response, up to 64 KiB.
    package init?(recognizing body: [UInt8]) {
        if ContentKind(recognizing: body)?.isRaster == true {
            self = .image
            return
        }
        // Only ASCII characters are kept, which handles byte order marks and UTF-16.
        var start = body.prefix(Self.bodyLimit).filter { $0 > 0 && $0 < 0x80 }[...]
        // A document starts at its XML declaration, even if a program has written error messages before it.
        if let declaration = start.firstRange(of: "<?xml ") { start = start[declaration.lowerBound...] }
        guard let first = start.first(where: { !Character(Unicode.Scalar($0)).isWhitespace }) else { return nil }
        let found =
            switch first {
            case UInt8(ascii: "<"): Self.kind(ofMarkup: String(decoding: start, as: UTF8.self))
            case UInt8(ascii: "{"), UInt8(ascii: "["): Self.kind(ofJSON: start)
            default: Self?.none
            }
        guard let found else { return nil }
        self = found
    }

    private static func kind(ofMarkup text: String) -> AnswerKind? {
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            if rest.lowercased().hasPrefix("!doctype html") { return .page }
            if rest.first == "?" || rest.first == "!" { continue }
            let tag = rest.prefix { $0 != ">" }.lowercased()
            let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
            return kind(ofRoot: name.split(separator: ":").last.map(String.init) ?? "", tag: tag)
        }
        return nil
    }

    private static func kind(ofRoot name: String, tag: String) -> AnswerKind? {
        switch name {
        case "wmt_ms_capabilities", "wms_capabilities": return .wms
        case "tilemapservice", "tilemap", "services": return .tms
        case "wfs_capabilities": return .wfs
        case "wcs_capabilities": return .wcs
        case "html": return .page
        case "kml", "gpx", "featurecollection", "rss", "feed": return .features
        case "capabilities":
            // Documents of several services have this name.
            return [AnswerKind.wmts, .wcs, .csw].first { tag.contains("/\($0.rawValue)") }
        default: return nil
        }
    }

    private static func kind(ofJSON text: ArraySlice<UInt8>) -> AnswerKind {
        func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
        if has("tilejson") { return .tileJSON }
        if has("type"), has("FeatureCollection") || has("Feature") { return .geoJSON }
        if has("currentVersion") || has("mapName") || has("serviceDescription") { return .arcGIS }
        if has("version", "sources", "layers") { return .style }
        return .json
    }

    /// A clause that follows the URL in a sentence.
    package var words: String {
        switch self {
        case .wms, .wmts, .tms, .wfs, .wcs: "responds as a \(rawValue.uppercased())"
        case .csw: "responds as a catalogue (CSW)"
        case .arcGIS: "responds as an ArcGIS REST service"
        case .tileJSON: "responds with TileJSON"
        case .style: "responds with a vector tile style"
        case .geoJSON: "responds with GeoJSON"
        case .features: "responds with a feature file"
        case .json: "responds with JSON"
        case .page: "responds with a web page"
        case .image: "responds with an image"
        }
    }
}
