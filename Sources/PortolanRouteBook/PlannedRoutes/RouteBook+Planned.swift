public import Portolan
import PortolanFeatures
public import PortolanRouting

extension RouteBook {
    /// Saves a planned route in the book.
    ///
    /// ``/PortolanRouting/SavedRoute/route(of:)`` converts it back.
    ///
    /// - Parameters:
    ///   - name: the name of the route.
    ///   - id: the identifier of a route to replace, or `nil`. The new route gets another identifier.
    /// - Returns: the summary of the route.
    /// - Throws: ``/Portolan/MapError`` if the route cannot be written or is already in the book. The book is then
    ///   unchanged.
    @discardableResult
    public func save(
        _ route: PlannedRoute, named name: String, replacing id: String? = nil
    ) throws(MapError) -> RouteBook.Summary {
        if let id { _ = try summary(of: id) }
        let document = GeoJSONWriter.write(SavedRoute.features(of: route, named: name))
        let saved: RouteBook.Summary
        do { saved = try add(document, named: name, from: RouteBook.Source(file: "planned")) } catch {
            // An unchanged route does not need to be saved again.
            guard let id, error.code == .duplicate, try self.route(id).document == document else { throw error }
            return try summary(of: id)
        }
        // The old route is removed last, so that a killed process loses nothing.
        if let id { try remove(id) }
        return saved
    }
}
