package import PortolanProtobuf

extension RealtimeMessage {
    /// Which trip (TripDescriptor).
    public struct TripDescriptor: Hashable, Sendable {
        /// How a trip is to its timetable.
        public enum Relationship: Int, Hashable, Sendable {
            case scheduled = 0
            case added = 1
            case unscheduled = 2
            case canceled = 3
            case replacement = 5
            case duplicated = 6
            case deleted = 7
            case new = 8
        }

        /// The identifier in the timetable.
        public var trip: String?
        /// When it begins, as "08:15:00".
        public var startTime: String?
        /// The day on which it begins, as "20261123".
        public var startDate: String?
        /// How it is to its timetable.
        public var relationship: Relationship?
        /// The identifier of the line.
        public var route: String?
        /// The direction, 0 or 1.
        public var direction: Int?

        /// Makes a descriptor.
        public init() {}
    }

    /// What became of a trip (TripUpdate).
    public struct TripUpdate: Hashable, Sendable {
        /// Which trip.
        public var trip: TripDescriptor?
        /// What becomes of it at its stops, in their order.
        public var stops: [StopTimeUpdate] = []
        /// The vehicle.
        public var vehicle: VehicleDescriptor?
        /// When it was measured, in seconds since 1970.
        public var timestamp: UInt64?
        /// How late it is, in seconds; negative when early.
        public var delay: Int?
        /// What is new of a trip that was copied or added.
        public var properties: TripProperties?

        /// Makes an update.
        public init() {}
    }

    /// What becomes of a trip at a stop (StopTimeUpdate).
    public struct StopTimeUpdate: Hashable, Sendable {
        /// How a stop is to the timetable.
        public enum Relationship: Int, Hashable, Sendable { case scheduled = 0, skipped, noData, unscheduled }

        /// The place in the trip (`stop_sequence`).
        public var sequence: Int?
        /// When it arrives.
        public var arrival: Event?
        /// When it departs.
        public var departure: Event?
        /// The identifier of the stop.
        public var stop: String?
        /// How the stop is to the timetable.
        public var relationship: Relationship?
        /// What is new of the stop.
        public var properties: StopProperties?
        /// How full it is when it leaves.
        public var occupancy: Occupancy?

        /// Makes an update.
        public init() {}
    }

    /// A time at a stop (StopTimeEvent).
    public struct Event: Hashable, Sendable {
        /// How late it is, in seconds; negative when early.
        public var delay: Int?
        /// When it is, in seconds since 1970.
        public var time: Int?
        /// How wrong that may be, in seconds.
        public var uncertainty: Int?
        /// When it is by the timetable, in seconds since 1970.
        public var scheduled: Int?

        /// Makes a time.
        public init(delay: Int? = nil, time: Int? = nil) {
            self.delay = delay
            self.time = time
        }
    }

    /// What is new of a trip (TripProperties).
    public struct TripProperties: Hashable, Sendable {
        /// The identifier of the new trip.
        public var trip: String?
        /// When it begins.
        public var startDate: String?, startTime: String?
        /// The identifier of its way.
        public var shape: String?
        /// Where it goes.
        public var headsign: String?
        /// What riders call it.
        public var shortName: String?

        /// Makes properties.
        public init() {}
    }

    /// What is new of a stop (StopTimeProperties).
    public struct StopProperties: Hashable, Sendable {
        /// Whether one may board or leave.
        public enum Boarding: Int, Hashable, Sendable { case regular = 0, none, phoneAgency, coordinateWithDriver }

        /// The identifier of the stop that takes its place.
        public var stop: String?
        /// Where the vehicle goes from there, as it shows.
        public var headsign: String?
        /// Whether one may board.
        public var pickup: Boarding?
        /// Whether one may leave.
        public var dropOff: Boarding?

        /// Makes properties.
        public init() {}
    }
}

extension RealtimeMessage.TripDescriptor: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: trip = reader.text(field) ?? trip
        case 2: startTime = reader.text(field) ?? startTime
        case 3: startDate = reader.text(field) ?? startDate
        case 4: relationship = field.value(as: Relationship.self) ?? relationship
        case 5: route = reader.text(field) ?? route
        case 6: direction = field.uint32 ?? direction
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, trip)
        writer.write(2, startTime)
        writer.write(3, startDate)
        writer.write(4, relationship)
        writer.write(5, route)
        writer.write(6, direction)
    }
}

extension RealtimeMessage.TripUpdate: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: try reader.read(field, into: &trip)
        case 2: try reader.append(field, to: &stops)
        case 3: try reader.read(field, into: &vehicle)
        case 4: timestamp = field.uint64 ?? timestamp
        case 5: delay = field.int32 ?? delay
        case 6: try reader.read(field, into: &properties)
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, trip)
        writer.write(2, stops)
        writer.write(3, vehicle)
        writer.write(4, timestamp)
        writer.write(5, delay)
        writer.write(6, properties)
    }

    package var missing: StaticString? { trip == nil ? "an update names no trip" : nil }
}

extension RealtimeMessage.StopTimeUpdate: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: sequence = field.uint32 ?? sequence
        case 2: try reader.read(field, into: &arrival)
        case 3: try reader.read(field, into: &departure)
        case 4: stop = reader.text(field) ?? stop
        case 5: relationship = field.value(as: Relationship.self) ?? relationship
        case 6: try reader.read(field, into: &properties)
        case 7: occupancy = field.value(as: RealtimeMessage.Occupancy.self) ?? occupancy
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, sequence)
        writer.write(2, arrival)
        writer.write(3, departure)
        writer.write(4, stop)
        writer.write(5, relationship)
        writer.write(6, properties)
        writer.write(7, occupancy)
    }
}

extension RealtimeMessage.Event: WireMessage {
    package init() { self.init(delay: nil) }

    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: delay = field.int32 ?? delay
        case 2: time = field.int64 ?? time
        case 3: uncertainty = field.int32 ?? uncertainty
        case 4: scheduled = field.int64 ?? scheduled
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, delay)
        writer.write(2, time)
        writer.write(3, uncertainty)
        writer.write(4, scheduled)
    }
}

extension RealtimeMessage.TripProperties: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: trip = reader.text(field) ?? trip
        case 2: startDate = reader.text(field) ?? startDate
        case 3: startTime = reader.text(field) ?? startTime
        case 4: shape = reader.text(field) ?? shape
        case 5: headsign = reader.text(field) ?? headsign
        case 6: shortName = reader.text(field) ?? shortName
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, trip)
        writer.write(2, startDate)
        writer.write(3, startTime)
        writer.write(4, shape)
        writer.write(5, headsign)
        writer.write(6, shortName)
    }
}

extension RealtimeMessage.StopProperties: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: stop = reader.text(field) ?? stop
        case 2: headsign = reader.text(field) ?? headsign
        case 3: pickup = field.value(as: Boarding.self) ?? pickup
        case 4: dropOff = field.value(as: Boarding.self) ?? dropOff
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, stop)
        writer.write(2, headsign)
        writer.write(3, pickup)
        writer.write(4, dropOff)
    }
}
