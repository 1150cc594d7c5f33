import PortolanGeo
import PortolanServices
import PortolanXML

/// Checks the layers of a WMS: each element together with its inherited properties.
struct WMSLayerCheck {
    let version: WMSCapabilities.Version
    private var names: Set<String> = []
    private var systems: [String: Result<CRS, CRSError>] = [:]

    init(version: WMSCapabilities.Version) { self.version = version }

    /// Elements and parsed layers are traversed together: the reader keeps their order.
    func check(_ root: XMLElement, _ capabilities: WMSCapabilities, into list: inout FindingList) {
        if capabilities.layerNames.isEmpty {
            list.add(
                .fault, .layersMissing, "Layer", "no layer has a name, so none can be requested",
                remedy: "give each drawable layer a <Name>")
        }
        var copy = self
        let elements = root.child("Capability")?.children("Layer") ?? []
        for (element, layer) in zip(elements, capabilities.layers) {
            copy.check(element, layer, into: &list)
        }
    }

    private mutating func check(
        _ element: XMLElement, _ layer: WMSCapabilities.Layer, into list: inout FindingList
    ) {
        let subject = layer.name.map { "'\($0)'" } ?? "a group layer (line \(element.line))"
        if element.text(of: "Title") == nil {
            list.add(
                .deviation, .titleMissing, subject, "the layer has no title; catalogues have nothing to show",
                remedy: "give it a <Title>")
        }
        if let name = layer.name, !names.insert(name).inserted {
            list.add(
                .deviation, .nameTwice, subject, "another layer has the same name; only one of them can be requested",
                remedy: "give each layer a unique name")
        }
        checkSystems(of: element, layer, subject, into: &list)
        checkGeographicBox(of: element, layer, subject, into: &list)
        checkBoundingBoxes(of: element, layer, subject, into: &list)
        checkScales(of: element, layer, subject, into: &list)
        checkStyles(of: element, subject, into: &list)
        for (child, inner) in zip(element.children("Layer"), layer.children) {
            check(child, inner, into: &list)
        }
    }

    // MARK: Reference systems

    private mutating func system(_ name: String) -> Result<CRS, CRSError> {
        if let known = systems[name] { return known }
        let result: Result<CRS, CRSError>
        do { result = .success(try CRS(name)) } catch { result = .failure(error) }
        systems[name] = result
        return result
    }

    private mutating func checkSystems(
        of element: XMLElement, _ layer: WMSCapabilities.Layer, _ subject: String, into list: inout FindingList
    ) {
        let own = element.children.filter { ["SRS", "CRS"].contains($0.name.uppercased()) }.flatMap { $0.text.words }
        var seen: Set<String> = []
        for name in own {
            if !seen.insert(name).inserted {
                list.add(
                    .note, .crsTwice, subject, "\(name) is listed twice in the same layer",
                    remedy: "list each coordinate system once")
            }
            switch system(name) {
            case .success: break
            case .failure(.unknown):
                // Systems that follow the view, and an undefined one, are names of the standard.
                guard !name.uppercased().hasPrefix("AUTO"), name.lowercased() != "none" else { continue }
                list.add(
                    .note, .crsUnknown, name,
                    "Portolan does not know this coordinate system from the EPSG dataset; it cannot be requested",
                    remedy: "offer the layers in an EPSG system, too")
            case .failure:
                list.add(
                    .deviation, .crsMalformed, name, "not a valid name of a coordinate system",
                    remedy: "write AUTHORITY:CODE, as EPSG:25830 or CRS:84")
            }
        }
        if layer.name != nil, layer.crsNames.isEmpty {
            list.add(
                .deviation, .crsMissing, subject, "no coordinate system is listed for the layer or its parents",
                remedy: "list the supported systems in the root layer")
        }
    }

    // MARK: Boxes

    private func checkGeographicBox(
        of element: XMLElement, _ layer: WMSCapabilities.Layer, _ subject: String, into list: inout FindingList
    ) {
        guard let sides = WMSLayerReader.geographicSides(of: element) else {
            if layer.name != nil, layer.geographicBox == nil {
                list.add(
                    .deviation, .geographicBoxMissing, subject,
                    "no geographic box for the layer; clients cannot zoom to it",
                    remedy: "add " + (version >= .v1_3_0 ? "an EX_GeographicBoundingBox" : "a LatLonBoundingBox"))
            }
            return
        }
        guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[0] <= sides[2], sides[1] <= sides[3] else {
            return list.add(
                .deviation, .geographicBoxUnusable, subject,
                "the geographic box must be four numbers, west less than east and south less than north",
                remedy: "write west, south, east, north in degrees; across the antimeridian, east may exceed 180")
        }
        if sides[0] == sides[2] || sides[1] == sides[3] {
            list.add(
                .note, .geographicBoxFlat, subject,
                "the geographic box has no area; clients cannot zoom to it",
                remedy: "grow the box a little, or recompute it from the data")
        }
        // Rounding at the edges of a raster is harmless.
        if sides[0] < -180.001 || sides[2] > 180.001 || sides[1] < -90.001 || sides[3] > 90.001 {
            list.add(
                .deviation, .geographicBoxBeyondWorld, subject,
                "the geographic box exceeds 180 degrees east or west, or 90 north or south",
                remedy: "clip it to the world")
        }
    }

