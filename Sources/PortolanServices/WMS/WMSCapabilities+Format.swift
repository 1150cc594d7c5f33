import PortolanWeb

extension WMSCapabilities {
    /// A format that a WMS operation offers.
    public struct Format: Hashable, Sendable, CustomStringConvertible {
        /// The format as written in the document: a media type, or in version 1.0.0 an element name.
        public let verbatim: String

        /// Creates a format from the text of the document.
        public init(_ verbatim: String) {
            self.verbatim = verbatim
        }

        /// The lowercase media type.
        ///
        /// Names of version 1.0.0 are translated, unknown ones are unchanged.
        public var mediaType: String {
            Self.names.first { $0.element == verbatim.uppercased() }?.mediaType ?? verbatim.lowercased()
        }

        /// The media type without parameters such as `; mode=8bit`.
        public var bareMediaType: String { MediaType(mediaType).essence }

        /// Whether images can be transparent.
        package var hasTransparency: Bool { !["image/jpeg", "image/jpg", "image/bmp"].contains(bareMediaType) }

        /// Whether the content may be an image.
        ///
        /// Drawings, pages and archives have other types, such as `application/dxf`.
        package var mayBePicture: Bool {
            !mediaType.contains("/") || mediaType.hasPrefix("image/") || bareMediaType == "application/octet-stream"
        }

        /// The format as written in the document.
        public var description: String { verbatim }

        /// The name of the format in version 1.0.0.
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
}

/// The formats of feature info responses.
package struct FeatureInfoFormats: Hashable, Sendable {
    /// The formats as the service offers them.
    package let offered: [WMSCapabilities.Format]

    package init(_ offered: [WMSCapabilities.Format]) { self.offered = offered }

    /// The readable offered formats, the most informative first: GeoJSON, other JSON, GML, other XML, text, HTML.
    ///
    /// Images, scripts and other unreadable formats are omitted. If no format remains, or none is offered, plain text
    /// is requested.
    package var readable: [WMSCapabilities.Format] {
        let ranked = offered.enumerated().compactMap { place, format in
            Self.rank(of: format).map { (rank: $0, place: place, format: format) }
        }
        // Media types precede custom names.
        func key(_ entry: (rank: Int, place: Int, format: WMSCapabilities.Format)) -> (Int, Int, Int) {
            (entry.rank, entry.format.mediaType.contains("/") ? 0 : 1, entry.place)
        }
        let sorted = ranked.sorted { key($0) < key($1) }.map(\.format)
        return sorted.isEmpty ? [WMSCapabilities.Format("text/plain")] : sorted
    }

    /// The best format of each kind (JSON, XML, text, HTML), in the order of ``readable``.
    package var distinct: [WMSCapabilities.Format] {
        var kinds: Set<Int> = []
        return readable.filter { format in
            // JSON has the ranks 0 to 2, XML 3 and 4.
            let rank = Self.rank(of: format) ?? 5
            return kinds.insert(rank <= 2 ? 0 : rank <= 4 ? 3 : rank).inserted
        }
    }

    /// Returns the offered format for a media type, or for `geojson`, `json`, `gml`, `xml`, `text` or `html`; `nil` if
    /// it is not offered.
    ///
    /// If the service lists no formats, any media type is accepted.
    package func format(meant wanted: String) -> WMSCapabilities.Format? {
        if offered.isEmpty, wanted.contains("/") { return WMSCapabilities.Format(wanted) }
        let type = WMSCapabilities.Format(wanted).mediaType
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

    /// Returns the rank of a format, the best first, or `nil` if it is unreadable.
    private static func rank(of format: WMSCapabilities.Format) -> Int? {
        let type = format.mediaType, bare = format.bareMediaType
        if ["application/geo+json", "application/vnd.geo+json"].contains(bare) { return 0 }
        // A format name of MapServer.
        if bare == "geojson" { return 2 }
        if bare.hasSuffix("json") { return type.contains("geojson") ? 1 : 2 }
        if type.contains("gml") { return 3 }
        if bare.hasSuffix("xml") { return bare.hasSuffix("xhtml+xml") || bare.hasSuffix("svg+xml") ? nil : 4 }
        if bare == "text/plain" { return 5 }
        return bare == "text/html" ? 6 : nil
    }
}
