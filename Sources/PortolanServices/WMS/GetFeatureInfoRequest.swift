package import PortolanGeo
package import PortolanWeb

/// A question to a WMS, version 1.0.0, 1.1.0, 1.1.1 or 1.3.0, about the features that its picture shows at a pixel.
package struct GetFeatureInfoRequest: Hashable, Sendable {
    /// The picture that the question is about; its address is the one that gets the question.
    package var map: GetMapRequest
    /// The layers asked about, some of the picture's.
    package var queryLayers: [String]
    /// The pixel's column, from 0 at the left.
    package var column: Int
    /// The pixel's row, from 0 at the top.
    package var row: Int
    /// The format of the answer, as the service writes it; version 1.0.0 is asked for it by its own name.
    package var infoFormat: String
    /// The most features wanted of each layer.
    package var featureCount: Int
    /// Parameters of the question alone, such as a server's own tolerance; those that the picture or the address has
    /// already are left out.
    package var extraParameters: [GetMapRequest.Parameter] = []

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - column: 0 and more, less than the picture's width; `row` likewise.
    ///   - featureCount: 1 and more.
    package init(
        map: GetMapRequest, queryLayers: [String], column: Int, row: Int, infoFormat: String = "text/plain",
        featureCount: Int = 1
    ) {
        precondition(column >= 0 && row >= 0, "a pixel is in its picture")
        precondition(featureCount > 0, "at least one feature is asked for")
        self.map = map
        self.queryLayers = queryLayers
        self.column = column
        self.row = row
        self.infoFormat = infoFormat
        self.featureCount = featureCount
    }

    /// ``url``, named by who named the service's address.
    package var address: NamedURL { NamedURL(url, namedBy: map.baseURL.origin) }

    /// The address to get the answer from.
    ///
    /// The pixel is `X`, `Y` up to version 1.1.1 and `I`, `J` in 1.3.0; version 1.0.0 calls the operation
    /// `feature_info`. The picture's parameters are those it is drawn with.
    ///
    /// Follows OGC 06-042 table 9, OGC 01-068r3 table 10, OGC 01-047r2 and OGC 00-028 6.2.9.
    package var url: String {
        let isOldest = map.version == .v1_0_0, isNew = map.version >= .v1_3_0
        let format = isOldest ? WMSFormat(infoFormat).elementName : infoFormat
        var parameters = map.parameters(of: isOldest ? "feature_info" : "GetFeatureInfo")
        // What the user adds to pictures may be named alike; the question's own words win.
        let own = [
            ("QUERY_LAYERS", queryLayers.map(PercentEncoding.listItem).joined(separator: ",")),
            ("INFO_FORMAT", PercentEncoding.value(format)), ("FEATURE_COUNT", String(featureCount)),
            (isNew ? "I" : "X", String(column)), (isNew ? "J" : "Y", String(row)),
        ]
        parameters.removeAll { parameter in own.contains { $0.0 == parameter.name.uppercased() } }
        let address = ServiceURL(map.baseURL.text)
        let taken = Set((parameters + own).map { $0.0.uppercased() } + address.parameters.map(ServiceURL.name))
        let more = extraParameters.filter { !taken.contains($0.name.uppercased()) }
            .map { ($0.name, PercentEncoding.value($0.value)) }
        return address.url(with: parameters + own + more, dropping: WMSParameters.ofProtocol)
    }
}

/// The common part of queries about a source's features, without the picture's extent and the pixel.
package struct WMSFeatureInfoTemplate: Hashable, Sendable {
    /// The request for the source's pictures, with the address that gets the queries.
    package var map: GetMapRequest
    /// The layers that answer queries.
    package var queryLayers: [String]
    /// The formats of answers that the service offers.
    package var formats: [WMSFormat]

    /// Creates a template.
    package init(map: GetMapRequest, queryLayers: [String], formats: [WMSFormat]) {
        self.map = map
        self.queryLayers = queryLayers
        self.formats = formats
    }

    /// The query about a pixel of a picture of `extent`, which is in units of the picture's CRS.
    ///
    /// - Parameters:
    ///   - width: more than 0, as `height`.
    ///   - column: 0 and more, as `row`.
    ///   - featureCount: 1 and more.
    package func request(
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
    package var readableFormats: [WMSFormat] { FeatureInfoFormats(formats).readable }

    /// The best format of each kind (JSON, XML, text, HTML), in the order of ``readableFormats``.
    package var distinctFormats: [WMSFormat] { FeatureInfoFormats(formats).distinct }

    /// The offered format that a user means by a media type, or by `geojson`, `json`, `gml`, `xml`, `text` or `html`;
    /// `nil` when it is not offered.
    ///
    /// Where the service lists no formats, any media type goes.
    package func format(meant wanted: String) -> WMSFormat? { FeatureInfoFormats(formats).format(meant: wanted) }
}
