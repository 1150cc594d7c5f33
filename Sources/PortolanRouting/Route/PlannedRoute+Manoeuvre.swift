public import PortolanGeo

extension PlannedRoute {
    /// A manoeuvre at a coordinate of a route.
    public struct Manoeuvre: Hashable, Sendable {
        /// The kind of manoeuvre.
        public var kind: Kind
        /// The direction, or `nil` if it is not given.
        public var direction: Direction?
        /// The exit of a roundabout, from 1, or `nil` if it is not given.
        public var exit: Int?
        /// The bearing before the manoeuvre in degrees clockwise from north, or `nil` if it is not given.
        public var bearingBefore: Double?
        /// The bearing after the manoeuvre in degrees clockwise from north, or `nil` if it is not given.
        public var bearingAfter: Double?
        /// The coordinate: longitude and latitude in degrees.
        public var place: Coordinate

        /// Creates a manoeuvre.
        public init(
            _ kind: Kind, _ direction: Direction? = nil, exit: Int? = nil, bearingBefore: Double? = nil,
            bearingAfter: Double? = nil, place: Coordinate
        ) {
            self.kind = kind
            self.direction = direction
            self.exit = exit
            self.bearingBefore = bearingBefore
            self.bearingAfter = bearingAfter
            self.place = place
        }

        /// The kind of a manoeuvre.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Start of the route.
            case depart
            /// Arrival at a destination or an intermediate stop.
            case arrive
            /// Continue, although the road bends or there is an alternative.
            case goOn
            /// Turn onto another road.
            case turn
            /// Make a U-turn.
            case uTurn
            /// The road changes its name.
            case newName
            /// Merge with other lanes.
            case merge
            /// Enter a motorway.
            case onRamp
            /// Exit a motorway.
            case offRamp
            /// Fork in the road.
            case fork
            /// End of the road at a junction.
            case endOfRoad
            /// Enter a roundabout and leave it at an exit.
            case roundabout
            /// Leave a roundabout.
            case exitRoundabout
            /// Board a ferry.
            case ferry
            /// Leave a ferry.
            case leaveFerry
            /// Board a vehicle of public transport.
            case board
            /// Change to another vehicle.
            case transfer
            /// Stay in the vehicle, which continues as another line.
            case stayOnBoard
            /// Alight from a vehicle.
            case alight
            /// Enter a station.
            case enterStation
            /// Leave a station.
            case leaveStation
            /// Take an elevator.
            case elevator
            /// Take the stairs.
            case stairs
            /// Take an escalator.
            case escalator
            /// Enter a building.
            case enterBuilding
            /// Leave a building.
            case leaveBuilding
            /// Information without an action.
            case notice
        }

        /// The direction of a manoeuvre.
        public enum Direction: String, Hashable, Sendable, CaseIterable {
            case uTurn, sharpRight, right, slightRight, straight, slightLeft, left, sharpLeft
        }
    }
}

extension PlannedRoute {
    /// A part of a route from one manoeuvre to the next.
    public struct Step: Hashable, Sendable {
        /// The manoeuvre at the start.
        public var manoeuvre: PlannedRoute.Manoeuvre
        /// The road name, or `nil`.
        public var name: String?
        /// The road number, such as `E 18`, or `nil`.
        public var reference: String?
        /// The destination on road signs, or `nil`.
        public var destination: String?
        /// The length in metres.
        public var distance: Double
        /// The duration in seconds.
        public var duration: Double
        /// The index of its first coordinate in the path of the leg.
        public var start: Int
        /// The instruction of the provider in the requested language, or `nil`.
        public var instruction: String?

        /// Creates a step.
        public init(
            _ manoeuvre: PlannedRoute.Manoeuvre, name: String? = nil, reference: String? = nil,
            destination: String? = nil,
            distance: Double, duration: Double, start: Int = 0, instruction: String? = nil
        ) {
            self.manoeuvre = manoeuvre
            self.name = name
            self.reference = reference
            self.destination = destination
            self.distance = distance
            self.duration = duration
            self.start = start
            self.instruction = instruction
        }
    }
}
