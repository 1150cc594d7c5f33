public import Portolan
public import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
public import PortolanWeb

extension MapFacade {
    /// Puts a route on top of the other layers, as a layer of its own with the look of ``/PortolanPlan/MapLayer/route(_:baseURL:named:)``.
    ///
    /// - Parameters:
    ///   - collection: the route, in degrees.
    ///   - baseURL: what relative addresses of icons are relative to.
    ///   - name: the name of the layer.
    ///   - padding: view pixels that stay free around the route, of which all is then shown; `nil` leaves the view as it is.
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

    /// Puts the route in the document at a path or URL on top of the other layers; a saved state makes it again.
    ///
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func addRoute(
        at address: String, named name: String = "route", padding: Double? = 50
    ) async throws(MapError) -> AddedLayer {
        try await reading(address) { (document, base) throws(MapError) in
            let read = try collection(in: document), collection: FeatureCollection
            do { collection = try read.inDegrees() } catch { throw MapError(any: error) }
            let added = try addRoute(collection, baseURL: base, named: name, padding: padding)
            return added.with(note(LayerSpecification(route: address), of: name))
        }
    }

    /// Puts a route of a book on top of the other layers, under its identifier, with its selected place selected.
    ///
    /// A saved state makes it again, unless it came from a server: that one is the app's to add before the state is restored.
    ///
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func addRoute(_ route: BookedRoute, padding: Double? = 50) throws(MapError) -> AddedLayer {
        let made = MapLayer.route(route.collection, baseURL: route.baseURL, named: route.summary.id)
        var added = try add(made).with(route.collection)
        added.title = route.summary.name
        // A copy of a route from a server leads where its server may lead, and not where a file of the user's may.
        if case .file = route.baseURL.contents {
            note(LayerSpecification(route: route.baseURL.url), of: route.summary.id)
        }
        if let padding { try fitFeatures(padding: padding) }
        if let place = route.selectedPlace { select(place, in: route.summary.id) }
        return added
    }
}

extension AddedLayer {
    /// The facts of the route that was added: length, time, places; `nil` of a layer without features.
    public var facts: RouteFacts? { features.map { RouteFacts($0, name: title) } }
}

extension MapLayer {
    /// A layer of a route of a book, under its identifier, with its selected place selected.
    public static func route(_ route: BookedRoute) -> MapLayer {
        var layer = MapLayer.route(route.collection, baseURL: route.baseURL, named: route.summary.id)
        if var source = layer.features, let place = route.selectedPlace?.identifier {
            source.selection = place
            layer.source = source
        }
        return layer
    }
}
