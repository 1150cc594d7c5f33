public import PortolanGeo

extension WMSCapabilities {
    /// A layer of a Web Map Service, including inherited properties.
    ///
    /// The rules are those of OGC 06-042 table 7 and OGC 01-068r3 7.1.4.7:
    ///
    /// - Styles, CRSs and authorities are added to the inherited ones. A style replaces an inherited one with the same
    ///   name.
    /// - A bounding box replaces the inherited one with the same CRS, and a dimension (before version 1.3.0 an `Extent`)
    ///   the one with the same name.
    /// - Names, texts, keywords, identifiers and links to data and metadata are not inherited.
    /// - All other properties replace the inherited ones.
    public struct Layer: Hashable, Sendable {
        /// The name for requests, or `nil` for a category.
        public var name: String?
        /// The title.
        public var title: String
        /// The description, or `nil`.
        public var abstract: String?
        /// The keywords.
        public var keywords: [String]
        /// The unique names of the available CRSs, as written in the document.
        public var crsNames: [String]
        /// The extent of the data in degrees, or `nil` if it is not stated.
        public var geographicBox: BoundingBox?
        /// The extent of the data, with at most one box per CRS.
        public var boundingBoxes: [WMSCapabilities.Box]
        /// The styles.
        ///
        /// The first one is usually the default.
        public var styles: [WMSCapabilities.Style]
        /// The dimensions in addition to the two of the map.
        public var dimensions: [WMSCapabilities.Dimension]
        /// The required attribution, or `nil`.
        public var attribution: WMSCapabilities.Attribution?
        /// Links to further information.
        public var references: WMSCapabilities.References
        /// The minimum scale denominator at which the layer is drawn, for pixels of 0.28 mm, or `nil`.
        public var minScaleDenominator: Double?
        /// The scale denominator below which the layer is drawn, for pixels of 0.28 mm, or `nil`.
        public var maxScaleDenominator: Double?
        /// The scale hint as written, pixel diagonals in metres, or `nil`.
        ///
        /// The denominators above are derived from it.
        public var scaleHint: ClosedRange<Double>?
        /// Whether the layer supports feature info.
        public var isQueryable: Bool
        /// Whether its images are opaque.
        public var isOpaque: Bool
        /// The number of times the layer was cascaded by other servers.
        public var cascaded: Int
        /// Whether only the whole extent is available.
        public var hasNoSubsets: Bool
        /// The only available width, or `nil`.
        public var fixedWidth: Int?
        /// The only available height, or `nil`.
        public var fixedHeight: Int?
        /// The child layers.
        public var children: [WMSCapabilities.Layer]

        /// Returns the first layer with a name among this one and its descendants, or `nil`.
        public func layer(named name: String) -> WMSCapabilities.Layer? {
            if self.name == name { return self }
            for child in children {
                if let found = child.layer(named: name) { return found }
            }
            return nil
        }

        /// Returns the box in a CRS, regardless of its spelling, or `nil`.
        public func boundingBox(in crs: CRS) -> BoundingBox? { boundingBoxes.first { $0.crs == crs }?.box }

        func collect(into list: inout [WMSCapabilities.Layer]) {
            list.append(self)
            for child in children { child.collect(into: &list) }
        }
    }
}

extension WMSCapabilities.Layer {
    /// Returns the names of the layer's CRSs after the first, inherited ones.
    ///
    /// - Parameter inherited: the number of CRSs of the parent layer. A layer with fewer CRSs inherits none.
    package func crsNames(besides inherited: Int) -> ArraySlice<String> {
        crsNames.count < inherited ? crsNames[...] : crsNames.dropFirst(inherited)
    }
}

extension WMSCapabilities {
    /// A style of a layer.
    public struct Style: Hashable, Sendable {
        /// A legend image of a style.
        public struct Legend: Hashable, Sendable {
            /// The URL of the image.
            public var url: String
            /// The format, or `nil` if unknown.
            public var format: String?
            /// The width in pixels, or `nil` if unknown.
            public var width: Int?
            /// The height in pixels, or `nil` if unknown.
            public var height: Int?
        }

        /// The name for requests.
        public var name: String
        /// The title.
        public var title: String
        /// The description, or `nil`.
        public var abstract: String?
        /// The legends.
        public var legends: [Legend]
        /// The style sheet of the style, or `nil`.
        public var styleSheet: WMSCapabilities.Link?
        /// A web page about the style, or `nil`.
        public var page: WMSCapabilities.Link?
    }
}

