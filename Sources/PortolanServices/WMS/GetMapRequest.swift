public import PortolanGeo

/// A request for one picture of a WMS, version 1.0.0, 1.1.0, 1.1.1 or 1.3.0.
public struct GetMapRequest: Hashable, Sendable {
    /// A colour without transparency.
    public struct Color: Hashable, Sendable {
        /// Red, green and blue, 0 to 255.
        public let red, green, blue: UInt8

        /// Makes a colour.
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

        /// Makes a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The version spoken.
    public var version: WMSVersion
    /// The address of the service; its own query is kept.
    public var baseURL: String
    /// The layers, the bottommost first.
    public var layers: [String]
    /// A style for each layer; those missing are the default ones.
    public var styles: [String]
    /// The system that `extent` is in.
    public var crs: CRS
    /// The system's name as the server spells it.
    public var crsName: String
    /// What to show, in units of `crs`, x east.
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
    /// How errors shall be told; `nil` says nothing about it.
    ///
    /// At first it asks for XML in the words of the version.
    public var exceptions: String?
    /// In which order the sides of the bounding box go.
    public var axisOrder: AxisOrderPolicy
    /// More parameters, in their order; one that the request has already takes its place.
    public var extraParameters: [Parameter]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - crsName: `nil` stands for the usual name.
    ///   - width: more than 0, as `height`.
    public init(
        version: WMSVersion, baseURL: String, layers: [String], styles: [String] = [], crs: CRS,
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
