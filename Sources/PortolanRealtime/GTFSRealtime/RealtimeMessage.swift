package import PortolanProtobuf

/// A GTFS Realtime message with vehicles, trip updates and alerts (GTFS Realtime 2.0, FeedMessage).
///
/// An entity with several parts appears in several lists. Unsupported entities (shapes, stops and trip modifications)
/// and extensions are dropped.
public struct RealtimeMessage: Hashable, Sendable {
    /// The completeness of a message.
    public enum Incrementality: Int, Hashable, Sendable {
        /// The message contains the full state.
        case fullDataset = 0
        /// The message contains only changes.
        case differential = 1
    }

    /// The header of a message (FeedHeader).
    public struct Header: Hashable, Sendable {
        /// The version of the specification, such as "2.0".
        public var version = ""
        /// The completeness.
        ///
        /// `nil` means a full state.
        public var incrementality: Incrementality?
        /// The time of the message, in seconds since 1970.
        public var timestamp: UInt64?
        /// The version of the corresponding timetable.
        public var feedVersion: String?

        /// Creates a header.
        public init() {}
    }

    /// A value with its entity identifier.
    public struct Entity<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The identifier within the feed.
        public var id: String
        /// The value.
        public var value: Value

        /// Creates an entity.
        public init(id: String, _ value: Value) {
            self.id = id
            self.value = value
        }
    }

    /// The header.
    public var header = Header()
    /// The vehicle positions.
    public var vehicles: [Entity<VehiclePosition>] = []
    /// The trip updates.
    public var trips: [Entity<TripUpdate>] = []
    /// The service alerts.
    public var alerts: [Entity<Alert>] = []
    /// The identifiers of deleted entities.
    public var deleted: [String] = []
    /// The errors of omitted entities, at most twenty.
    public var faults: [FeedError] = []
    /// The number of omitted entities.
    public var faultCount = 0

    /// The first error if no entity is readable, otherwise `nil`.
    package var fault: FeedError? { vehicles.isEmpty && trips.isEmpty && alerts.isEmpty ? faults.first : nil }

    /// The omitted entities.
    package var losses: FeedLosses { FeedLosses(count: faultCount, faults: faults) }

    /// Creates an empty message.
    public init() {}
}

extension RealtimeMessage {
    /// The limits of GTFS Realtime messages.
    public struct Limits: Hashable, Sendable {
        /// The maximum size in bytes; 64 MiB by default.
        public var byteCount: Int
        /// The maximum number of entities, stop times, periods, targets and translations together; one million by default.
        public var elementCount: Int

        /// Creates limits.
        public init(byteCount: Int = 64 << 20, elementCount: Int = 1_000_000) {
            self.byteCount = byteCount
            self.elementCount = elementCount
        }
    }
}

extension RealtimeMessage {
    private static let faultLimit = 20

    /// Reads a message.
    ///
    /// Invalid entities are omitted and listed in ``faults``.
    ///
    /// - Parameter source: the name of the source in errors, without secrets.
    /// - Throws: ``FeedError`` with a byte offset if the message itself is invalid, has no header or exceeds a limit.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(
        bytes: [UInt8], source: String = "GTFS Realtime", limits: RealtimeMessage.Limits = RealtimeMessage.Limits()
    ) throws(FeedError) {
        guard bytes.count <= limits.byteCount else {
            throw FeedError(.limitExceeded, source: source, "exceeds \(limits.byteCount) bytes")
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
        guard let header else { throw FeedError(.malformed, source: source, offset: 0, "missing header") }
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

    /// The encoded message: header, vehicles, trip updates, alerts and deletions.
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

/// The wire format of an entity (FeedEntity).
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
    /// Converts an error of the Protocol Buffers reader.
    init(_ fault: WireError, of source: String) {
        let code: Code =
            switch fault.code {
            case .malformed: .malformed
            case .limitExceeded: .limitExceeded
            }
        self.init(code, source: source, offset: fault.offset, "\(fault.reason)")
    }
}