extension WMSCapabilities {
    /// A dimension of a layer in addition to the two of the map, such as time or elevation.
    public struct Dimension: Hashable, Sendable {
        /// The lowercase name, such as `time`.
        public var name: String
        /// The unit of its values, such as `ISO8601`.
        public var units: String
        /// The symbol of the unit, or `nil`.
        public var unitSymbol: String?
        /// The default value, or `nil`.
        public var defaultValue: String?
        /// The available values: a comma-separated list, or `min/max/step`.
        public var values: String
        /// Whether the nearest value is used for an unavailable one.
        public var takesNearest: Bool
        /// Whether several values may be requested at once.
        public var takesSeveral: Bool
        /// Whether `current` may be requested, the latest value of continuously updated data.
        public var takesCurrent = false

        /// Creates a dimension.
        package init(
            name: String, units: String, unitSymbol: String?, defaultValue: String?, values: String, takesNearest: Bool,
            takesSeveral: Bool, takesCurrent: Bool = false
        ) {
            self.name = name
            self.units = units
            self.unitSymbol = unitSymbol
            self.defaultValue = defaultValue
            self.values = values
            self.takesNearest = takesNearest
            self.takesSeveral = takesSeveral
            self.takesCurrent = takesCurrent
        }

        /// The request parameter: `TIME`, `ELEVATION` or `DIM_` and the name (OGC 06-042 annex C.4).
        public var parameterName: String { Self.parameterName(of: name) }

        /// Returns the request parameter of a dimension.
        ///
        /// A parameter name is unchanged.
        package static func parameterName(of name: String) -> String {
            let name = name.uppercased()
            return ["TIME", "ELEVATION"].contains(name) || name.hasPrefix("DIM_") ? name : "DIM_" + name
        }
    }
}

extension WMSCapabilities {
    /// The attribution of an image.
    public struct Attribution: Hashable, Sendable {
        /// The text, or `nil`.
        public var title: String?
        /// A web page about the provider, or `nil`.
        public var url: String?
        /// The logo, or `nil`.
        public var logo: WMSCapabilities.Style.Legend?
        /// The URL of the logo, or `nil`.
        public var logoURL: String? { logo?.url }
    }
}

extension WMSCapabilities {
    /// The bounding box of a layer in one CRS.
    public struct Box: Hashable, Sendable {
        /// The name of the CRS as written in the document.
        public var crsName: String
        /// The CRS, or `nil` if it is not in the catalogue.
        public var crs: CRS?
        /// The box, x east, in units of the CRS.
        public var box: BoundingBox
        /// Whether the document has a wrong axis order; ``box`` is corrected.
        public var isFlipped = false
        /// Units per pixel of the data along x, or `nil`.
        public var resolutionX: Double?
        /// Units per pixel of the data along y, or `nil`.
        public var resolutionY: Double?
    }
}

extension WMSCapabilities {
    /// A link to more information about a layer or style.
    public struct Link: Hashable, Sendable {
        /// The URL.
        public var url: String
        /// The media type of the target, or `nil` if unknown.
        public var format: String?
        /// The metadata standard, such as `FGDC` or `ISO19115:2003`, or `nil`.
        public var type: String?

        /// Creates a link.
        public init(url: String, format: String? = nil, type: String? = nil) {
            self.url = url
            self.format = format
            self.type = type
        }
    }
}

extension WMSCapabilities {
    /// Links to further information about a layer (OGC 06-042 7.2.4.6.11 to 7.2.4.6.15).
    public struct References: Hashable, Sendable {
        /// The identifier of a layer in the catalogue of an authority.
        public struct Identifier: Hashable, Sendable {
            /// The name of the authority; ``WMSCapabilities/References/authorities`` has its URL.
            public var authority: String
            /// The identifier.
            public var value: String
        }

        /// Metadata of the data.
        public var metadata: [WMSCapabilities.Link] = []
        /// The data.
        public var data: [WMSCapabilities.Link] = []
        /// Lists of the features in the layer.
        public var featureLists: [WMSCapabilities.Link] = []
        /// The identifiers in catalogues.
        public var identifiers: [Identifier] = []
        /// The URLs of the authorities in ``identifiers``, including inherited ones.
        public var authorities: [String: String] = [:]

        /// Creates an empty set of references.
        public init() {}
    }
}
