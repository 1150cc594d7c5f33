import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension ViewerSession {
    /// The indices of the published layers that are switched off, or `nil` if the layers differ from the published ones
    /// in more than that, so that the page cannot draw them.
    private var hiddenLayers: [Int]? {
        guard drawn.contains(.ground), !map.layers.isEmpty, facade.layers.count >= map.layers.count else { return nil }
        var hidden: [Int] = []
        for (index, (own, shown)) in zip(map.layers, facade.layers).enumerated() {
            guard shown.name == own.name, shown.opacity == own.opacity, own.live == nil,
                own.isVisible || !shown.isVisible
            else { return nil }
            if own.isVisible, !shown.isVisible { hidden.append(index) }
        }
        return hidden
    }

    /// Whether the page draws the published layers in this view.
    ///
    /// The labels of rotated views would not be upright.
    var isGroundDrawn: Bool { facade.viewport.rotation == 0 && hiddenLayers != nil }

    /// Divides the content of the map between the pictures and the page.
    func divide() {
        guard !drawn.isEmpty else { return }
        let isGroundDrawn = isGroundDrawn
        var layers: Set<String> = []
        if isGroundDrawn { layers.formUnion(map.layers.map(\.name)) }
        if drawn.contains(.vehicles) { layers.insert(Self.vehicleLayer) }
        let hasChanged = facade.clientContent.layers != layers
        if hasChanged { facade.clientContent.layers = layers }
        let background = isGroundDrawn ? MapColor.clear : MapColor.white
        if facade.options.background != background { facade.options.background = background }
        if hasChanged, facade.selection != nil { outlineSelection() }
    }

    /// What the page draws of the published layers: `on` tells whether they are complete, `off` which are hidden.
    var groundTold: PropertyValue {
        guard let hidden = hiddenLayers else { return false }
        return ["on": .bool(isGroundDrawn), "off": .string(hidden.map(String.init).joined(separator: ","))]
    }

    /// The squares of the map for the page; see ``GroundBlock``.
    var squaresTold: PropertyValue {
        guard let area = GroundBlock.area(of: map.crs) else { return false }
        return [
            "x": .number(area.minX), "y": .number(area.maxY), "width": .number(area.width),
            "height": .number(area.height), "unit": .integer(GroundBlock.unit), "revision": .string(map.revision),
            "webp": .bool(ServedFormat.allCases.contains(.webp)), "ratio": .number(facade.viewport.pixelRatio),
        ]
    }

    /// The user's position: the map coordinate, the accuracy in map units, the heading in degrees, and whether it is
    /// current.
    var positionTold: PropertyValue? {
        guard let fix = facade.position.fix, let toMap = try? CoordinateTransform(from: .crs84, to: map.crs),
            let place = toMap(fix.place)
        else { return nil }
        var radius: Double?
        if let accuracy = fix.accuracy, accuracy > 0, accuracy < 1e6,
            let beside = toMap(Geodesic.place(from: fix.place, bearing: 90, meters: accuracy))
        {
            radius = Libm.hypotenuse(beside.x - place.x, beside.y - place.y)
        }
        return [
            "x": .number(place.x), "y": .number(place.y), "radius": radius.map { .number($0) } ?? .null,
            "heading": fix.heading.map { .number($0) } ?? .null, "live": .bool(facade.position.phase == .live),
        ]
    }

    // MARK: - Selection

    /// Outlines the selected feature where its layer does not show the selection itself.
    func outlineSelection() {
        guard let selection = facade.selection, let geometry = facade.selectedGeometry,
            let layer = facade.layer(named: selection.layer), layer.live == nil
        else {
            if facade.highlight != nil { facade.highlight = nil }
            return
        }
        let isPoint = geometry.kind == .point || geometry.kind == .multiPoint
        let isMarked = layer.features != nil && !facade.clientContent.layers.contains(layer.name)
        guard !isPoint || !isMarked else {
            facade.highlight = nil
            return
        }
        let color = MapColor(red: 0xD6, green: 0x28, blue: 0x28)
        var style = Style()
        switch geometry.kind {
        case .point, .multiPoint:
            style.marker = .shape(
                ShapeMarker(
                    radius: 13, fill: FillSymbol(color: color.withOpacity(0.15)),
                    stroke: LineSymbol(color: color, width: 3)))
        case .lineString, .multiLineString:
            style.stroke = LineSymbol(color: color.withOpacity(0.75), width: 6)
        default:
            style.stroke = LineSymbol(color: color, width: 3)
            style.fill = FillSymbol(color: color.withOpacity(0.15))
        }
        var source = FeatureSource(features: [])
        source.append(Feature(geometry: geometry), style: style)
        facade.highlight = MapLayer(name: "selection", source: source)
    }
}

extension ViewerPicture.Patch {
    /// The area for the page, and whether the rest of its picture is outdated.
    var told: PropertyValue {
        [
            "x": .integer(area.x), "y": .integer(area.y), "width": .integer(area.width),
            "height": .integer(area.height), "fresh": .bool(isFresh),
        ]
    }
}

extension Viewport {
    /// The centre, resolution and bearing for the page.
    var placeTold: Properties {
        [
            "x": .number(center.x), "y": .number(center.y), "resolution": .number(resolution.unitsPerPixel),
            "bearing": .number(rotation),
        ]
    }
}
