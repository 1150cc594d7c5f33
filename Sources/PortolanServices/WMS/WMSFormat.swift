import PortolanWeb

/// A format that an operation of a WMS offers.
public struct WMSFormat: Hashable, Sendable, CustomStringConvertible {
    /// The format as the document writes it: a media type, or in version 1.0.0 the name of an element.
    public let verbatim: String

    /// Creates a format from the text of the document.
    public init(_ verbatim: String) {
        self.verbatim = verbatim
    }

    /// The media type in small letters; version 1.0.0's names are translated, unknown ones stay as they are.
    public var mediaType: String {
        Self.names.first { $0.element == verbatim.uppercased() }?.mediaType ?? verbatim.lowercased()
    }

    /// The media type without parameters such as `; mode=8bit`.
    public var bareMediaType: String { MediaType(mediaType).essence }

    /// Whether its pictures can be transparent in places.
    package var hasTransparency: Bool { !["image/jpeg", "image/jpg", "image/bmp"].contains(bareMediaType) }

    /// Whether what comes may be a picture: drawings, pages and archives have types of their own, as `application/dxf`.
    package var mayBePicture: Bool {
        !mediaType.contains("/") || mediaType.hasPrefix("image/") || bareMediaType == "application/octet-stream"
    }

    /// The format as the document writes it.
    public var description: String { verbatim }

    /// The name by which version 1.0.0 asks for the format.
    package var elementName: String {
        Self.names.first { $0.mediaType == verbatim.lowercased() }?.element ?? verbatim
    }

    private static let names: [(element: String, mediaType: String)] = [
        ("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("TIFF", "image/tiff"),
        ("SVG", "image/svg+xml"), ("PPM", "image/x-portable-pixmap"), ("WBMP", "image/vnd.wap.wbmp"),
        ("WEBCGM", "image/cgm;version=4;profileid=webcgm"), ("GEOTIFF", "image/geotiff"),
        ("WMS_XML", "application/vnd.ogc.wms_xml"), ("GML.1", "application/vnd.ogc.gml"), ("MIME", "text/plain"),
        ("INIMAGE", "application/vnd.ogc.se_inimage"), ("BLANK", "application/vnd.ogc.se_blank"),
    ]
}

/// The formats in which a service answers queries about features.
package struct FeatureInfoFormats: Hashable, Sendable {
    /// The formats as the service offers them.
    package let offered: [WMSFormat]

    package init(_ offered: [WMSFormat]) { self.offered = offered }

    /// The offered formats, those from which most can be learned first: GeoJSON, other JSON, GML, other XML, text, HTML.
    ///
    /// Formats that cannot be read, such as images and scripts, are left out; where none is left, or none is offered,
    /// plain text is asked for untold.
    package var readable: [WMSFormat] {
        let ranked = offered.enumerated().compactMap { place, format in
            Self.rank(of: format).map { (rank: $0, place: place, format: format) }
        }
        // Media types come before names of a program's own.
        func key(_ entry: (rank: Int, place: Int, format: WMSFormat)) -> (Int, Int, Int) {
            (entry.rank, entry.format.mediaType.contains("/") ? 0 : 1, entry.place)
        }
        let sorted = ranked.sorted { key($0) < key($1) }.map(\.format)
        return sorted.isEmpty ? [WMSFormat("text/plain")] : sorted
    }

    /// The best format of each kind (JSON, XML, text, HTML), in the order of ``readable``.
    package var distinct: [WMSFormat] {
        var kinds: Set<Int> = []
        return readable.filter { format in
            // JSON has the ranks to 2, XML 3 and 4.
            let rank = Self.rank(of: format) ?? 5
            return kinds.insert(rank <= 2 ? 0 : rank <= 4 ? 3 : rank).inserted
        }
    }

    /// The offered format that a user means by a media type, or by `geojson`, `json`, `gml`, `xml`, `text` or `html`;
    /// `nil` when it is not offered.
    ///
    /// Where the service lists no formats, any media type goes.
    package func format(meant wanted: String) -> WMSFormat? {
        if offered.isEmpty, wanted.contains("/") { return WMSFormat(wanted) }
        let type = WMSFormat(wanted).mediaType
        let exact =
            offered.first { $0.verbatim == wanted } ?? offered.first { $0.mediaType == type }
            ?? offered.first { $0.bareMediaType == type }
        if let exact { return exact }
        let ranks: ClosedRange<Int>
        switch wanted.lowercased() {
        case "geojson": ranks = 0...1
        case "json": ranks = 0...2
        case "gml": ranks = 3...3
        case "xml": ranks = 3...4
        case "text", "plain": ranks = 5...5
        case "html": ranks = 6...6
        default: return nil
        }
        return readable.first { Self.rank(of: $0).map(ranks.contains) ?? false }
    }

    /// The rank of a format, the best first, or `nil` when it cannot be read.
    private static func rank(of format: WMSFormat) -> Int? {
        let type = format.mediaType, bare = format.bareMediaType
        if ["application/geo+json", "application/vnd.geo+json"].contains(bare) { return 0 }
        // The name of one of MapServer's own formats.
        if bare == "geojson" { return 2 }
        if bare.hasSuffix("json") { return type.contains("geojson") ? 1 : 2 }
        if type.contains("gml") { return 3 }
        if bare.hasSuffix("xml") { return bare.hasSuffix("xhtml+xml") || bare.hasSuffix("svg+xml") ? nil : 4 }
        if bare == "text/plain" { return 5 }
        return bare == "text/html" ? 6 : nil
    }
}
