public import Portolan
import PortolanFeatures
public import PortolanRouting

extension RouteBook {
    /// Keeps a planned route in the book, as a route like any other: it is listed, searched, drawn and read again by
    /// ``/PortolanRouting/SavedRoute/route(of:)``.
    ///
    /// - Parameters:
    ///   - name: what it is called.
    ///   - id: the identifier of the route that it replaces, or `nil` for none; another one is given to it.
    /// - Returns: what is known about it now.
    /// - Throws: ``/Portolan/MapError`` when it cannot be written, or is there already; the book is then as it was.
    @discardableResult
    public func save(
        _ route: PlannedRoute, named name: String, replacing id: String? = nil
    ) throws(MapError) -> RouteSummary {
        if let id { _ = try summary(of: id) }
        let document = GeoJSONWriter.write(SavedRoute.features(of: route, named: name))
        let saved: RouteSummary
        do { saved = try add(document, named: name, from: RouteSource(file: "planned")) } catch {
            // What is saved as it was is saved.
            guard let id, error.code == .duplicate, try self.route(id).document == document else { throw error }
            return try summary(of: id)
        }
        // A killed process leaves both, never none.
        if let id { try remove(id) }
        return saved
    }
}
