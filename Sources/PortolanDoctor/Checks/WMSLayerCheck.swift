import PortolanGeo
import PortolanServices
import PortolanXML

/// Checks the layers of a WMS: each element beside what it inherits.
struct WMSLayerCheck {
    let version: WMSVersion
    private var names: Set<String> = []
    private var systems: [String: Result<CRS, CRSError>] = [:]

    init(version: WMSVersion) { self.version = version }

    /// The elements and the layers read from them go side by side: the reader keeps their order.
    func check(_ root: XMLElement, _ capabilities: WMSCapabilities, into list: inout FindingList) {
        if capabilities.layerNames.isEmpty {
            list.add(
                .fault, .layersMissing, "Layer", "no layer has a name, so that nothing can be asked for",
                remedy: "give each layer that can be drawn a <Name>")
        }
        var copy = self
        let elements = root.child("Capability")?.children("Layer") ?? []
        for (element, layer) in zip(elements, capabilities.layers) {
            copy.check(element, layer, into: &list)
        }
    }

    private mutating func check(
        _ element: XMLElement, _ layer: WMSLayer, into list: inout FindingList
    ) {
        let subject = layer.name.map { "'\($0)'" } ?? "a heading (line \(element.line))"
        if element.text(of: "Title") == nil {
            list.add(
                .deviation, .titleMissing, subject, "the layer has no title; lists for people have nothing to show",
                remedy: "give it a <Title>")
        }
        if let name = layer.name, !names.insert(name).inserted {
            list.add(
                .deviation, .nameTwice, subject, "another layer has the same name; only one of them can be asked for",
                remedy: "give each layer a name of its own")
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
        of element: XMLElement, _ layer: WMSLayer, _ subject: String, into list: inout FindingList
    ) {
        let own = element.children.filter { ["SRS", "CRS"].contains($0.name.uppercased()) }.flatMap { $0.text.words }
        var seen: Set<String> = []
        for name in own {
            if !seen.insert(name).inserted {
                list.add(
                    .note, .crsTwice, subject, "\(name) is listed twice in the same layer",
                    remedy: "list each system once")
            }
            switch system(name) {
            case .success: break
            case .failure(.unknown):
                // Systems that follow the view, and none at all, are the standard's own names.
                guard !name.uppercased().hasPrefix("AUTO"), name.lowercased() != "none" else { continue }
                list.add(
                    .note, .crsUnknown, name,
                    "the reference system is not in the EPSG dataset as Portolan knows it; it cannot be asked for",
                    remedy: "offer the layers in an EPSG system too")
            case .failure:
                list.add(
                    .deviation, .crsMalformed, name, "this is not the name of a reference system",
                    remedy: "write AUTHORITY:CODE, as EPSG:25830 or CRS:84")
            }
        }
        if layer.name != nil, layer.crsNames.isEmpty {
            list.add(
                .deviation, .crsMissing, subject, "no reference system is listed for the layer, nor around it",
                remedy: "list the systems it can be drawn in, in the outermost layer")
        }
    }

    // MARK: Boxes

    private func checkGeographicBox(
        of element: XMLElement, _ layer: WMSLayer, _ subject: String, into list: inout FindingList
    ) {
        guard let sides = WMSLayerReader.geographicSides(of: element) else {
            if layer.name != nil, layer.geographicBox == nil {
                list.add(
                    .deviation, .geographicBoxMissing, subject,
                    "the layer does not tell in degrees where it is; clients cannot go there",
                    remedy: "give it " + (version >= .v1_3_0 ? "an EX_GeographicBoundingBox" : "a LatLonBoundingBox"))
            }
            return
        }
        guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[0] <= sides[2], sides[1] <= sides[3] else {
            return list.add(
                .deviation, .geographicBoxUnusable, subject,
                "the geographic box is not four numbers of which west is less than east and south less than north",
                remedy: "write west, south, east, north in degrees; across 180 degrees let east be above 180")
        }
        if sides[0] == sides[2] || sides[1] == sides[3] {
            list.add(
                .note, .geographicBoxFlat, subject,
                "the geographic box has no area; a client that goes there has no scale to show it at",
                remedy: "grow the box a little, or compute it anew from the data")
        }
        // Rounding at the edges of a raster is no harm.
        if sides[0] < -180.001 || sides[2] > 180.001 || sides[1] < -90.001 || sides[3] > 90.001 {
            list.add(
                .deviation, .geographicBoxBeyondWorld, subject,
                "the geographic box reaches beyond 180 degrees east or west, or 90 north or south",
                remedy: "cut it at the edges of the world")
        }
    }

    private mutating func checkBoundingBoxes(
        of element: XMLElement, _ layer: WMSLayer, _ subject: String,
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
                    "there are two bounding boxes in \(name), where the standard has one for a system (OGC 06-042 "
                        + "7.2.4.6.8); clients differ in which they take",
                    remedy: "leave out the one that is wrong")
            }
            let sides = ServiceNumber.sides { child.attribute($0, ignoringCase: true) }
            guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[0] <= sides[2], sides[1] <= sides[3],
                let entry = layer.boundingBoxes.first(where: { $0.crsName == name })
            else {
                list.add(
                    .deviation, .boundingBoxUnusable, subject,
                    "the bounding box in '\(name)' is not four numbers of which the first are the least",
                    remedy: "write minx, miny, maxx and maxy in the order of the system's axes")
                continue
            }
            if entry.isFlipped {
                list.add(
                    .deviation, .boundingBoxAxes, subject,
                    "the bounding box in \(name) has x first, where the system has north first (OGC 06-042 6.7.4); it "
                        + "lies elsewhere than the geographic box",
                    remedy: "swap its axes, and see that GetMap reads BBOX so too")
            } else if let crs = entry.crs, isElsewhere(entry.box, in: crs, than: layer.geographicBox) {
                list.add(
                    .deviation, .boundingBoxElsewhere, subject,
                    "the bounding box in \(name) lies elsewhere than the geographic one",
                    remedy: "compute both anew from the data")
            }
        }
    }

    /// Whether a box shares no ground with the geographic one, with a degree to spare for systems that bend.
    private func isElsewhere(_ box: BoundingBox, in crs: CRS, than geographic: BoundingBox?) -> Bool {
        guard let extent = box.extent, let place = geographic,
            let transform = try? CoordinateTransform(from: crs, to: .crs84), let ground = transform(extent),
            let grown = Extent(
                minX: place.minX - 1, minY: place.minY - 1, maxX: place.maxX + 1, maxY: place.maxY + 1)
        else { return false }
        return !ground.intersects(grown)
    }

    // MARK: Scales and styles

    /// A pixel this long across, in metres, is no map's: the world in a hundred of them.
    private static let longestDiagonal = 400_000.0

    private func checkScales(
        of element: XMLElement, _ layer: WMSLayer, _ subject: String, into list: inout FindingList
    ) {
        if let hint = element.child("ScaleHint") {
            let sides = ["min", "max"].map { hint.attribute($0).flatMap { Double($0.trimmingSpace()) } }
            if let high = sides[1], high.isFinite, high > Self.longestDiagonal, high < 1e9 {
                list.add(
                    .note, .scaleHintUnit, subject,
                    "the scale hint looks like a scale denominator; it is the diagonal of a pixel in metres (OGC "
                        + "01-068r3 7.1.4.5.16)",
                    remedy: "write denominator × 0.00028 × 1.4142")
            }
        }
        let own = ["ScaleHint", "MinScaleDenominator", "MaxScaleDenominator"].contains { element.child($0) != nil }
        if own, let low = layer.minScaleDenominator, let high = layer.maxScaleDenominator, low >= high {
            list.add(
                .deviation, .scalesContradict, subject,
                "the least scale denominator is not below the greatest; by that the layer is never drawn",
                remedy: "swap the two, or leave out the one that is not meant")
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
                    .note, .legendMissing, subject, "the style '\(name ?? "")' names no legend",
                    remedy: "give it a LegendURL")
            }
        }
    }
}
