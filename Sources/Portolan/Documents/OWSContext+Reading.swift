import PortolanFeatures
import PortolanGeo
import PortolanRaster

extension OWSContext {
    /// Reads the members of a feature collection.
    init(_ members: Properties, _ place: DocumentLocation) throws(DocumentError) {
        let features = Self.features(members)
        guard features.count <= MapDocument.maximumLayerCount else {
            throw DocumentError(
                .content("a context can have at most \(MapDocument.maximumLayerCount) resources"), in: place.name)
        }
        let properties = members["properties"]?.objectValue ?? Properties()
        id = members["id"]?.stringValue ?? properties["id"]?.stringValue ?? ""
        title = properties["title"]?.stringValue ?? ""
        subtitle = properties["subtitle"]?.stringValue
        language = properties["lang"]?.stringValue ?? "en"
        updated = properties["updated"]?.stringValue ?? ""
        self.members = members
        self.members["features"] = nil
        if let own = properties[Self.extensionMember]?.objectValue {
            var reader = MapDocumentReader(place: place, isOfContext: true)
            frame = try reader.document(own)
        }
        var warnings: [MapWarning] = []
        var offerings = features.map { ResourceReader($0.objectValue ?? Properties()) }
        if !frame.view.hasPlace {
            frame.view.crs = frame.view.crs ?? Self.commonCRS(of: offerings)
            readView(properties["bbox"] ?? members["bbox"], properties["display"], &warnings)
        }
        var names: Set<String> = []
        for index in offerings.indices {
            let resource = offerings[index].resource(in: frame.view.mapCRS, at: place, avoiding: &names, &warnings)
            if let resource { resources.append(resource) }
        }
        frame.warnings += warnings
    }

    /// The member with content that a context cannot express.
    static let extensionMember = "portolan"

    /// Returns the CRS of all layers if they agree on one that can be transformed from degrees.
    private static func commonCRS(of resources: [ResourceReader]) -> CRS? {
        var common: CRS?
        for name in resources.compactMap({ $0.content?.values["crs"] }) {
            guard let crs = try? CRS(name), crs == common ?? crs, crs.projection != nil || crs.isGeographic else {
                return nil
            }
            common = crs
        }
        return common
    }

    /// Reads the bounding box (west, south, east, north in degrees) and the size of the picture.
    private mutating func readView(
        _ box: PropertyValue?, _ display: PropertyValue?, _ warnings: inout [MapWarning]
    ) {
        if let display = (display?.arrayValue?.first ?? display)?.objectValue, frame.view.size == nil,
            frame.view.paper == nil,
            let width = display["pixelWidth"]?.integerValue, let height = display["pixelHeight"]?.integerValue
        {
            frame.view.size = ImageSize(width: width, height: height)
        }
        guard let sides = box?.arrayValue?.compactMap(\.doubleValue), !sides.isEmpty else { return }
        // A box with heights has six numbers (RFC 7946, section 5).
        let flat = sides.count == 6 ? [sides[0], sides[1], sides[3], sides[4]] : sides
        guard flat.count == 4, flat.allSatisfy(\.isFinite), abs(flat[0]) <= 360, abs(flat[2]) <= 360 else {
            warnings.append(MapWarning(.oddValue, message: "the box must be four numbers in degrees, west first"))
            return
        }
        // If the CRS of the layers cannot show the box, the default CRS is used.
        for crs in [frame.view.crs, nil] {
            frame.view.crs = crs
            frame.view.box = Self.box(flat, in: frame.view.mapCRS)
            frame.view.boxCRS = .crs84
            if frame.view.box != nil, (try? frame.view.check()) != nil { return }
        }
        frame.view.box = nil
        frame.view.boxCRS = nil
        warnings.append(
            MapWarning(.oddValue, message: "the box is empty or cannot be shown; showing all layers"))
    }

    /// Returns the part of a box within a CRS, or `nil` if it is empty.
    ///
    /// The box may cross the antimeridian.
    private static func box(_ sides: [Double], in crs: CRS) -> Extent? {
        var (west, east) = (sides[0], sides[2])
        if east < west { east += 360 }
        if east - west > 360 { (west, east) = (-180, 180) }
        let limit = crs == .webMercator ? 85.0511287798066 : 90
        return Extent(
            minX: west, minY: min(max(sides[1], -limit), limit), maxX: east, maxY: min(max(sides[3], -limit), limit))
    }
}

extension ViewRequest {
    /// Whether the request has an extent or centre.
    var hasPlace: Bool { box != nil || center != nil || isFitting }
}

/// Reads a resource: its offerings, and which of them is drawn.
struct ResourceReader {
    private let members: Properties
    private let properties: Properties
    /// The content of the drawn offering.
    private(set) var content: OfferingReader.Content?
    private var offering: Int?
    private var reader = OfferingReader()
    /// The codes of the offerings that are not drawn.
    private var others: [String] = []

