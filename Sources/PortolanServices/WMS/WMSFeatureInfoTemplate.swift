public import PortolanGeo

/// All that the questions about a source's features share; only the picture's place and the pixel are missing.
public struct WMSFeatureInfoTemplate: Hashable, Sendable {
    /// The request for the source's pictures, with the address that gets the questions.
    public var map: GetMapRequest
    /// The layers that answer questions.
    public var queryLayers: [String]
    /// The formats of answers that the service offers.
    public var formats: [WMSFormat]

    /// Makes a template.
    public init(map: GetMapRequest, queryLayers: [String], formats: [WMSFormat]) {
        self.map = map
        self.queryLayers = queryLayers
        self.formats = formats
    }

    /// The question about a pixel of a picture of `extent`, which is in units of the picture's CRS.
    ///
    /// - Parameters:
    ///   - width: more than 0, as `height`.
    ///   - column: 0 and more, as `row`.
    ///   - featureCount: 1 and more.
    public func request(
        extent: Extent, width: Int, height: Int, column: Int, row: Int, infoFormat: String, featureCount: Int
    ) -> GetFeatureInfoRequest {
        var map = map
        map.extent = extent
        map.width = width
        map.height = height
        return GetFeatureInfoRequest(
            map: map, queryLayers: queryLayers, column: column, row: row, infoFormat: infoFormat,
            featureCount: featureCount)
    }

    /// The offered formats, those from which most can be learned first: GeoJSON, other JSON, GML, other XML, text, HTML.
    ///
    /// Formats that cannot be read, such as images and scripts, are left out; where none is left, or none is offered,
    /// plain text is asked for untold.
    public var readableFormats: [WMSFormat] {
        let ranked = formats.enumerated().compactMap { place, format in
            Self.rank(of: format).map { (rank: $0, place: place, format: format) }
        }
        // Media types come before names of a program's own.
        func key(_ entry: (rank: Int, place: Int, format: WMSFormat)) -> (Int, Int, Int) {
            (entry.rank, entry.format.mediaType.contains("/") ? 0 : 1, entry.place)
        }
        let sorted = ranked.sorted { key($0) < key($1) }.map(\.format)
        return sorted.isEmpty ? [WMSFormat("text/plain")] : sorted
    }

    /// The best format of each kind (JSON, XML, text, HTML), in the order of ``readableFormats``.
    public var distinctFormats: [WMSFormat] {
        var kinds: Set<Int> = []
        return readableFormats.filter { format in
            // JSON has the ranks to 2, XML 3 and 4.
            let rank = Self.rank(of: format) ?? 5
            return kinds.insert(rank <= 2 ? 0 : rank <= 4 ? 3 : rank).inserted
        }
    }

    /// The offered format that a user means by a media type, or by `geojson`, `json`, `gml`, `xml`, `text` or `html`;
    /// `nil` when it is not offered.
    ///
    /// Where the service lists no formats, any media type goes.
    public func format(meant wanted: String) -> WMSFormat? {
        if formats.isEmpty, wanted.contains("/") { return WMSFormat(wanted) }
        let type = WMSFormat(wanted).mediaType
        let exact =
            formats.first { $0.verbatim == wanted } ?? formats.first { $0.mediaType == type }
            ?? formats.first { $0.bareMediaType == type }
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
        return readableFormats.first { Self.rank(of: $0).map(ranks.contains) ?? false }
    }

    /// How far back in the queue a format stands, or `nil` when it cannot be read.
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
