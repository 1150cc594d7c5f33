package import PortolanProtobuf

extension RealtimeMessage {
    /// A reference to a trip (TripDescriptor).
    public struct TripDescriptor: Hashable, Sendable {
        /// The relation of a trip to its timetable.
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
        /// The start time, such as "08:15:00".
        public var startTime: String?
        /// The service day, such as "20261123".
        public var startDate: String?
        /// The relation to the timetable.
        public var relationship: Relationship?
        /// The identifier of the line.
        public var route: String?
        /// The direction, 0 or 1.
        public var direction: Int?

        /// Creates a descriptor.
        public init() {}
    }

    /// The live state of a trip (TripUpdate).
    public struct TripUpdate: Hashable, Sendable {
        /// The trip.
        public var trip: TripDescriptor?
        /// The updates of its stops in order.
        public var stops: [StopTimeUpdate] = []
        /// The vehicle.
        public var vehicle: VehicleDescriptor?
        /// The time of the measurement, in seconds since 1970.
        public var timestamp: UInt64?
        /// The delay in seconds; negative if the trip is early.
        public var delay: Int?
        /// The changed properties of a copied or added trip.
        public var properties: TripProperties?

        /// Creates an update.
        public init() {}
    }

    /// The live state of a trip at a stop (StopTimeUpdate).
    public struct StopTimeUpdate: Hashable, Sendable {
        /// The relation of a stop to the timetable.
        public enum Relationship: Int, Hashable, Sendable { case scheduled = 0, skipped, noData, unscheduled }

        /// The position in the trip (`stop_sequence`).
        public var sequence: Int?
        /// The arrival.
        public var arrival: Event?
        /// The departure.
        public var departure: Event?
        /// The identifier of the stop.
        public var stop: String?
        /// The relation to the timetable.
        public var relationship: Relationship?
        /// The changed properties of the stop.
        public var properties: StopProperties?
        /// The occupancy at departure.
        public var occupancy: Occupancy?

        /// Creates an update.
        public init() {}
    }

    /// An arrival or a departure (StopTimeEvent).
    public struct Event: Hashable, Sendable {
        /// The delay in seconds; negative if the vehicle is early.
        public var delay: Int?
        /// The time in seconds since 1970.
        public var time: Int?
        /// The uncertainty in seconds.
        public var uncertainty: Int?
        /// The scheduled time in seconds since 1970.
        public var scheduled: Int?

        /// Creates an event.
        public init(delay: Int? = nil, time: Int? = nil) {
            self.delay = delay
            self.time = time
        }
    }

    /// The changed properties of a trip (TripProperties).
    public struct TripProperties: Hashable, Sendable {
        /// The identifier of the new trip.
        public var trip: String?
        /// The service day and the start time.
        public var startDate: String?, startTime: String?
        /// The identifier of the shape.
        public var shape: String?
        /// The destination.
        public var headsign: String?
        /// The name shown to passengers.
        public var shortName: String?

        /// Creates properties.
        public init() {}
    }

    /// The changed properties of a stop (StopTimeProperties).
    public struct StopProperties: Hashable, Sendable {
        /// The rule for boarding or alighting.
        public enum Boarding: Int, Hashable, Sendable { case regular = 0, none, phoneAgency, coordinateWithDriver }

        /// The identifier of the replacement stop.
        public var stop: String?
        /// The headsign from this stop on.
        public var headsign: String?
        /// The rule for boarding.
        public var pickup: Boarding?
        /// The rule for alighting.
        public var dropOff: Boarding?

        /// Creates properties.
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