    private mutating func checkBoundingBoxes(
        of element: XMLElement, _ layer: WMSCapabilities.Layer, _ subject: String,
        into list: inout FindingList
    ) {
        var seen: Set<String> = []
        for child in element.children("BoundingBox") {
            let name =
                (child.attribute("CRS", ignoringCase: true) ?? child.attribute("SRS", ignoringCase: true) ?? "")
                .trimmingSpace()
            if !seen.insert(name).inserted {
                list.add(
                    .deviation, .boundingBoxTwice, subject,
                    "two bounding boxes in \(name), but the standard allows one per system (OGC 06-042 "
                        + "7.2.4.6.8); clients differ in which one they use",
                    remedy: "remove the wrong one")
            }
            let sides = ServiceNumber.sides { child.attribute($0, ignoringCase: true) }
            guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[0] <= sides[2], sides[1] <= sides[3],
                let entry = layer.boundingBoxes.first(where: { $0.crsName == name })
            else {
                list.add(
                    .deviation, .boundingBoxUnusable, subject,
                    "the bounding box in '\(name)' must be four numbers, minimum first",
                    remedy: "write minx, miny, maxx and maxy in the axis order of the system")
                continue
            }
            if entry.isFlipped {
                list.add(
                    .deviation, .boundingBoxAxes, subject,
                    "the bounding box in \(name) has x first, but the system has north first (OGC 06-042 6.7.4); it "
                        + "contradicts the geographic box",
                    remedy: "swap its axes, and check that GetMap reads BBOX in the same order")
            } else if let crs = entry.crs, isElsewhere(entry.box, in: crs, than: layer.geographicBox) {
                list.add(
                    .deviation, .boundingBoxElsewhere, subject,
                    "the bounding box in \(name) contradicts the geographic box",
                    remedy: "recompute both from the data")
            }
        }
    }

    /// Whether a box is disjoint from the geographic one, with a tolerance of one degree for curved systems.
    private func isElsewhere(_ box: BoundingBox, in crs: CRS, than geographic: BoundingBox?) -> Bool {
        guard let extent = box.extent, let place = geographic,
            let transform = try? CoordinateTransform(from: crs, to: .crs84), let ground = transform(extent),
            let grown = Extent(
                minX: place.minX - 1, minY: place.minY - 1, maxX: place.maxX + 1, maxY: place.maxY + 1)
        else { return false }
        return !ground.intersects(grown)
    }

    // MARK: Scales and styles

    /// A pixel of this width in metres is too large for a map: a hundred of them span the world.
    private static let longestDiagonal = 400_000.0

    private func checkScales(
        of element: XMLElement, _ layer: WMSCapabilities.Layer, _ subject: String, into list: inout FindingList
    ) {
        if let hint = element.child("ScaleHint") {
            let sides = ["min", "max"].map { hint.attribute($0).flatMap { Double($0.trimmingSpace()) } }
            if let high = sides[1], high.isFinite, high > Self.longestDiagonal, high < 1e9 {
                list.add(
                    .note, .scaleHintUnit, subject,
                    "the scale hint looks like a scale denominator; it must be the diagonal of a pixel in metres (OGC "
                        + "01-068r3 7.1.4.5.16)",
                    remedy: "write denominator × 0.00028 × 1.4142")
            }
        }
        let own = ["ScaleHint", "MinScaleDenominator", "MaxScaleDenominator"].contains { element.child($0) != nil }
        if own, let low = layer.minScaleDenominator, let high = layer.maxScaleDenominator, low >= high {
            list.add(
                .deviation, .scalesContradict, subject,
                "the minimum scale denominator is not below the maximum, so the layer is never drawn",
                remedy: "swap the two, or remove the wrong one")
        }
    }

    private func checkStyles(of element: XMLElement, _ subject: String, into list: inout FindingList) {
        for style in element.children("Style") {
            let name = style.text(of: "Name")
            let missing = [name == nil ? "name" : nil, style.text(of: "Title") == nil ? "title" : nil]
                .compactMap(\.self)
            if !missing.isEmpty {
                list.add(
                    .deviation, .styleIncomplete, subject,
                    "the style '\(name ?? "")' has no \(missing.joined(separator: " and no "))",
                    remedy: "give each style a <Name> and a <Title>")
            }
            if style.children("LegendURL").contains(where: { $0.text(of: "Format") == nil }) {
                list.add(
                    .deviation, .formatMissing, subject, "a legend of the style '\(name ?? "")' has no format",
                    remedy: "write its media type in a <Format>")
            }
            if style.child("LegendURL") == nil {
                list.add(
                    .note, .legendMissing, subject, "the style '\(name ?? "")' has no legend",
                    remedy: "add a LegendURL")
            }
        }
    }
}