    /// The maximum number of offerings of a resource; more are ignored.
    private static let mostOfferings = 50

    init(_ members: Properties) {
        self.members = members
        properties = members["properties"]?.objectValue ?? Properties()
        for (place, entry) in (properties["offerings"]?.arrayValue ?? []).prefix(Self.mostOfferings).enumerated() {
            guard let object = entry.objectValue, let code = object["code"]?.stringValue else { continue }
            guard let kind = OfferingReader.Kind(code: code) else {
                others.append(code.split(separator: "/").last.map(String.init) ?? code)
                continue
            }
            guard let content = reader.content(of: object, kind) else {
                others.append("\(kind.rawValue) without a GetMap request")
                continue
            }
            self.content = content
            offering = place
            break
        }
    }

    /// Returns the resource, with its layer if it has one, or `nil` if it is not a feature.
    mutating func resource(
        in crs: CRS, at place: DocumentLocation, avoiding names: inout Set<String>, _ warnings: inout [MapWarning]
    ) -> OWSContext.Resource? {
        guard !members.isEmpty else {
            warnings.append(
                MapWarning(.unknownLayer, effect: .omitted, message: "a resource is not an object; left out"))
            return nil
        }
        let title = properties["title"]?.stringValue ?? ""
        var resource = OWSContext.Resource(title: title, members: members)
        let own = properties[OWSContext.extensionMember]?.objectValue ?? Properties()
        func warn(_ code: MapWarning.Code, _ words: String) {
            let effect: MapWarning.Effect = [.unknownLayer, .refusedAddress].contains(code) ? .omitted : .ignored
            warnings.append(MapWarning(code, layer: title.isEmpty ? nil : title, effect: effect, message: words))
        }
        do throws(MapError) {
            guard let layer = try layer(own, in: crs, at: place, named: title, warn) else {
                let listed = others.isEmpty ? "no offering" : "it offers: \(others.joined(separator: ", "))"
                warn(.unknownLayer, "not drawn; \(listed)")
                return resource
            }
            warnings += title.isEmpty ? reader.warnings : reader.warnings.map { $0.about(layer: title) }
            // Titles may be identical; layer names may not.
            var unique = layer, number = 2
            while !names.insert(unique.name).inserted {
                unique = try layer.with("name", "\(layer.name)-\(number)")
                number += 1
            }
            resource.layer = unique
            resource.layerAsRead = unique
            resource.offering = offering
        } catch {
            warn(error.code == .notAllowed ? .refusedAddress : .oddValue, "not drawn; \(error)")
        }
        return resource
    }

    /// Returns the layer of the offering, or of the resource's `portolan` member.
    private func layer(
        _ own: Properties, in crs: CRS, at place: DocumentLocation, named title: String,
        _ warn: (MapWarning.Code, String) -> Void
    ) throws(MapError) -> LayerSpecification? {
        var layer = Properties()
        // Next to an offering, a style is the style of that offering.
        let isWhole = LayerSpecification.sources(in: own, of: place.kinds).contains {
            content == nil || $0 != LayerKind.style.name
        }
        if !isWhole {
            guard let content else { return nil }
            layer = content.members
        }
        var said = outer(in: crs, named: title)
        for member in layer { said[member.name] = member.value }
        for member in own {
            // A null value removes the value of the offering.
            said[member.name] = member.value == .null ? Optional.none : member.value
        }
        var passedOver: [String] = []
        let read = try LayerSpecification(members: said, of: place.kinds, isNewer: true, passedOver: &passedOver) {
            (source, kind) throws(MapError) in
            // Sources in an offering are URI references.
            let path = isWhole || place.isRemote || kind != .features ? nil : DocumentLocation.path(ofReference: source)
            return try place.source(path ?? source, of: kind, isTrusted: false)
        }
        for key in passedOver { warn(.unknownKey, "unknown key '\(key)'") }
        return read
    }

    /// Returns the members of the resource outside of its offerings.
    func outer(in crs: CRS, named title: String) -> Properties {
        var said = Properties()
        if !title.isEmpty { said["name"] = .string(title) }
        if properties["active"] == .bool(false) { said["visible"] = false }
        let scales = [("minscaledenominator", "min-resolution"), ("maxscaledenominator", "max-resolution")]
        for (name, key) in scales {
            guard let denominator = properties[name]?.doubleValue, denominator > 0,
                let resolution = Resolution(scaleDenominator: denominator, in: crs)
            else { continue }
            said[key] = .number(resolution.unitsPerPixel)
        }
        return said
    }
}

extension OfferingReader.Content {
    /// The layer as members of a document.
    var members: Properties {
        var members = Properties()
        members[kind == .features ? "source" : kind.name] = .string(source)
        for (key, text) in values.sorted(by: { $0.key < $1.key }) { members[key] = .string(text) }
        return members
    }
}
