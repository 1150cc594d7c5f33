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
    /// - Returns: what is worth knowing about the route.
    /// - Throws: ``FacadeError/duplicateLayer(_:)``, and what ``fitFeatures(padding:maximumZoom:)`` throws.
    @discardableResult
    public func addRoute(
        _ collection: FeatureCollection, baseURL: BaseURL? = nil, named name: String = "route", padding: Double? = 50
    ) throws -> RouteFacts {
        try add(.route(collection, baseURL: baseURL, named: name))
        if let padding { try fitFeatures(padding: padding) }
        return RouteFacts(collection)
    }

    /// Puts the route in the document at a path or URL on top of the other layers; a saved state makes it again.
    ///
    /// - Throws: ``ServiceError`` when the document cannot be had, the error of its format when it cannot be read, and what
    ///   ``addRoute(_:baseURL:named:padding:)`` throws.
    @discardableResult
    public func addRoute(
        at address: String, named name: String = "route", padding: Double? = 50
    ) async throws -> RouteFacts {
        try await services.reading(address) { document, base, _ in
            let collection = try renderer.featureFormats.read(document).inDegrees()
            let facts = try addRoute(collection, baseURL: base, named: name, padding: padding)
            note(LayerSpecification(route: address), of: name)
            return facts
        }
    }

    /// Puts a route of a book on top of the other layers, under its identifier, with its selected place selected.
    ///
    /// A saved state makes it again, unless it came from a server: that one is the app's to add before the state is restored.
    ///
    /// - Throws: what ``addRoute(_:baseURL:named:padding:)`` throws.
    @discardableResult
    public func addRoute(_ route: BookedRoute, padding: Double? = 50) throws -> RouteFacts {
        try add(.route(route.collection, baseURL: route.baseURL, named: route.summary.id))
        // A copy of a route from a server leads where its server may lead, and not where a file of the user's may.
        if case .file = route.baseURL.contents {
            note(LayerSpecification(route: route.baseURL.url), of: route.summary.id)
        }
        if let padding { try fitFeatures(padding: padding) }
        if let place = route.selectedPlace { select(place, in: route.summary.id) }
        return route.facts
    }
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
