import Foundation

/// What an app keeps for a rider between two sessions: the filters, the view, and what is already on the device.
public struct TransitPreferences: Hashable, Sendable, Codable {
    /// What was in view: degrees (WGS 84).
    public struct Region: Hashable, Sendable, Codable {
        /// The middle.
        public var longitude: Double, latitude: Double
        /// The level of zoom.
        public var zoom: Double

        /// Makes a region.
        public init(longitude: Double, latitude: Double, zoom: Double) {
            self.longitude = longitude
            self.latitude = latitude
            self.zoom = zoom
        }

        /// Whether there is such a place.
        var isValid: Bool { abs(longitude) <= 180 && abs(latitude) <= 90 && (0...30).contains(zoom) }
    }

    /// The form in which it is kept.
    public private(set) var version = 1
    /// Whether the app has not been used before.
    public var isFirstRun = true
    /// What is shown of each line.
    public var filters = TransitFilters()
    /// What was in view, or `nil`.
    public var region: Region?
    /// Whether the map keeps to the position of the rider.
    public var followsPosition = false
    /// The identifier of the vehicle that is followed, or `nil`.
    public var followedVehicle: String?
    /// When lines and stops on this device were made, by their server (`Last-Modified`).
    public var lastModified: String?
    /// The tag of lines and stops on this device (`ETag`).
    public var entityTag: String?
    /// Whether usage may be counted.
    public var allowsUsage = false
    /// The identifiers of notices that were read.
    public var readDisruptions: Set<String> = []

    /// Makes the preferences of a new rider.
    public init() {}

    private static let byteLimit = 4 << 20

    /// Reads what ``json`` wrote; parts that are missing are as for a new rider.
    ///
    /// - Throws: ``FeedError``, where it is not that.
    public init(json: [UInt8], source: String = "preferences") throws(FeedError) {
        guard json.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "they have more than \(Self.byteLimit) bytes")
        }
        let read: TransitPreferences
        do { read = try JSONDecoder().decode(TransitPreferences.self, from: Data(json)) } catch {
            throw FeedError(.malformed, source: source, "they cannot be read")
        }
        guard read.version == 1 else { throw FeedError(.unsupported, source: source, "they are of a newer version") }
        self = read
        if region?.isValid == false { region = nil }
    }

    /// Reads one part after another.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decodeIfPresent(Int.self, forKey: .version) ?? version
        isFirstRun = try values.decodeIfPresent(Bool.self, forKey: .isFirstRun) ?? isFirstRun
        filters = try values.decodeIfPresent(TransitFilters.self, forKey: .filters) ?? filters
        region = try values.decodeIfPresent(Region.self, forKey: .region)
        followsPosition = try values.decodeIfPresent(Bool.self, forKey: .followsPosition) ?? followsPosition
        followedVehicle = try values.decodeIfPresent(String.self, forKey: .followedVehicle)
        lastModified = try values.decodeIfPresent(String.self, forKey: .lastModified)
        entityTag = try values.decodeIfPresent(String.self, forKey: .entityTag)
        allowsUsage = try values.decodeIfPresent(Bool.self, forKey: .allowsUsage) ?? allowsUsage
        readDisruptions = try values.decodeIfPresent(Set<String>.self, forKey: .readDisruptions) ?? []
    }

    /// The preferences as JSON; the same ones give the same bytes.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var copy = self
        if region?.isValid == false { copy.region = nil }
        return ((try? encoder.encode(copy)).map { [UInt8]($0) }) ?? []
    }
}
