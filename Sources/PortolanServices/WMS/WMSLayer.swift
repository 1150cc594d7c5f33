public import PortolanGeo

/// A layer of a Web Map Service, with what it inherits from those around it.
///
/// By OGC 06-042 table 7 and OGC 01-068r3 7.1.4.7: styles, reference systems and authorities add to the inherited ones;
/// a bounding box replaces the inherited one of the same system, and a dimension the one of the same name (before
/// version 1.3.0 an `Extent` does); name, texts, keywords, identifiers and links to data and metadata are the layer's
/// own; all else replaces what is inherited. A style of the same name as an inherited one wins.
public struct WMSLayer: Hashable, Sendable {
    /// The name to ask for it by, or `nil` for a mere heading.
    public var name: String?
    /// The title for people.
    public var title: String
    /// The description, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String]
    /// The reference systems it can be drawn in, as the document writes them, each once.
    public var crsNames: [String]
    /// The area with data, in degrees, or `nil` when the document does not state it.
    public var geographicBox: BoundingBox?
    /// The area with data, at most one box for each system.
    public var boundingBoxes: [WMSBoundingBox]
    /// The ways it can be drawn; the first is mostly the default one.
    public var styles: [WMSStyle]
    /// Its dimensions besides the two of the map.
    public var dimensions: [WMSDimension]
    /// The attribution that must be shown, or `nil`.
    public var attribution: WMSAttribution?
    /// Further information about it.
    public var references: WMSLayerReferences
    /// It is drawn at this scale denominator and above, or `nil`; for pixels of 0.28 mm.
    public var minScaleDenominator: Double?
    /// It is drawn below this scale denominator, or `nil`; for pixels of 0.28 mm.
    public var maxScaleDenominator: Double?
    /// The scale hint as written, diagonals of a pixel in metres, or `nil`; the denominators above come from it then.
    public var scaleHint: ClosedRange<Double>?
    /// Whether it answers queries about features.
    public var isQueryable: Bool
    /// Whether its pictures hide all below.
    public var isOpaque: Bool
    /// The number of servers that passed it on.
    public var cascaded: Int
    /// Whether it can only be had whole.
    public var hasNoSubsets: Bool
    /// The only width it can be had in, or `nil`.
    public var fixedWidth: Int?
    /// The only height it can be had in, or `nil`.
    public var fixedHeight: Int?
    /// The layers inside.
    public var children: [WMSLayer]

    /// The first layer with a name among this one and those inside, or `nil`.
    public func layer(named name: String) -> WMSLayer? {
        if self.name == name { return self }
        for child in children {
            if let found = child.layer(named: name) { return found }
        }
        return nil
    }

    /// The box in a reference system, whatever its spelling, or `nil`.
    public func boundingBox(in crs: CRS) -> BoundingBox? { boundingBoxes.first { $0.crs == crs }?.box }

    func collect(into list: inout [WMSLayer]) {
        list.append(self)
        for child in children { child.collect(into: &list) }
    }
}

extension WMSLayer {
    /// The names of the layer's systems besides the first ones, those that it inherits.
    ///
    /// - Parameter inherited: how many the layer around it has; one that has fewer inherits none.
    package func crsNames(besides inherited: Int) -> ArraySlice<String> {
        crsNames.count < inherited ? crsNames[...] : crsNames.dropFirst(inherited)
    }
}

/// A way a layer can be drawn.
public struct WMSStyle: Hashable, Sendable {
    /// A picture that explains the style.
    public struct Legend: Hashable, Sendable {
        /// The address of the picture.
        public var url: String
        /// Its format, or `nil` when the service does not tell.
        public var format: String?
        /// Pixels in a row, or `nil` when the service does not tell.
        public var width: Int?
        /// Rows of pixels, or `nil` when the service does not tell.
        public var height: Int?
    }

