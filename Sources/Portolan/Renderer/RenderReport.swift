/// What a picture shows, where its parts came from and what is missing of it.
///
/// Its JSON, by `Codable`, is the format of `portolan render --report`.
public struct RenderReport: Hashable, Sendable, Codable {
    /// Whether nothing is missing.
    public internal(set) var complete: Bool
    /// What the picture shows.
    public internal(set) var view: View
    /// The layers, bottom first.
    public internal(set) var layers: [Layer]
    /// How long the steps took.
    public internal(set) var milliseconds: Milliseconds
    /// What else a person should know, a sentence each.
    public internal(set) var warnings: [String]

    /// The view that was drawn.
    public struct View: Hashable, Sendable, Codable {
        /// The name of the map's CRS.
        public let crs: String
        /// minX, minY, maxX, maxY in units of the CRS, x east.
        public let extent: [Double]
        /// Units of the CRS a view pixel.
        public let resolution: Double
        /// The zoom level, with its fraction.
        public let zoom: Double
        /// The bearing that points up, in degrees.
        public let rotation: Double
        /// Width and height in view pixels.
        public let size: [Int]
        /// Picture pixels a view pixel.
        public let pixelRatio: Double
    }

    /// What became of one layer.
    public struct Layer: Hashable, Sendable, Codable {
        /// The layer's name.
        public let name: String
        /// `wms`, `wmsc`, `xyz` or `features`.
        public let kind: String
        /// Resources the view needed.
        public internal(set) var requested: Int
        /// Resources that were transferred.
        public internal(set) var fetched: Int
        /// Resources that were in memory already.
        public internal(set) var cached: Int
        /// Resources shown although they are out of date.
        public internal(set) var stale: Int
        /// Resources that are missing on the picture.
        public internal(set) var failed: [Failure]
        /// Who is to be named, or `nil`.
        public let attribution: String?
    }

    /// One resource that is missing.
    public struct Failure: Hashable, Sendable, Codable {
        /// The tile or extent, and its URL without secrets.
        public let resource: String
        /// What went wrong; the server's own words where it sent any.
        public let error: String
    }

    /// Wall-clock milliseconds of the steps; decoding runs while other resources are fetched, so it is a part of `fetch`.
    public struct Milliseconds: Hashable, Sendable, Codable {
        /// Deciding what is needed.
        public internal(set) var plan = 0.0
        /// Getting and decoding it.
        public internal(set) var fetch = 0.0
        /// Decoding alone, summed over all resources.
        public internal(set) var decode = 0.0
        /// Painting.
        public internal(set) var paint = 0.0
        /// Encoding; 0 until a caller encodes the picture and says so.
        public var encode = 0.0
        /// Everything.
        public var total = 0.0
    }

    /// How many resources the view needed, over all layers.
    public var requestedCount: Int { layers.reduce(0) { $0 + $1.requested } }

    /// How many of them are missing.
    public var failedCount: Int { layers.reduce(0) { $0 + $1.failed.count } }
}
