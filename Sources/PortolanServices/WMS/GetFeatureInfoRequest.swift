package import PortolanGeo
package import PortolanWeb

/// A WMS GetFeatureInfo request, version 1.0.0, 1.1.0, 1.1.1 or 1.3.0, for the features at a pixel of a picture.
package struct GetFeatureInfoRequest: Hashable, Sendable {
    /// The request of the picture, with the URL of the service.
    package var map: GetMapRequest
    /// The queried layers, a subset of the picture's.
    package var queryLayers: [String]
    /// The pixel's column, from 0 at the left.
    package var column: Int
    /// The pixel's row, from 0 at the top.
    package var row: Int
    /// The response format, as the service writes it.
    ///
    /// Version 1.0.0 uses its own names.
    package var infoFormat: String
    /// The maximum number of features per layer.
    package var featureCount: Int
    /// Parameters of the query only, such as a server-specific tolerance.
    ///
    /// Those already in the picture's request or URL are omitted.
    package var extraParameters: [GetMapRequest.Parameter] = []

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - column: at least 0 and less than the picture's width; `row` likewise.
    ///   - featureCount: at least 1.
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

    /// ``url`` with the origin of the service's URL.
    package var address: NamedURL { NamedURL(url, namedBy: map.baseURL.origin) }

    /// The request URL.
    ///
    /// The pixel is `X`, `Y` up to version 1.1.1 and `I`, `J` in 1.3.0. In version 1.0.0 the operation is
    /// `feature_info`. The picture's parameters are those of its GetMap request.
    ///
    /// It follows OGC 06-042 table 9, OGC 01-068r3 table 10, OGC 01-047r2 and OGC 00-028 6.2.9.
    package var url: String {
        let isOldest = map.version == .v1_0_0, isNew = map.version >= .v1_3_0
        let format = isOldest ? WMSCapabilities.Format(infoFormat).elementName : infoFormat
        var parameters = map.parameters(of: isOldest ? "feature_info" : "GetFeatureInfo")
        // The user's picture parameters may have the same names; those of the query take precedence.
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

/// The template of feature info requests for a source, without extent and pixel.
package struct WMSFeatureInfoTemplate: Hashable, Sendable {
    /// The request of the source's pictures, with the URL of queries.
    package var map: GetMapRequest
    /// The queryable layers.
    package var queryLayers: [String]
    /// The offered response formats.
    package var formats: [WMSCapabilities.Format]

    /// Creates a template.
    package init(map: GetMapRequest, queryLayers: [String], formats: [WMSCapabilities.Format]) {
        self.map = map
        self.queryLayers = queryLayers
        self.formats = formats
    }

    /// Returns the query about a pixel of a picture of `extent`, which is in units of the picture's CRS.
    ///
    /// - Parameters:
    ///   - width: more than 0, as `height`.
    ///   - column: at least 0, as `row`.
    ///   - featureCount: at least 1.
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

    /// The readable offered formats, the most informative first: GeoJSON, other JSON, GML, other XML, text, HTML.
    ///
    /// Images, scripts and other unreadable formats are omitted. If no format remains, or none is offered, plain text
    /// is requested.
    package var readableFormats: [WMSCapabilities.Format] { FeatureInfoFormats(formats).readable }

    /// The best format of each kind (JSON, XML, text, HTML), in the order of ``readableFormats``.
    package var distinctFormats: [WMSCapabilities.Format] { FeatureInfoFormats(formats).distinct }

    /// Returns the offered format for a media type, or for `geojson`, `json`, `gml`, `xml`, `text` or `html`; `nil` if
    /// it is not offered.
    ///
    /// If the service lists no formats, any media type is accepted.
    package func format(meant wanted: String) -> WMSCapabilities.Format? {
        FeatureInfoFormats(formats).format(meant: wanted)
    }
}
