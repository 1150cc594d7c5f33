public import PortolanGeo

/// What one does at a place of a route.
public struct Manoeuvre: Hashable, Sendable {
    /// What is done; ``direction`` says where to.
    public var kind: Kind
    /// Where to, or `nil` where that is not said.
    public var direction: Direction?
    /// Which exit of a roundabout, from 1 on, or `nil` where that is not said.
    public var exit: Int?
    /// Where one comes from, in degrees clockwise from north, or `nil` where that is not said.
    public var bearingBefore: Double?
    /// Where one goes to, in degrees clockwise from north, or `nil` where that is not said.
    public var bearingAfter: Double?
    /// Where it is done: longitude and latitude.
    public var place: Coordinate

    /// Makes a manoeuvre.
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

    /// What is done.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The route begins.
        case depart
        /// A place of the route is reached.
        case arrive
        /// One goes on, though the road bends or another way would be possible.
        case goOn
        /// One turns into another road.
        case turn
        /// One turns back.
        case uTurn
        /// The road has another name from here on.
        case newName
        /// One joins other lanes.
        case merge
        /// One enters a motorway.
        case onRamp
        /// One leaves a motorway.
        case offRamp
        /// The road parts.
        case fork
        /// The road ends in another one.
        case endOfRoad
        /// One enters a roundabout, and leaves it at an exit.
        case roundabout
        /// One leaves a roundabout.
        case exitRoundabout
        /// One goes onto a ferry.
        case ferry
        /// One leaves a ferry.
        case leaveFerry
        /// One boards a vehicle of public transport.
        case board
        /// One changes to another vehicle.
        case transfer
        /// One stays in the vehicle, which changes its line.
        case stayOnBoard
        /// One leaves a vehicle.
        case alight
        /// One enters a station.
        case enterStation
        /// One leaves a station.
        case leaveStation
        /// One takes an elevator.
        case elevator
        /// One takes stairs.
        case stairs
        /// One takes an escalator.
        case escalator
        /// One enters a building.
        case enterBuilding
        /// One leaves a building.
        case leaveBuilding
        /// Something to know without anything to do.
        case notice
    }

    /// Where to.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case uTurn, sharpRight, right, slightRight, straight, slightLeft, left, sharpLeft
    }
}

/// A part of a route from one manoeuvre to the next.
public struct RouteStep: Hashable, Sendable {
    /// What is done where it begins.
    public var manoeuvre: Manoeuvre
    /// What the way is called from there on, or `nil` when it has no name.
    public var name: String?
    /// Its number, such as `E 18`, or `nil` when it has none.
    public var reference: String?
    /// What stands on the signs to it, or `nil` when nothing is known.
    public var destination: String?
    /// How long it is, in metres.
    public var distance: Double
    /// How long it takes, in seconds.
    public var duration: Double
    /// Where it begins in the path of its leg.
    public var start: Int
    /// What the provider says itself, in the language it was asked in, or `nil` when it says nothing.
    public var instruction: String?

    /// Makes a step.
    public init(
        _ manoeuvre: Manoeuvre, name: String? = nil, reference: String? = nil, destination: String? = nil,
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
