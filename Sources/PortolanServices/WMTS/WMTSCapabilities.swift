public import PortolanGeo
public import PortolanWeb

/// The offer of a Web Map Tile Service: its capabilities document.
///
/// Follows OGC 07-057r7 (WMTS 1.0.0) clause 7.1 and OGC 06-121r3 (OWS Common 1.1.0).
public struct WMTSCapabilities: Hashable, Sendable {
    /// The version as the document writes it.
    public var versionText: String
    /// A value that changes when the document does, or `nil`.
    public var updateSequence: String?
    /// The provider of the service and its terms.
    public var service: WMTSService
    /// The operations, in the order of the document; a service by path alone may list none.
    public var operations: [WMTSOperation]
    /// The layers, in the order of the document.
    public var layers: [WMTSLayer]
    /// The pyramids that the layers are cut by.
    public var matrixSets: [WMTSMatrixSet]
    /// The address of the document itself by path, or `nil`.
    public var documentURL: String?
    /// Oddities of the document, a line each.
    public var warnings: [MapWarning]

    /// The operation with a name, whatever the case, or `nil`.
    public func operation(named name: String) -> WMTSOperation? {
        operations.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The layer with an identifier, letter for letter, or `nil`.
    ///
    /// - Complexity: linear in the number of layers.
    public func layer(named name: String) -> WMTSLayer? { layers.first { $0.identifier == name } }

    /// The matrix set with an identifier, letter for letter, or `nil`.
    public func matrixSet(named name: String) -> WMTSMatrixSet? { matrixSets.first { $0.identifier == name } }
}

/// The provider of a tile service and its terms.
public struct WMTSService: Hashable, Sendable {
    /// The title for people.
    public var title = ""
    /// The description, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String] = []
    /// The fees, or `nil`.
    public var fees: String?
    /// The access constraints, or `nil`.
    public var accessConstraints: String?
    /// The organization that answers for it, or `nil`.
    public var provider: String?
    /// A page of that organization, or `nil`.
    public var providerSite: String?
}

/// An operation of a tile service.
public struct WMTSOperation: Hashable, Sendable {
    /// An address for GET requests, and the ways of asking that it understands.
    public struct Endpoint: Hashable, Sendable {
        /// The address.
        public var url: String
        /// The values of its constraint `GetEncoding`, as `KVP` and `RESTful`; empty when it has none.
        public var encodings: [String]

        /// Creates an address.
        public init(url: String, encodings: [String] = []) {
            self.url = url
            self.encodings = encodings
        }

        /// Whether it takes requests with parameters; an address that says nothing does (OGC 07-057r7 8.2.1).
        public var takesParameters: Bool { encodings.isEmpty || encodings.contains { $0.uppercased() == "KVP" } }
    }

    /// The name, as `GetTile`.
    public var name: String
    /// The addresses for GET requests, in the order of the document.
    public var endpoints: [Endpoint]

    /// The first address that takes requests with parameters, or `nil`.
    public var parameterURL: String? { endpoints.first(where: \.takesParameters)?.url }
}

/// A pyramid of tiles as a service describes it.
public struct WMTSMatrixSet: Hashable, Sendable {
    /// One level, in the numbers of the document.
    public struct Matrix: Hashable, Sendable {
        /// The name to ask for it by.
        public var identifier: String
        /// The scale denominator, for pixels of 0.28 mm unless the service errs.
        public var scaleDenominator: Double
        /// The first number of the top left corner, in the order of the document.
        public var cornerFirst: Double
        /// The second number of the top left corner, in the order of the document.
        public var cornerSecond: Double
        /// Pixels in a row of a tile.
        public var tileWidth: Int
        /// Rows of pixels of a tile.
        public var tileHeight: Int
        /// The number of tile columns.
        public var columnCount: Int
        /// The number of tile rows.
        public var rowCount: Int
    }

    /// The name to ask for it by.
    public var identifier: String
    /// The title for people, or `nil`.
    public var title: String?
    /// The reference system's name as the document writes it.
    public var crsName: String
    /// The system, or `nil` when it is not in the catalogue.
    public var crs: CRS?
    /// The extent, or `nil` when the document does not state it.
    public var box: WMTSLayer.Box?
    /// The name of the well-known scale set that its levels are of, or `nil`.
    public var wellKnownScaleSet: String?
    /// The levels, in the order of the document.
    public var matrices: [Matrix]
}

extension WMTSMatrixSet {
    /// The grid of the whole set, or `nil` when its system is not known or no level is usable; and what was put right.
    package func grid() -> (grid: TileGrid?, notes: [MapWarning]) {
        let anyLayer = WMTSLayer(
            identifier: "", title: "", abstract: nil, keywords: [], geographicBox: nil, boundingBoxes: [], styles: [],
            formats: [], infoFormats: [], dimensions: [], links: [], resources: [])
        var maker = WMTSGrid(of: self, for: anyLayer)
        do {
            let grid = try maker.grid()
            return (grid, maker.notes.warnings)
        } catch {
            var notes = maker.notes
            notes.add("matrix set '\(identifier)': \(error)")
            return (nil, notes.warnings)
        }
    }
}
