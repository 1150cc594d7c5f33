public import PortolanGeo
public import PortolanWeb

/// A request for one picture of a WMS, version 1.0.0, 1.1.0, 1.1.1 or 1.3.0.
public struct GetMapRequest: Hashable, Sendable {
    /// A colour without transparency.
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

    /// A parameter beyond those of the standard, as `TIME` or one of the vendor's.
    public struct Parameter: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value, not encoded.
        public let value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The version spoken.
    public var version: WMSVersion
    /// The address of the service; its own query is kept.
    public var baseURL: NamedURL
    /// The layers, the bottommost first.
    public var layers: [String]
    /// A style for each layer; those missing are the default ones.
    public var styles: [String]
    /// The system that `extent` is in.
    public var crs: CRS
    /// The system's name as the server spells it.
    public var crsName: String
    /// The extent shown, in units of `crs`, x east.
    public var extent: Extent
    /// Pixels in a row.
    public var width: Int
    /// Rows of pixels.
    public var height: Int
    /// The format, a media type; version 1.0.0 is asked for it by its own name.
    public var format: String
    /// Whether the background shall be transparent; `nil` says nothing about it.
    public var isTransparent: Bool?
    /// The colour of the background where it is not transparent; `nil` says nothing about it.
    public var background: Color?
    /// The format of exceptions; `nil` leaves the parameter out.
    ///
    /// At first it asks for XML in the words of the version.
    public var exceptions: String?
    /// Whether version 1.0.0 is told the media type of the format, and not the name of its element.
    ///
    /// A MapServer with a list of formats (`wms_getmap_formatlist`) advertises `<PNG/>` and takes `image/png` alone.
    package var namesMediaType = false
    /// The protocol in which the picture is asked for.
    package var dialect = MapRequestDialect.wms
    /// In which order the sides of the bounding box go.
    public var axisOrder: AxisOrderPolicy
    /// More parameters, in their order; one that the request has already takes its place.
    public var extraParameters: [Parameter]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - crsName: `nil` stands for the usual name.
    ///   - width: more than 0, as `height`.
    public init(
        version: WMSVersion, baseURL: NamedURL, layers: [String], styles: [String] = [], crs: CRS,
        crsName: String? = nil, extent: Extent, width: Int, height: Int, format: String = "image/png",
        isTransparent: Bool? = true, background: Color? = .white, axisOrder: AxisOrderPolicy = .auto,
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
    /// The address to get the picture from.
    ///
    /// Parameters stand in one order with names in capitals, so that equal requests have equal addresses. `STYLES` is
    /// always there, with as many entries as `LAYERS`. Parameters of the protocol that stand in the base address are
    /// dropped, its others come first.
    ///
    /// Follows OGC 06-042 table 8, OGC 01-068r3 table 9, OGC 01-047r2 and OGC 00-028 6.2.8.
    public var url: String {
        guard dialect == .wms else {
            let extra = extraParameters.map { (name: $0.name, value: PercentEncoding.value($0.value)) }
            return ServiceURL(baseURL.text).url(with: otherParameters + extra, dropping: Self.otherNames)
        }
        return ServiceURL(baseURL.text).url(
            with: parameters(of: version == .v1_0_0 ? "map" : "GetMap"), dropping: WMSParameters.ofProtocol)
    }

    /// ``url``, named by who named the service's address.
    package var address: NamedURL { NamedURL(url, namedBy: baseURL.origin) }

    /// The parameters of an operation that takes a picture's, as GetMap and GetFeatureInfo do, in their order.
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
        let known = WMSFormat(format)
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
    /// The colour as `0xRRGGBB`.
    package var hexadecimal: String {
        let digits = String(Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

extension GetMapRequest {
    /// The request of a picture for a denser screen: as many pixels, with symbols and letters `ratio` times as large.
    ///
    /// More pixels alone would make them smaller to the eye. No standard has a word for it, so those of GeoServer
    /// (`FORMAT_OPTIONS=dpi:N`), MapServer (`MAP_RESOLUTION`) and QGIS Server (`DPI`) are all sent; each passes over those
    /// it does not know. GeoServer and QGIS count from 90 dots an inch, MapServer from 72. With a ratio of 1, or when the
    /// caller has set a resolution in the parameters or in the address, the request stays as it is.
    public func enlarged(byPixelRatio ratio: Double) -> GetMapRequest {
        // A parameter that an OGC API does not know is an error.
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
        // Other options of the caller's for the format stay beside it.
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

/// The names of WMS parameters, all versions together.
package enum WMSParameters {
    /// The parameters that requests set themselves, so that a base address must not contain them.
    package static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "WMTVER", "LAYERS", "STYLES", "SRS", "CRS", "BBOX", "WIDTH", "HEIGHT",
        "FORMAT", "TRANSPARENT", "BGCOLOR", "EXCEPTIONS", "TILED", "UPDATESEQUENCE", "QUERY_LAYERS", "INFO_FORMAT",
        "FEATURE_COUNT",
    ]

    /// The parameters that each request begins with.
    ///
    /// Version 1.0.0 has no `SERVICE`, but servers ask for it.
    static func opening(version: WMSVersion?, request: String) -> [(name: String, value: String)] {
        switch version {
        case .v1_0_0?: [("SERVICE", "WMS"), ("WMTVER", "1.0.0"), ("REQUEST", request)]
        case let version?: [("SERVICE", "WMS"), ("VERSION", version.rawValue), ("REQUEST", request)]
        case nil: [("SERVICE", "WMS"), ("REQUEST", request)]
        }
    }
}
