public import Portolan
public import PortolanRealtime

extension MapFacade {
    /// Puts a layer of vehicles on top of the others: it looks as ``LiveStyle/transit`` says, fades who is not heard of for 90
    /// seconds, and drops who is silent for a quarter of an hour.
    ///
    /// - Throws: as ``MapFacade/add(_:at:replacing:)`` does.
    @discardableResult
    public func addVehicles(
        named name: String = "vehicles", at place: LayerPlace = .top
    ) throws(MapError) -> AddedLayer {
        try add(.vehicles(), named: name, at: place)
    }

    /// Shows what has become of a fleet.
    ///
    /// - Parameters:
    ///   - fleet: as it is now, where its news of trips are to tell how late vehicles are.
    ///   - marks: say how vehicles are drawn.
    ///   - time: the time now, on the clock of the events.
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` when there is no live layer of that name.
    @discardableResult
    public func updateVehicles(
        named name: String = "vehicles", _ change: Fleet.Change, of fleet: Fleet? = nil, marks: VehicleMarks,
        at time: Duration
    ) throws(MapError) -> LiveOutcome {
        try updateLive(named: name, marks.updates(of: change, in: fleet, at: date(at: time)), at: time)
    }
}
