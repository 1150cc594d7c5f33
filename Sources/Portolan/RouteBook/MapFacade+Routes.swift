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

    /// Puts the route in the document at a path or URL on top of the other layers.
    ///
    /// - Throws: ``ServiceError`` when the document cannot be had, the error of its format when it cannot be read, and what
    ///   ``addRoute(_:baseURL:named:padding:)`` throws.
    @discardableResult
    public func addRoute(
        at address: String, named name: String = "route", padding: Double? = 50
    ) async throws -> RouteFacts {
        try await services.reading(address) { document, base, _ in
            let collection = try renderer.featureFormats.read(document).inDegrees()
            return try addRoute(collection, baseURL: base, named: name, padding: padding)
        }
    }

    /// Puts a route of a book on top of the other layers, under its identifier, with its selected place selected.
    ///
    /// - Throws: what ``addRoute(_:baseURL:named:padding:)`` throws.
    @discardableResult
    public func addRoute(_ route: BookedRoute, padding: Double? = 50) throws -> RouteFacts {
        try add(.route(route.collection, baseURL: route.baseURL, named: route.summary.id))
        if let padding { try fitFeatures(padding: padding) }
        if let place = route.selectedPlace { select(place, in: route.summary.id) }
        return route.facts
    }
}

extension MapLayer {
    /// A layer of a route: the line with a light edge, its places with their names, and marks at its start and end; what brings
    /// a look of its own keeps it.
    ///
    /// - Parameters:
    ///   - collection: the route.
    ///   - baseURL: what relative addresses of icons are relative to.
    /// - Complexity: O(n log n) in the features.
    public static func route(
        _ collection: FeatureCollection, baseURL: BaseURL? = nil, named name: String = "route"
    ) -> MapLayer {
        var source = FeatureSource(
            features: collection.features.map(labelled) + ends(of: collection), crs: collection.effectiveCRS,
            baseURL: baseURL, style: routeStyle)
        source.hold(collection.charge)
        return MapLayer(
            name: name, source: source, attribution: collection.foreignMembers["attribution"]?.stringValue)
    }

    /// A layer of a route of a book, under its identifier, with its selected place selected.
    public static func route(_ route: BookedRoute) -> MapLayer {
        var layer = MapLayer.route(route.collection, baseURL: route.baseURL, named: route.summary.id)
        if var source = layer.features, let place = route.selectedPlace?.identifier {
            source.selection = place
            layer.source = source
        }
        return layer
    }

    private static var routeStyle: StyleDeclaration {
        var style = StyleDeclaration()
        style.strokeWidth = 4
        style.casing = .init(color: .white, width: 8)
        style.label = "${label}"
        style.fontSize = 12
        style.labelOutlineColor = .white
        style.labelOutlineWidth = 2
        style.labelVerticalAlignment = .top
        style.labelOffsetY = 16
        return style
    }

    /// A place with a label: what follows a dash explains its name, and a map has no room for that.
    private static func labelled(_ feature: Feature) -> Feature {
        guard feature.properties["label"] == nil, let name = feature.pointOfInterest?.name,
            let short = name.split(separator: " - ", maxSplits: 1).first
        else { return feature }
        var feature = feature
        feature.properties["label"] = .string(String(short))
        return feature
    }

    /// Marks at the beginning and the end of the first line, one where both are the same place, and none where the route has a
    /// place of its own.
    private static func ends(of collection: FeatureCollection) -> [Feature] {
        guard let line = collection.features.first(where: \.isLine)?.geometry, let start = line.coordinates.first,
            let end = line.coordinates.last
        else { return [] }
        let isRound = GroundDistance.meters(from: start, to: end) < 30
        let marks = [(start, "start", "#2e7d32")] + (isRound ? [] : [(end, "end", "#c62828")])
        let places = collection.features.compactMap(\.pointOfInterest?.coordinate)
        let free = marks.filter { mark in !places.contains { GroundDistance.meters(from: $0, to: mark.0) < 30 } }
        return free.map { place, kind, color in
            Feature(
                geometry: .point(place),
                properties: [
                    "type": "mark", "mark": .string(kind),
                    "style": [
                        "default": [
                            "graphicName": "circle", "pointRadius": 6, "fillColor": .string(color), "fillOpacity": 1,
                            "strokeColor": "#ffffff", "strokeWidth": 2,
                        ]
                    ],
                ])
        }
    }
}
