public import Portolan
public import PortolanRealtime

extension MapFacade {
    /// Adds a layer of vehicles on top, in the style ``LiveLayer/Appearance/transit``.
    ///
    /// It fades vehicles after 90 seconds without a report, and removes them after 15 minutes.
    ///
    /// - Throws: the errors of ``MapFacade/add(_:position:replacing:)``.
    @discardableResult
    public func addVehicles(
        named name: String = "vehicles", position: MapFacade.LayerPosition = .top
    ) throws(MapError) -> AddedLayer {
        try add(.vehicles(), named: name, position: position)
    }

    /// Shows the changes of a fleet.
    ///
    /// - Parameters:
    ///   - fleet: the current fleet, to show delays known from trip updates, or `nil`.
    ///   - marks: the conversion of vehicles to map objects.
    ///   - time: the current time on the clock of the events.
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` if there is no live layer with this name.
    @discardableResult
    public func updateVehicles(
        named name: String = "vehicles", _ change: Fleet.Change, of fleet: Fleet? = nil, marks: VehicleMarks,
        at time: Duration
    ) throws(MapError) -> LiveLayer.Outcome {
        try updateLive(named: name, marks.updates(of: change, in: fleet, at: date(at: time)), at: time)
    }
}
