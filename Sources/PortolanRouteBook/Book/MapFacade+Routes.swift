public import Portolan
public import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
public import PortolanWeb

extension MapFacade {
    /// Adds a route as a layer on top, in the style of ``/PortolanPlan/MapLayer/route(_:baseURL:named:)``.
    ///
    /// - Parameters:
    ///   - collection: the route, in degrees.
    ///   - baseURL: the base of relative icon URLs.
    ///   - name: the name of the layer.
    ///   - padding: the margin around the route in view pixels when the view is fitted to it, or `nil` to keep the
    ///     view.
    /// - Returns: the layer, with its ``/Portolan/AddedLayer/facts``.
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func addRoute(
        _ collection: FeatureCollection, baseURL: BaseURL? = nil, named name: String = "route", padding: Double? = 50
    ) throws(MapError) -> AddedLayer {
        let added = try add(.route(collection, baseURL: baseURL, named: name)).with(collection)
        if let padding { try fitFeatures(padding: padding) }
        return added
    }

    /// Adds the route in the document at a path or URL on top.
    ///
    /// It is included in a saved state.
    ///
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func addRoute(
        from address: String, named name: String = "route", padding: Double? = 50
    ) async throws(MapError) -> AddedLayer {
        try await reading(address) { (document, base) throws(MapError) in
            let read = try collection(in: document), collection: FeatureCollection
            do { collection = try read.inDegrees() } catch { throw MapError(any: error) }
            let added = try addRoute(collection, baseURL: base, named: name, padding: padding)
            return added.with(note(LayerSpecification(route: address), of: name))
        }
    }

    /// Adds a route of a book on top, with its identifier as layer name and its selected place selected.
    ///
    /// It is included in a saved state unless it came from a server. The app must add such routes before it restores
    /// the state.
    ///
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func addRoute(_ route: BookedRoute, padding: Double? = 50) throws(MapError) -> AddedLayer {
        let made = MapLayer.route(route.collection, baseURL: route.baseURL, named: route.summary.id)
        var added = try add(made).with(route.collection)
        added.title = route.summary.name
        // A route from a server may refer to that server, but not to the user's files.
        if case .file = route.baseURL.contents {
            note(LayerSpecification(route: route.baseURL.url), of: route.summary.id)
        }
        if let padding { try fitFeatures(padding: padding) }
        if let place = route.selectedPlace { select(place, in: route.summary.id) }
        return added
    }
}

extension AddedLayer {
    /// The facts of the added route (length, duration, places), or `nil` for a layer without features.
    public var facts: RouteFacts? { features.map { RouteFacts($0, name: title) } }
}

extension MapLayer {
    /// Creates a layer for a route of a book, with its identifier as name and its selected place selected.
    public static func route(_ route: BookedRoute) -> MapLayer {
        var layer = MapLayer.route(route.collection, baseURL: route.baseURL, named: route.summary.id)
        if var source = layer.features, let place = route.selectedPlace?.identifier {
            source.selection = place
            layer.source = source
        }
        return layer
    }
}
