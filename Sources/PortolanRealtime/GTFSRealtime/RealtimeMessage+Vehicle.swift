package import PortolanProtobuf

extension RealtimeMessage {
    /// Where a vehicle is, and how (VehiclePosition).
    public struct VehiclePosition: Hashable, Sendable {
        /// How a vehicle is to its stop.
        public enum StopStatus: Int, Hashable, Sendable { case incomingAt = 0, stoppedAt, inTransitTo }

        /// How the road is.
        public enum Congestion: Int, Hashable, Sendable {
            case unknownCongestionLevel = 0, runningSmoothly, stopAndGo, congestion, severeCongestion
        }

        /// The trip that it runs.
        public var trip: TripDescriptor?
        /// Where it is.
        public var position: Position?
        /// The place of its stop in the trip (`stop_sequence`).
        public var stopSequence: Int?
        /// How it is to that stop; on its way to it where this is `nil`.
        public var status: StopStatus?
        /// When it was measured, in seconds since 1970.
        public var timestamp: UInt64?
        /// How the road is.
        public var congestion: Congestion?
        /// The identifier of its stop.
        public var stop: String?
        /// Which vehicle it is.
        public var vehicle: VehicleDescriptor?
        /// How full it is.
        public var occupancy: Occupancy?
        /// How full it is, in percent.
        public var occupancyPercentage: Int?
        /// Its carriages, from the front.
        public var carriages: [Carriage] = []

        /// Makes one.
        public init() {}
    }

    /// A place on the ground (Position).
    public struct Position: Hashable, Sendable {
        /// Degrees (WGS 84), in the single precision of the format.
        public var latitude: Float?, longitude: Float?
        /// Degrees clockwise from north.
        public var bearing: Float?
        /// Metres driven.
        public var odometer: Double?
        /// Metres a second.
        public var speed: Float?

        /// Makes a place.
        public init(latitude: Float? = nil, longitude: Float? = nil) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// Which vehicle (VehicleDescriptor).
    public struct VehicleDescriptor: Hashable, Sendable {
        /// Whether people in wheelchairs can board.
        public enum Access: Int, Hashable, Sendable {
            case noValue = 0, unknown, wheelchairAccessible, wheelchairInaccessible
        }

        /// The identifier within the system.
        public var id: String?
        /// What riders see on it.
        public var label: String?
        /// The number plate.
        public var plate: String?
        /// Whether people in wheelchairs can board.
        public var access: Access?

        /// Makes a descriptor.
        public init(id: String? = nil, label: String? = nil) {
            self.id = id
            self.label = label
        }
    }

    /// How full a vehicle is (OccupancyStatus).
    public enum Occupancy: Int, Hashable, Sendable {
        case empty = 0, manySeatsAvailable, fewSeatsAvailable, standingRoomOnly, crushedStandingRoomOnly, full
        case notAcceptingPassengers, noDataAvailable, notBoardable
    }

    /// A carriage (CarriageDetails).
    public struct Carriage: Hashable, Sendable {
        /// The identifier.
        public var id: String?
        /// What riders see on it.
        public var label: String?
        /// How full it is.
        public var occupancy: Occupancy?
        /// How full it is, in percent; -1 where that is not known.
        public var occupancyPercentage: Int?
        /// Its place from the front, from 1.
        public var sequence: Int?

        /// Makes a carriage.
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
