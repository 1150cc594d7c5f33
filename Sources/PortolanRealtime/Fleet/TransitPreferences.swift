import Foundation

/// The persistent state of a transit app: filters, map view and cache validators.
public struct TransitPreferences: Hashable, Sendable, Codable {
    /// A map view, in degrees (WGS 84).
    public struct Region: Hashable, Sendable, Codable {
        /// The centre.
        public var longitude: Double, latitude: Double
        /// The zoom level.
        public var zoom: Double

        /// Creates a region.
        public init(longitude: Double, latitude: Double, zoom: Double) {
            self.longitude = longitude
            self.latitude = latitude
            self.zoom = zoom
        }

        /// Whether all values are in range.
        var isValid: Bool { abs(longitude) <= 180 && abs(latitude) <= 90 && (0...30).contains(zoom) }
    }

    /// The version of the format.
    public private(set) var version = 1
    /// Whether the app is used for the first time.
    public var isFirstRun = true
    /// The visibility of lines.
    public var filters = TransitPreferences.Filters()
    /// The last map view, or `nil`.
    public var region: Region?
    /// Whether the map follows the position of the user.
    public var followsPosition = false
    /// The identifier of the followed vehicle, or `nil`.
    public var followedVehicle: String?
    /// The `Last-Modified` date of the cached lines and stops.
    public var lastModified: String?
    /// The `ETag` of the cached lines and stops.
    public var entityTag: String?
    /// Whether usage statistics are allowed.
    public var allowsUsage = false
    /// The identifiers of alerts that were read.
    public var readDisruptions: Set<String> = []

    /// Creates the preferences of a new user.
    public init() {}

    private static let byteLimit = 4 << 20

    /// Reads preferences from the JSON of ``json``.
    ///
    /// Missing parts get the defaults.
    ///
    /// - Throws: ``FeedError`` if the JSON is invalid or too large.
    public init(json: [UInt8], source: String = "preferences") throws(FeedError) {
        guard json.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "exceeds \(Self.byteLimit) bytes")
        }
        let read: TransitPreferences
        do { read = try JSONDecoder().decode(TransitPreferences.self, from: Data(json)) } catch {
            throw FeedError(.malformed, source: source, "cannot read it")
        }
        guard read.version == 1 else { throw FeedError(.unsupported, source: source, "written by a newer version") }
        self = read
        if region?.isValid == false { region = nil }
    }

    /// Decodes each part separately.
    ///
    /// Missing parts get the defaults.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decodeIfPresent(Int.self, forKey: .version) ?? version
        isFirstRun = try values.decodeIfPresent(Bool.self, forKey: .isFirstRun) ?? isFirstRun
        filters = try values.decodeIfPresent(TransitPreferences.Filters.self, forKey: .filters) ?? filters
        region = try values.decodeIfPresent(Region.self, forKey: .region)
        followsPosition = try values.decodeIfPresent(Bool.self, forKey: .followsPosition) ?? followsPosition
        followedVehicle = try values.decodeIfPresent(String.self, forKey: .followedVehicle)
        lastModified = try values.decodeIfPresent(String.self, forKey: .lastModified)
        entityTag = try values.decodeIfPresent(String.self, forKey: .entityTag)
        allowsUsage = try values.decodeIfPresent(Bool.self, forKey: .allowsUsage) ?? allowsUsage
        readDisruptions = try values.decodeIfPresent(Set<String>.self, forKey: .readDisruptions) ?? []
    }

    /// The preferences as JSON.
    ///
    /// Equal preferences have equal bytes.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var copy = self
        if region?.isValid == false { copy.region = nil }
        return ((try? encoder.encode(copy)).map { [UInt8]($0) }) ?? []
    }
}
