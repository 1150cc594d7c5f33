package import PortolanProtobuf

extension RealtimeMessage {
    /// The position and state of a vehicle (VehiclePosition).
    public struct VehiclePosition: Hashable, Sendable {
        /// The status of a vehicle relative to its stop.
        public enum StopStatus: Int, Hashable, Sendable { case incomingAt = 0, stoppedAt, inTransitTo }

        /// The traffic conditions.
        public enum Congestion: Int, Hashable, Sendable {
            case unknownCongestionLevel = 0, runningSmoothly, stopAndGo, congestion, severeCongestion
        }

        /// The trip.
        public var trip: TripDescriptor?
        /// The position.
        public var position: Position?
        /// The position of its stop in the trip (`stop_sequence`).
        public var stopSequence: Int?
        /// The status relative to that stop.
        ///
        /// `nil` means in transit to it.
        public var status: StopStatus?
        /// The time of the measurement, in seconds since 1970.
        public var timestamp: UInt64?
        /// The traffic conditions.
        public var congestion: Congestion?
        /// The identifier of its stop.
        public var stop: String?
        /// The vehicle.
        public var vehicle: VehicleDescriptor?
        /// The occupancy.
        public var occupancy: Occupancy?
        /// The occupancy in percent.
        public var occupancyPercentage: Int?
        /// The carriages, from the front.
        public var carriages: [Carriage] = []

        /// Creates an empty vehicle position.
        public init() {}
    }

    /// A geographic position (Position).
    public struct Position: Hashable, Sendable {
        /// The coordinate in degrees (WGS 84), in the single precision of the format.
        public var latitude: Float?, longitude: Float?
        /// The bearing in degrees clockwise from north.
        public var bearing: Float?
        /// The driven distance in metres.
        public var odometer: Double?
        /// The speed in metres per second.
        public var speed: Float?

        /// Creates a position.
        public init(latitude: Float? = nil, longitude: Float? = nil) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The identification of a vehicle (VehicleDescriptor).
    public struct VehicleDescriptor: Hashable, Sendable {
        /// The wheelchair accessibility.
        public enum Access: Int, Hashable, Sendable {
            case noValue = 0, unknown, wheelchairAccessible, wheelchairInaccessible
        }

        /// The identifier within the system.
        public var id: String?
        /// The label shown on the vehicle.
        public var label: String?
        /// The number plate.
        public var plate: String?
        /// The wheelchair accessibility.
        public var access: Access?

        /// Creates a descriptor.
        public init(id: String? = nil, label: String? = nil) {
            self.id = id
            self.label = label
        }
    }

    /// The occupancy of a vehicle (OccupancyStatus).
    public enum Occupancy: Int, Hashable, Sendable {
        case empty = 0, manySeatsAvailable, fewSeatsAvailable, standingRoomOnly, crushedStandingRoomOnly, full
        case notAcceptingPassengers, noDataAvailable, notBoardable
    }

    /// A carriage (CarriageDetails).
    public struct Carriage: Hashable, Sendable {
        /// The identifier.
        public var id: String?
        /// The label shown on the carriage.
        public var label: String?
        /// The occupancy.
        public var occupancy: Occupancy?
        /// The occupancy in percent, or -1 if it is unknown.
        public var occupancyPercentage: Int?
        /// The position from the front, starting at 1.
        public var sequence: Int?

        /// Creates a carriage.
        public init() {}
    }
}

extension RealtimeMessage.VehiclePosition: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: try reader.read(field, into: &trip)
        case 2: try reader.read(field, into: &position)
        case 3: stopSequence = field.uint32 ?? stopSequence
        case 4: status = field.value(as: StopStatus.self) ?? status
        case 5: timestamp = field.uint64 ?? timestamp
        case 6: congestion = field.value(as: Congestion.self) ?? congestion
        case 7: stop = reader.text(field) ?? stop
        case 8: try reader.read(field, into: &vehicle)
        case 9: occupancy = field.value(as: RealtimeMessage.Occupancy.self) ?? occupancy
        case 10: occupancyPercentage = field.uint32 ?? occupancyPercentage
        case 11: try reader.append(field, to: &carriages)
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, trip)
        writer.write(2, position)
        writer.write(3, stopSequence)
        writer.write(4, status)
        writer.write(5, timestamp)
        writer.write(6, congestion)
        writer.write(7, stop)
        writer.write(8, vehicle)
        writer.write(9, occupancy)
        writer.write(10, occupancyPercentage)
        writer.write(11, carriages)
    }
}

extension RealtimeMessage.Position: WireMessage {
    package init() { self.init(latitude: nil) }

    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: latitude = field.float ?? latitude
        case 2: longitude = field.float ?? longitude
        case 3: bearing = field.float ?? bearing
        case 4: odometer = field.double ?? odometer
        case 5: speed = field.float ?? speed
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, latitude)
        writer.write(2, longitude)
        writer.write(3, bearing)
        writer.write(4, odometer)
        writer.write(5, speed)
    }

    package var missing: StaticString? {
        latitude == nil || longitude == nil ? "a position has no latitude or longitude" : nil
    }
}

extension RealtimeMessage.VehicleDescriptor: WireMessage {
    package init() { self.init(id: nil) }

    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: id = reader.text(field) ?? id
        case 2: label = reader.text(field) ?? label
        case 3: plate = reader.text(field) ?? plate
        case 4: access = field.value(as: Access.self) ?? access
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, id)
        writer.write(2, label)
        writer.write(3, plate)
        writer.write(4, access)
    }
}

extension RealtimeMessage.Carriage: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: id = reader.text(field) ?? id
        case 2: label = reader.text(field) ?? label
        case 3: occupancy = field.value(as: RealtimeMessage.Occupancy.self) ?? occupancy
        case 4: occupancyPercentage = field.int32 ?? occupancyPercentage
        case 5: sequence = field.uint32 ?? sequence
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, id)
        writer.write(2, label)
        writer.write(3, occupancy)
        writer.write(4, occupancyPercentage)
        writer.write(5, sequence)
    }
}