    /// The name to ask for it by.
    public var name: String
    /// The title for people.
    public var title: String
    /// The description, or `nil`.
    public var abstract: String?
    /// Its legends.
    public var legends: [Legend]
    /// The style sheet it is drawn by, or `nil`.
    public var styleSheet: WMSLink?
    /// A page about it, or `nil`.
    public var page: WMSLink?
}

/// A dimension of a layer besides the two of the map, as time or elevation.
public struct WMSDimension: Hashable, Sendable {
    /// The name in small letters, as `time`.
    public var name: String
    /// The unit of its values, as `ISO8601`.
    public var units: String
    /// The symbol of the unit, or `nil`.
    public var unitSymbol: String?
    /// The value taken when none is asked for, or `nil`.
    public var defaultValue: String?
    /// The values there are: a list between commas, or `min/max/step`.
    public var values: String
    /// Whether the nearest value is taken for one that is not there.
    public var takesNearest: Bool
    /// Whether several values may be asked for at once.
    public var takesSeveral: Bool
    /// Whether `current` may be asked for, the newest value of data that keep coming in.
    public var takesCurrent = false

    /// The parameter to ask with: `TIME`, `ELEVATION` or `DIM_` and the name (OGC 06-042 annex C.4).
    public var parameterName: String { Self.parameterName(of: name) }

    /// The parameter to ask for a dimension with; a name that is one already stays.
    package static func parameterName(of name: String) -> String {
        let name = name.uppercased()
        return ["TIME", "ELEVATION"].contains(name) || name.hasPrefix("DIM_") ? name : "DIM_" + name
    }
}

/// The attribution of a picture.
public struct WMSAttribution: Hashable, Sendable {
    /// The words to show, or `nil`.
    public var title: String?
    /// A page about the provider, or `nil`.
    public var url: String?
    /// A logo to show, or `nil`.
    public var logo: WMSStyle.Legend?
    /// The address of the logo, or `nil`.
    public var logoURL: String? { logo?.url }
}

/// The box of a layer in one coordinate reference system.
public struct WMSBoundingBox: Hashable, Sendable {
    /// The system's name as the document writes it.
    public var crsName: String
    /// The system, or `nil` when it is not in the catalogue.
    public var crs: CRS?
    /// The box, x east, in units of the system.
    public var box: BoundingBox
    /// Whether the document writes its axes the wrong way round; ``box`` is put right.
    public var isFlipped = false
    /// Units a pixel of the data along x, or `nil`.
    public var resolutionX: Double?
    /// Units a pixel of the data along y, or `nil`.
    public var resolutionY: Double?
}

/// An address that a layer or a style names for more about it.
public struct WMSLink: Hashable, Sendable {
    /// The address.
    public var url: String
    /// The format of what is there, a media type, or `nil` when the service does not tell.
    public var format: String?
    /// The standard that metadata follow, as `FGDC` or `ISO19115:2003`, or `nil`.
    public var type: String?

    /// Creates a link.
    public init(url: String, format: String? = nil, type: String? = nil) {
        self.url = url
        self.format = format
        self.type = type
    }
}

/// Further information about a layer (OGC 06-042 7.2.4.6.11 to 7.2.4.6.15).
public struct WMSLayerReferences: Hashable, Sendable {
    /// A layer's number in the catalogue of an authority.
    public struct Identifier: Hashable, Sendable {
        /// The name of the authority; ``WMSLayerReferences/authorities`` has its address.
        public var authority: String
        /// The number.
        public var value: String
    }

    /// Descriptions of the data.
    public var metadata: [WMSLink] = []
    /// The data themselves.
    public var data: [WMSLink] = []
    /// Lists of the features shown.
    public var featureLists: [WMSLink] = []
    /// The layer's numbers in catalogues.
    public var identifiers: [Identifier] = []
    /// The addresses of the authorities that ``identifiers`` name, those of the layers around it among them.
    public var authorities: [String: String] = [:]

    /// Creates references to nothing.
    public init() {}
}
