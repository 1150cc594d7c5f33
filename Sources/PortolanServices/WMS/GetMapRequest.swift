public import PortolanGeo
public import PortolanWeb

/// A WMS GetMap request, version 1.0.0, 1.1.0, 1.1.1 or 1.3.0.
///
/// ```swift
/// let request = GetMapRequest(
///     version: .v1_3_0, baseURL: "https://maps.example.org/wms", layers: ["depths"], crs: .webMercator,
///     extent: extent, width: 512, height: 512)
/// print(request.url)
/// ```
public struct GetMapRequest: Hashable, Sendable {
    /// An opaque colour.
    public struct Color: Hashable, Sendable {
        /// Red, green and blue, 0 to 255.
        public let red, green, blue: UInt8

        /// Creates a colour.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// White.
        public static let white = Color(red: 255, green: 255, blue: 255)
    }

    /// A non-standard or optional parameter, such as `TIME` or a vendor parameter.
    public struct Parameter: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The unencoded value.
        public let value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The protocol version.
    public var version: WMSCapabilities.Version
    /// The URL of the service; its query is kept.
    public var baseURL: NamedURL
    /// The layers, the lowest first.
    public var layers: [String]
    /// A style for each layer; missing ones are the default.
    public var styles: [String]
    /// The CRS of `extent`.
    public var crs: CRS
    /// The name of the CRS as written by the server.
    public var crsName: String
    /// The extent in units of `crs`, x east.
    public var extent: Extent
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The media type.
    ///
    /// Version 1.0.0 uses its own names.
    public var format: String
    /// Whether the background is transparent; `nil` omits the parameter.
    public var isTransparent: Bool?
    /// The colour of an opaque background; `nil` omits the parameter.
    public var background: Color?
    /// The format of exceptions; `nil` omits the parameter.
    ///
    /// The default is XML, in the form of the version.
    public var exceptions: String?
    /// Whether version 1.0.0 requests use the media type of the format instead of its element name.
    ///
    /// A MapServer with a list of formats (`wms_getmap_formatlist`) advertises `<PNG/>` but only accepts `image/png`.
    package var namesMediaType = false
    /// The protocol of the request.
    package var dialect = MapRequestDialect.wms
    /// The axis order of the bounding box.
    public var axisOrder: WMSOptions.AxisOrderPolicy
    /// Additional parameters, in order.
    ///
    /// They replace existing parameters with the same name.
    public var extraParameters: [Parameter]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - crsName: `nil` for the default name.
    ///   - width: more than 0, as `height`.
    public init(
        version: WMSCapabilities.Version, baseURL: NamedURL, layers: [String], styles: [String] = [], crs: CRS,
        crsName: String? = nil, extent: Extent, width: Int, height: Int, format: String = "image/png",
        isTransparent: Bool? = true, background: Color? = .white, axisOrder: WMSOptions.AxisOrderPolicy = .auto,
        extraParameters: [Parameter] = []
    ) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        self.version = version
        self.baseURL = baseURL
        self.layers = layers
        self.styles = styles
        self.crs = crs
        self.crsName = crsName ?? crs.name
        self.extent = extent
        self.width = width
        self.height = height
        self.format = format
        self.isTransparent = isTransparent
        self.background = background
        exceptions = version.xmlExceptions
        self.axisOrder = axisOrder
        self.extraParameters = extraParameters
    }
}

extension GetMapRequest {
    /// The request URL.
    ///
    /// Parameters have a fixed order and uppercase names, so that equal requests have equal URLs. `STYLES` is always
    /// present, with as many entries as `LAYERS`. Protocol parameters in the base URL are removed; its other parameters
    /// come first.
    ///
    /// It follows OGC 06-042 table 8, OGC 01-068r3 table 9, OGC 01-047r2 and OGC 00-028 6.2.8.
    public var url: String {
        guard dialect == .wms else {
            let extra = extraParameters.map { (name: $0.name, value: PercentEncoding.value($0.value)) }
            return ServiceURL(baseURL.text).url(with: otherParameters + extra, dropping: Self.otherNames)
        }
        return ServiceURL(baseURL.text).url(
            with: parameters(of: version == .v1_0_0 ? "map" : "GetMap"), dropping: WMSParameters.ofProtocol)
    }

    /// ``url`` with the origin of the service's URL.
    package var address: NamedURL { NamedURL(url, namedBy: baseURL.origin) }

    /// Returns the parameters of an operation on a picture, such as GetMap and GetFeatureInfo, in order.
    func parameters(of operation: String) -> [(name: String, value: String)] {
        var parameters = WMSParameters.opening(version: version, request: operation) + pictureParameters
        for extra in extraParameters {
            let value = PercentEncoding.value(extra.value)
            if let index = parameters.firstIndex(where: { $0.name == extra.name.uppercased() }) {
                parameters[index].value = value
            } else {
                parameters.append((extra.name, value))
            }
        }
        return parameters
    }

