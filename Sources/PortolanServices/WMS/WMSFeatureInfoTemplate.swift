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
    public var readableFormats: [WMSFormat] { FeatureInfoFormats(formats).readable }

    /// The best format of each kind (JSON, XML, text, HTML), in the order of ``readableFormats``.
    public var distinctFormats: [WMSFormat] { FeatureInfoFormats(formats).distinct }

    /// The offered format that a user means by a media type, or by `geojson`, `json`, `gml`, `xml`, `text` or `html`;
    /// `nil` when it is not offered.
    ///
    /// Where the service lists no formats, any media type goes.
    public func format(meant wanted: String) -> WMSFormat? { FeatureInfoFormats(formats).format(meant: wanted) }
}
