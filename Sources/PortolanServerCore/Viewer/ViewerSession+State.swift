import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan

extension ViewerSession {
    /// The state that the page shows next to the picture: layers, selection, attribution and messages.
    var state: Properties {
        var members: Properties = [
            "state": .integer(stateNumber), "title": .string(map.title),
            "layers": .array(facade.layers.reversed().filter(\.isListed).map { .object(told($0)) }),
            "canGoBack": .bool(facade.controls.history.canGoBack),
            "canGoForward": .bool(facade.controls.history.canGoForward),
            "places": .array(facade.stops.prefix(Self.placeLimit).compactMap(Self.told(place:))),
            "messages": .array(messages.map { .string($0) }),
            "position": .bool(facade.position.fix != nil),
            "following": .bool(facade.position.follow != .none), "tool": .string(tool.word),
            "simulating": .bool(simulation != nil), "routes": .bool(offer.routes != nil),
            "services": .bool(offer.services != .none),
        ]
        if drawn.contains(.ground) { members["squares"] = squaresTold }
        if let measuring = tool.measuring { members["measuring"] = .object(Self.told(measuring)) }
        if offer.planner != nil { members["plan"] = .object(plan) }
        if let city = offer.city { members["transit"] = .object(told(city)) }
        let names = facade.layers.filter(\.isVisible).compactMap(\.attribution)
        members["attribution"] = .string(
            names.enumerated().filter { !names.prefix($0.offset).contains($0.element) }.map(\.element)
                .joined(separator: " · "))
        if let feature = facade.selectedFeature { members["selected"] = .object(told(feature)) }
        return members
    }

    /// The maximum number of features in the list.
    private static let placeLimit = 500

    /// Returns a feature for the list of the page.
    private static func told(place: Feature) -> PropertyValue? {
        place.identifier.map { .object(["id": $0.propertyValue, "title": .string(place.title ?? $0.description)]) }
    }

    private func told(_ layer: MapLayer) -> Properties {
        [
            "name": .string(layer.name), "kind": .string(layer.source.kind), "visible": .bool(layer.isVisible),
            "opacity": .number(layer.opacity), "lost": .bool(lost.contains(layer.name)),
            "inScale": .bool(!layer.isVisible || layer.isDrawn(at: facade.viewport.resolution)),
            "own": .bool(!map.layers.contains { $0.name == layer.name }),
        ]
    }

    /// The properties that are not shown to users: the title, and those for style and behaviour.
    private static let silent = Set(
        SimpleStyleReader.keys + ["name", "title", "type", "selectable", "navigable"])

    /// Returns a feature with the properties to show.
    private func told(_ feature: Feature) -> Properties {
        var rows: [PropertyValue] = []
        for property in feature.properties.prefix(60) where !Self.silent.contains(property.name) {
            guard let text = property.value.displayText, !text.isEmpty else { continue }
            rows.append(.array([.string(String(property.name.prefix(100))), .string(String(text.prefix(1000)))]))
        }
        var members: Properties = ["title": .string(feature.spokenTitle), "rows": .array(rows)]
        if let id = feature.identifier { members["id"] = id.propertyValue }
        if facade.selectedObject != nil { members["moves"] = true }
        if let way = facade.wayToSelectedFeature { members["way"] = .string("\(way)") }
        return members
    }
}

extension MapLayer {
    /// Whether the layer is shown in the list.
    ///
    /// Internal layers such as the position and the mask are not.
    fileprivate var isListed: Bool {
        ![MapFacade.positionLayerName, MapFacade.maskLayerName, ViewerSession.measurementLayer].contains(name)
    }
}

extension Viewport {
    /// The view for the page, which moves pictures with it: the centre and the resolution in map units.
    var told: Properties {
        var members: Properties = [
            "x": .number(center.x), "y": .number(center.y), "resolution": .number(resolution.unitsPerPixel),
            "bearing": .number(rotation), "width": .integer(size.width), "height": .integer(size.height),
            "ratio": .number(pixelRatio),
            "zoom": .number(resolution.zoom(in: crs)),
        ]
        if let width = crs.worldExtent?.width { members["world"] = .number(width) }
        guard let toDegrees = try? CoordinateTransform(from: crs, to: .crs84), let place = toDegrees(center) else {
            return members
        }
        members["lon"] = .number(place.x)
        members["lat"] = .number(place.y)
        // The ground length of a pixel, measured over ten pixels.
        let beside = coordinate(at: .init(x: Double(size.width) / 2 + 10, y: Double(size.height) / 2))
        if let other = toDegrees(beside) {
            members["metersPerPixel"] = .number(GroundDistance.meters(from: place, to: other) / 10)
        }
        return members
    }
}
