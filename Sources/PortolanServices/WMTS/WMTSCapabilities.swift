public import PortolanGeo
public import PortolanWeb

/// The capabilities of a Web Map Tile Service.
///
/// It follows OGC 07-057r7 (WMTS 1.0.0) clause 7.1 and OGC 06-121r3 (OWS Common 1.1.0).
public struct WMTSCapabilities: Hashable, Sendable {
    /// The version as written in the document.
    public var versionText: String
    /// A value that changes with the document, or `nil`.
    public var updateSequence: String?
    /// The provider of the service and its terms of use.
    public var service: WMTSCapabilities.Service
    /// The operations, in the order of the document.
    ///
    /// A RESTful service may list none.
    public var operations: [WMTSCapabilities.Operation]
    /// The layers, in the order of the document.
    public var layers: [WMTSCapabilities.Layer]
    /// The tile matrix sets of the layers.
    public var matrixSets: [WMTSCapabilities.MatrixSet]
    /// The RESTful URL of the document, or `nil`.
    public var documentURL: String?
    /// Warnings about the document.
    public var warnings: [MapWarning]

    /// Returns the operation with a name, ignoring case, or `nil`.
    public func operation(named name: String) -> WMTSCapabilities.Operation? {
        operations.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Returns the layer with exactly this identifier, or `nil`.
    ///
    /// - Complexity: linear in the number of layers.
    public func layer(named name: String) -> WMTSCapabilities.Layer? { layers.first { $0.identifier == name } }

    /// Returns the matrix set with exactly this identifier, or `nil`.
    public func matrixSet(named name: String) -> WMTSCapabilities.MatrixSet? {
        matrixSets.first { $0.identifier == name }
    }
}

extension WMTSCapabilities {
    /// The provider of a tile service and its terms of use.
    public struct Service: Hashable, Sendable {
        /// The title.
        public var title = ""
        /// The description, or `nil`.
        public var abstract: String?
        /// The keywords.
        public var keywords: [String] = []
        /// The fees, or `nil`.
        public var fees: String?
        /// The access constraints, or `nil`.
        public var accessConstraints: String?
        /// The organization that provides the service, or `nil`.
        public var provider: String?
        /// The web page of the organization, or `nil`.
        public var providerSite: String?
    }
}

extension WMTSCapabilities {
    /// An operation of a tile service.
    public struct Operation: Hashable, Sendable {
        /// A URL for GET requests, and its supported encodings.
        public struct Endpoint: Hashable, Sendable {
            /// The URL.
            public var url: String
            /// The values of its constraint `GetEncoding`, such as `KVP` and `RESTful`; empty without a constraint.
            public var encodings: [String]

            /// Creates an endpoint.
            public init(url: String, encodings: [String] = []) {
                self.url = url
                self.encodings = encodings
            }

            /// Whether it supports requests with parameters, which is the default without a constraint (OGC 07-057r7
            /// 8.2.1).
            public var takesParameters: Bool { encodings.isEmpty || encodings.contains { $0.uppercased() == "KVP" } }
        }

        /// The name, such as `GetTile`.
        public var name: String
        /// The URLs for GET requests, in the order of the document.
        public var endpoints: [Endpoint]

        /// The first URL that supports requests with parameters, or `nil`.
        public var parameterURL: String? { endpoints.first(where: \.takesParameters)?.url }
    }
}

extension WMTSCapabilities {
    /// A tile matrix set as described by a service.
    public struct MatrixSet: Hashable, Sendable {
        /// A tile matrix, with the numbers in the document.
        public struct Matrix: Hashable, Sendable {
            /// The identifier in requests.
            public var identifier: String
            /// The scale denominator, for pixels of 0.28 mm unless the service is wrong.
            public var scaleDenominator: Double
            /// The first coordinate of the top left corner, in the order of the document.
            public var cornerFirst: Double
            /// The second coordinate of the top left corner, in the order of the document.
            public var cornerSecond: Double
            /// The width of a tile in pixels.
            public var tileWidth: Int
            /// The height of a tile in pixels.
            public var tileHeight: Int
            /// The number of tile columns.
            public var columnCount: Int
            /// The number of tile rows.
            public var rowCount: Int
        }

        /// The identifier in requests.
        public var identifier: String
        /// The title, or `nil`.
        public var title: String?
        /// The name of the CRS as written in the document.
        public var crsName: String
        /// The CRS, or `nil` if it is not in the catalogue.
        public var crs: CRS?
        /// The extent, or `nil` if it is not stated.
        public var box: WMTSCapabilities.Layer.Box?
        /// The name of the well-known scale set of its levels, or `nil`.
        public var wellKnownScaleSet: String?
        /// The levels, in the order of the document.
        public var matrices: [Matrix]
    }
}

extension WMTSCapabilities.MatrixSet {
    /// Returns the grid of the whole set, with notes about corrections; the grid is `nil` if its CRS is unknown or no
    /// level is usable.
    package func grid() -> (grid: TileGrid?, notes: [MapWarning]) {
        let anyLayer = WMTSCapabilities.Layer(
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