    private var pictureParameters: [(name: String, value: String)] {
        let padding = Array(repeating: "", count: max(layers.count - styles.count, 0))
        let known = WMSCapabilities.Format(format)
        let format = version == .v1_0_0 ? (namesMediaType ? known.mediaType : known.elementName) : format
        var parameters = [
            ("LAYERS", layers.map(PercentEncoding.listItem).joined(separator: ",")),
            ("STYLES", (styles + padding).map(PercentEncoding.listItem).joined(separator: ",")),
            (version.crsParameter, PercentEncoding.value(crsName)),
            ("BBOX", BoundingBoxWriter.string(for: extent, crs: crs, version: version, axisOrder: axisOrder)),
            ("WIDTH", String(width)),
            ("HEIGHT", String(height)),
            ("FORMAT", PercentEncoding.value(format)),
        ]
        if let isTransparent { parameters.append(("TRANSPARENT", isTransparent ? "TRUE" : "FALSE")) }
        if let background { parameters.append(("BGCOLOR", background.hexadecimal)) }
        if let exceptions { parameters.append(("EXCEPTIONS", PercentEncoding.value(exceptions))) }
        return parameters
    }
}

extension GetMapRequest.Color {
    /// The colour in the form `0xRRGGBB`.
    package var hexadecimal: String {
        let digits = String(Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

extension GetMapRequest {
    /// Returns the request of a picture for a high-density screen: the same number of pixels, with symbols and text
    /// scaled by `ratio`.
    ///
    /// With more pixels only, symbols would appear smaller. As there is no standard parameter, those of GeoServer
    /// (`FORMAT_OPTIONS=dpi:N`), MapServer (`MAP_RESOLUTION`) and QGIS Server (`DPI`) are all sent; servers ignore
    /// unknown ones. GeoServer and QGIS use a base of 90 dpi, MapServer 72. With a ratio of 1, or if the caller has set
    /// a resolution in the parameters or the URL, the request is unchanged.
    public func enlarged(byPixelRatio ratio: Double) -> GetMapRequest {
        // An unknown parameter is an error in an OGC API.
        guard ratio.isFinite, ratio > 0, ratio != 1, dialect != .ogcAPIMaps else { return self }
        guard dialect == .wms else {
            var request = self
            request.extraParameters.append(Parameter("dpi", String(Int((96 * ratio).rounded()))))
            return request
        }
        let query = baseURL.text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let inAddress = query.split(whereSeparator: { $0 == "&" || $0 == "?" }).map {
            Parameter(String($0.prefix { $0 != "=" }), String($0.drop { $0 != "=" }.dropFirst()))
        }
        let given = inAddress + extraParameters
        let options = given.last { $0.name.uppercased() == "FORMAT_OPTIONS" }
        let isSet = given.contains { ["DPI", "MAP_RESOLUTION", "MAP.RESOLUTION"].contains($0.name.uppercased()) }
        guard !isSet, options?.value.lowercased().contains("dpi:") != true else { return self }
        var request = self
        let resolution = Int((90 * ratio).rounded())
        request.extraParameters += [
            Parameter("MAP_RESOLUTION", String(Int((72 * ratio).rounded()))), Parameter("DPI", String(resolution)),
        ]
        // Other format options of the caller are kept.
        let index = request.extraParameters.lastIndex { $0.name.uppercased() == "FORMAT_OPTIONS" }
        if let index {
            let own = request.extraParameters[index]
            request.extraParameters[index] = Parameter(own.name, own.value + ";dpi:\(resolution)")
        } else if options == nil {
            request.extraParameters.append(Parameter("FORMAT_OPTIONS", "dpi:\(resolution)"))
        }
        return request
    }
}

extension GetMapRequest {
    /// Sets additional parameters, replacing those of the same names.
    package mutating func set(_ parameters: [Parameter]) {
        let names = Set(parameters.map { $0.name.uppercased() })
        extraParameters.removeAll { names.contains($0.name.uppercased()) }
        extraParameters += parameters
    }
}

/// The names of WMS parameters of all versions.
package enum WMSParameters {
    /// The parameters that requests set themselves, so that the base URL must not contain them.
    package static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "WMTVER", "LAYERS", "STYLES", "SRS", "CRS", "BBOX", "WIDTH", "HEIGHT",
        "FORMAT", "TRANSPARENT", "BGCOLOR", "EXCEPTIONS", "TILED", "UPDATESEQUENCE", "QUERY_LAYERS", "INFO_FORMAT",
        "FEATURE_COUNT",
    ]

    /// Returns the first parameters of a request.
    ///
    /// Version 1.0.0 has no `SERVICE`, but servers require it.
    static func opening(version: WMSCapabilities.Version?, request: String) -> [(name: String, value: String)] {
        switch version {
        case .v1_0_0?: [("SERVICE", "WMS"), ("WMTVER", "1.0.0"), ("REQUEST", request)]
        case let version?: [("SERVICE", "WMS"), ("VERSION", version.rawValue), ("REQUEST", request)]
        case nil: [("SERVICE", "WMS"), ("REQUEST", request)]
        }
    }
}
