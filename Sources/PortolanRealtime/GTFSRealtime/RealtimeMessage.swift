package import PortolanProtobuf

/// A message of GTFS Realtime: what a server says of vehicles, trips and notices (GTFS Realtime 2.0, FeedMessage).
///
/// An entity that says several things stands in several of its lists. Of entities that are not read (shapes, stops and changes
/// of trips) and of extensions nothing is kept.
public struct RealtimeMessage: Hashable, Sendable {
    /// Whether a message tells all there is, or what changed.
    public enum Incrementality: Int, Hashable, Sendable {
        /// All there is.
        case fullDataset = 0
        /// What changed.
        case differential = 1
    }

    /// What a message says of itself (FeedHeader).
    public struct Header: Hashable, Sendable {
        /// The version of the specification, as "2.0".
        public var version = ""
        /// Whether it tells all there is; it does where this is `nil`.
        public var incrementality: Incrementality?
        /// When it was made, in seconds since 1970.
        public var timestamp: UInt64?
        /// The version of the timetable to which it belongs.
        public var feedVersion: String?

        /// Makes a header.
        public init() {}
    }

    /// Something that is said, with the identifier that it has within the feed.
    public struct Entity<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The identifier within the feed.
        public var id: String
        /// What is said.
        public var value: Value

        /// Makes an entity.
        public init(id: String, _ value: Value) {
            self.id = id
            self.value = value
        }
    }

    /// What it says of itself.
    public var header = Header()
    /// Where vehicles are.
    public var vehicles: [Entity<VehiclePosition>] = []
    /// What became of trips.
    public var trips: [Entity<TripUpdate>] = []
    /// Notices.
    public var alerts: [Entity<Alert>] = []
    /// The identifiers of entities that are no more.
    public var deleted: [String] = []
    /// What is wrong with entities that were left out, the first twenty of them.
    public var faults: [FeedError] = []
    /// How many entities were left out.
    public var faultCount = 0

    /// Why it is of no use, where none of its entities can be read.
    package var fault: FeedError? { vehicles.isEmpty && trips.isEmpty && alerts.isEmpty ? faults.first : nil }

    /// The entities that were left out.
    package var losses: FeedLosses { FeedLosses(count: faultCount, faults: faults) }

    /// Makes a message that says nothing.
    public init() {}
}

/// The limits beyond which a message of GTFS Realtime is refused.
public struct RealtimeLimits: Hashable, Sendable {
    /// The most bytes; 64 MiB.
    public var byteCount: Int
    /// The most entities, times at stops, periods, targets and translations together; a million.
    public var elementCount: Int

    /// Makes limits.
    public init(byteCount: Int = 64 << 20, elementCount: Int = 1_000_000) {
        self.byteCount = byteCount
        self.elementCount = elementCount
    }
}

extension RealtimeMessage {
    private static let faultLimit = 20

    /// Reads a message.
    ///
    /// An entity that cannot be read is left out, and stands in ``faults``.
    ///
    /// - Parameter source: what the source is called in errors, without secrets.
    /// - Throws: ``FeedError`` with the byte, where the message itself cannot be read, has no header, or passes a limit.
    /// - Complexity: O(*n*) in the bytes.
    public init(
        bytes: [UInt8], source: String = "GTFS Realtime", limits: RealtimeLimits = RealtimeLimits()
    ) throws(FeedError) {
        guard bytes.count <= limits.byteCount else {
            throw FeedError(.limitExceeded, source: source, "it has more than \(limits.byteCount) bytes")
        }
        var reader = WireReader(bytes, elementLimit: limits.elementCount)
        var header: Header?
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: try reader.read(field, into: &header)
                case 2 where field.kind == .bytes: try takeEntity(field, from: &reader, source: source)
                default: break
                }
            }
        } catch { throw FeedError(error, of: source) }
        guard let header else { throw FeedError(.malformed, source: source, offset: 0, "it has no header") }
        self.header = header
    }

    private mutating func takeEntity(
        _ field: WireField, from reader: inout WireReader, source: String
    ) throws(WireError) {
        try reader.count(at: field.start)
        var entity = WireEntity()
        do throws(WireError) { try reader.read(field, into: &entity) } catch {
            guard error.code != .limitExceeded else { throw error }
            faultCount += 1
            if faults.count < Self.faultLimit { faults.append(FeedError(error, of: source)) }
            return
        }
        guard let id = entity.id else { return }
        if entity.isDeleted == true { return deleted.append(id) }
        if let vehicle = entity.vehicle { vehicles.append(Entity(id: id, vehicle)) }
        if let trip = entity.trip { trips.append(Entity(id: id, trip)) }
        if let alert = entity.alert { alerts.append(Entity(id: id, alert)) }
    }

    /// The message in bytes: header, vehicles, trips, notices, then what is deleted.
    public var bytes: [UInt8] {
        var writer = WireWriter()
        writer.write(1, header)
        for entity in vehicles { writer.write(2, WireEntity(id: entity.id, vehicle: entity.value)) }
        for entity in trips { writer.write(2, WireEntity(id: entity.id, trip: entity.value)) }
        for entity in alerts { writer.write(2, WireEntity(id: entity.id, alert: entity.value)) }
        for id in deleted { writer.write(2, WireEntity(id: id, isDeleted: true)) }
        return writer.bytes
    }
}

/// An entity as it stands on the wire (FeedEntity).
private struct WireEntity: WireMessage {
    var id: String?
    var isDeleted: Bool?
    var trip: RealtimeMessage.TripUpdate?
    var vehicle: RealtimeMessage.VehiclePosition?
    var alert: RealtimeMessage.Alert?

    init() {}

    init(
        id: String, isDeleted: Bool? = nil, trip: RealtimeMessage.TripUpdate? = nil,
        vehicle: RealtimeMessage.VehiclePosition? = nil, alert: RealtimeMessage.Alert? = nil
    ) {
        self.id = id
        self.isDeleted = isDeleted
        self.trip = trip
        self.vehicle = vehicle
        self.alert = alert
    }

    mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: id = reader.text(field) ?? id
        case 2: isDeleted = field.bool ?? isDeleted
        case 3: try reader.read(field, into: &trip)
        case 4: try reader.read(field, into: &vehicle)
        case 5: try reader.read(field, into: &alert)
        default: break
        }
    }

    func write(to writer: inout WireWriter) {
        writer.write(1, id)
        writer.write(2, isDeleted)
        writer.write(3, trip)
        writer.write(4, vehicle)
        writer.write(5, alert)
    }

    var missing: StaticString? { id == nil ? "an entity has no identifier" : nil }
}

extension RealtimeMessage.Header: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: version = reader.text(field) ?? version
        case 2: incrementality = field.value(as: RealtimeMessage.Incrementality.self) ?? incrementality
        case 3: timestamp = field.uint64 ?? timestamp
        case 4: feedVersion = reader.text(field) ?? feedVersion
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, version)
        writer.write(2, incrementality)
        writer.write(3, timestamp)
        writer.write(4, feedVersion)
    }
}

extension FeedError {
    /// The failure of reading a message of a source.
    init(_ fault: WireError, of source: String) {
        let code: Code =
            switch fault.code {
            case .malformed: .malformed
            case .limitExceeded: .limitExceeded
            }
        self.init(code, source: source, offset: fault.offset, "\(fault.reason)")
    }
}
