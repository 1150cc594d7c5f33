import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

extension OWSContext {
    /// Returns the context as GeoJSON (OGC 14-055r2), the topmost layer first.
    ///
    /// User names and passwords in URLs, and parameters that contain API keys, are omitted, including those in the
    /// original context. A warning names each affected layer. Layers without a standard offering, such as tile
    /// archives, are written only in the `portolan` member; layers from standard input are omitted.
    ///
    /// - Parameter path: the future path of the context; files in its folder are written relative to it.
    public func encoded(relativeTo path: String? = nil) -> (bytes: [UInt8], warnings: [MapWarning]) {
        var writer = ContextWriter(self, place: path.map { DocumentLocation(path: $0) })
        let members = writer.members(of: self)
        return (JSONDocument.bytes(of: members), writer.warnings)
    }

    /// Writes the context to a file, atomically replacing an existing file.
    ///
    /// - Returns: the warnings of ``encoded(relativeTo:)`` about omitted content.
    /// - Throws: ``MapError``.
    @discardableResult
    public func write(to path: String) throws(MapError) -> [MapWarning] {
        let (bytes, warnings) = encoded(relativeTo: path)
        do { try DocumentFile.write(bytes, to: path) } catch { throw MapError(error) }
        return warnings
    }
}

/// Writes a context.
private struct ContextWriter {
    let place: DocumentLocation?
    let id: String
    let updated: String
    /// The view, or `nil` if only the layers define it.
    let view: Viewport?
    let crs: CRS
    private(set) var warnings: [MapWarning] = []

    init(_ context: OWSContext, place: DocumentLocation?) {
        self.place = place
        id = context.id
        updated = context.updated
        crs = context.frame.view.mapCRS
        view = context.frame.view.hasPlace ? try? context.frame.view.viewport(for: []) : nil
    }

    mutating func members(of context: OWSContext) -> Properties {
        var members: Properties = ["type": "FeatureCollection", "id": .string(id)]
        for member in context.members where members[member.name] == nil { members[member.name] = member.value }
        var properties = members["properties"]?.objectValue ?? Properties()
        properties["lang"] = .string(context.language)
        properties["title"] = .string(context.title)
        properties["subtitle"] = context.subtitle.map { .string($0) }
        properties["updated"] = .string(updated)
        properties["generator"] = ["title": "Portolan"]
        var links = properties["links"]?.objectValue ?? Properties()
        links["profiles"] = [["href": "http://www.opengis.net/spec/owc-geojson/1.0/req/core"]]
        properties["links"] = .object(links)
        if let size = context.frame.view.size {
            properties["display"] = [["pixelWidth": .integer(size.width), "pixelHeight": .integer(size.height)]]
        }
        let box = view.flatMap { degrees($0.extent) }
        properties["bbox"] = box
        members["bbox"] = box
        let (own, lost) = context.frame.members(at: place)
        warnings += lost
        properties[OWSContext.extensionMember] = .object(own)
        members["properties"] = .object(properties)
        members["features"] = .array(context.resources.compactMap { resource in feature(of: resource) })
        return members
    }

    /// Returns an extent as west, south, east and north in degrees.
    private func degrees(_ extent: Extent) -> PropertyValue? {
        guard let box: Extent = (try? CoordinateTransform(from: crs, to: .crs84))?(extent) else { return nil }
        return [
            .number(max(box.minX, -360)), .number(max(box.minY, -90)), .number(min(box.maxX, 360)),
            .number(min(box.maxY, 90)),
        ]
    }

    /// The geometry of a resource: the bounding box of the view.
    private var scope: PropertyValue {
        guard let sides = view.flatMap({ degrees($0.extent) })?.arrayValue, sides.count == 4 else { return .null }
        let ring = [(0, 1), (2, 1), (2, 3), (0, 3), (0, 1)].map { PropertyValue.array([sides[$0], sides[$1]]) }
        return ["type": "Polygon", "coordinates": [.array(ring)]]
    }

    private mutating func feature(of resource: OWSContext.Resource) -> PropertyValue? {
        if let layer = resource.layer, layer.source == "-" {
            warnings.append(
                MapWarning(
                    .notWritten, layer: layer.name, effect: .omitted,
                    message: "standard input cannot be saved in a document"))
            return nil
        }
        var members: Properties = ["type": "Feature"]
        for member in resource.members { members[member.name] = member.value }
        if members["id"] == nil { members["id"] = .string("\(id)#\(PercentEncoding.component(resource.title))") }
        if members["geometry"] == nil { members["geometry"] = scope }
        var properties = members["properties"]?.objectValue ?? Properties()
        if properties["title"] == nil { properties["title"] = .string(resource.title) }
        if properties["updated"] == nil { properties["updated"] = .string(updated) }
        // Some readers require `links`.
        if properties["links"] == nil { properties["links"] = [:] }
        var hasLost = false
        if let layer = resource.layer, layer != resource.layerAsRead {
            let clean = layer.withoutSecrets
            hasLost = clean != nil
            describe(clean ?? layer, resource, &properties)
        }
        members["properties"] = .object(properties)
        let value = PropertyValue.object(members).withoutSecrets(&hasLost)
        if hasLost {
            warnings.append(
                resource.layer.map { .credentials(of: $0.name) }
                    ?? MapWarning(
                        .credentials, layer: resource.title, effect: .omitted,
                        message: "secrets in its URLs are not saved"))
        }
        return value
    }

    /// Describes a layer in the properties of its resource: in standard members, and the rest in the `portolan` member.
    private func describe(
        _ layer: LayerSpecification, _ resource: OWSContext.Resource, _ properties: inout Properties
    ) {
        properties["active"] = .bool((try? layer.isVisible) ?? true)
        for (name, key) in [("minscaledenominator", "min-resolution"), ("maxscaledenominator", "max-resolution")] {
            let resolution = (try? layer.number(key)).flatMap { $0 }.flatMap { Resolution(unitsPerPixel: $0) }
            properties[name] = resolution.map { .number($0.scaleDenominator(in: crs)) }
        }
        var offerings = properties["offerings"]?.arrayValue ?? []
        let offering = OfferingWriter(view: view, crs: crs, place: place).offering(of: layer)
        if let offering {
            if let old = resource.offering, offerings.indices.contains(old) {
                offerings[old] = .object(offering)
            } else {
                offerings.insert(.object(offering), at: 0)
            }
        } else if let old = resource.offering, offerings.indices.contains(old) {
            offerings.remove(at: old)
        }
        properties["offerings"] = .array(offerings)
        properties[OWSContext.extensionMember] = nil
        let read = ResourceReader(["properties": .object(properties)])
        let own = difference(of: layer.members(at: place), to: read, properties["title"]?.stringValue ?? "")
        if !own.isEmpty { properties[OWSContext.extensionMember] = .object(own) }
    }

    /// Returns the members of a layer that differ from those a standard reader derives.
    ///
    /// Unset members are null.
    private func difference(of layer: Properties, to read: ResourceReader, _ title: String) -> Properties {
        var said = read.outer(in: crs, named: title), whole = layer
        for member in said where layer[member.name] == nil { whole[member.name] = .null }
        guard let content = read.content else { return whole }
        for member in content.members { said[member.name] = member.value }
        if content.kind == .features, let path = DocumentLocation.path(ofReference: content.source) {
            said["source"] = .string(path)
        }
        guard let source = layer.first, said[source.name] == source.value else { return whole }
        var own = Properties()
        for member in layer where said[member.name]?.keyText != member.value.keyText {
            own[member.name] = member.value
        }
        for member in said where layer[member.name] == nil { own[member.name] = .null }
        return own
    }
}

extension PropertyValue {
    /// Returns the value without the secrets in its URLs.
    fileprivate func withoutSecrets(_ hasLost: inout Bool) -> PropertyValue {
        switch self {
        case .string(let text):
            guard text.contains("://"), let clean = Secrets.leftOut(of: text) else { return self }
            hasLost = true
            return .string(clean)
        case .array(let values): return .array(values.map { $0.withoutSecrets(&hasLost) })
        case .object(let members):
            var clean = Properties()
            for member in members { clean[member.name] = member.value.withoutSecrets(&hasLost) }
            return .object(clean)
        default: return self
        }
    }
}

/// Creates the offering of a layer.
private struct OfferingWriter {
    let view: Viewport?
    let crs: CRS
    let place: DocumentLocation?

    /// Returns the offering, or `nil` if there is no offering class for the layer kind.
    func offering(of layer: LayerSpecification) -> Properties? {
        switch layer.kind {
        case .wms, .wmsc: wms(layer)
        case .wmts: wmts(layer)
        case .wfs: wfs(layer)
        case .ogcAPI: ogcAPI(layer)
        case .xyz, .tms: template(layer)
        case .features: features(layer)
        default: nil
        }
    }

    private func operation(_ code: String, _ type: String, _ href: String) -> PropertyValue {
        ["code": .string(code), "method": "GET", "type": .string(type), "href": .string(href)]
    }

    private func offering(_ kind: OfferingReader.Kind, _ operations: [PropertyValue]) -> Properties {
        ["code": .string(kind.code), "operations": .array(operations)]
    }

    private func wms(_ layer: LayerSpecification) -> Properties? {
        guard let layers = layer.list("layers") else { return nil }
        let service = NamedURL(layer.source, namedBy: layer.origin)
        let version = layer["version"].flatMap(WMSCapabilities.Version.init(rawValue:))
        let asked = layer["crs"].flatMap { try? CRS($0) } ?? crs
        let format = MediaType.text(ofImages: layer["format"] ?? "image/png")
        var operations = [
            operation(
                "GetCapabilities", "application/xml", GetCapabilitiesRequest(version: version, baseURL: service).url)
        ]
        let shown = view?.extent ?? crs.worldExtent
        let extent: Extent? = shown.flatMap { (try? CoordinateTransform(from: crs, to: asked))?($0) }
        if let extent {
            let size = view?.size
            let request = GetMapRequest(
                version: version ?? .v1_3_0, baseURL: service, layers: layers, styles: layer.list("styles") ?? [],
                crs: asked, crsName: layer["crs"] ?? asked.name, extent: extent, width: size?.width ?? 512,
                height: size?.height ?? 512, format: format,
                isTransparent: (try? layer.flag("transparent")) ?? true, background: nil,
                extraParameters: layer.wmsParameters)
            operations.append(operation("GetMap", format, request.url))
        }
        return offering(.wms, operations)
    }

    private func wmts(_ layer: LayerSpecification) -> Properties {
        let service = ServiceURL(layer.source)
        // A capabilities document is requested without parameters.
        let isDocument = layer.source.lowercased().contains(".xml")
        let offer = [("SERVICE", "WMTS"), ("REQUEST", "GetCapabilities"), ("VERSION", "1.0.0")]
        var operations = [
            operation(
                "GetCapabilities", "application/xml", isDocument ? layer.source : service.url(with: offer, dropping: [])
            )
        ]
        if !isDocument, let name = layer["layer"], let set = layer["matrix-set"] {
            let format = MediaType.text(ofImages: layer["format"] ?? "image/png")
            let tile = [
                ("SERVICE", "WMTS"), ("REQUEST", "GetTile"), ("VERSION", "1.0.0"), ("LAYER", name),
                ("STYLE", layer["style"] ?? ""), ("FORMAT", format), ("TILEMATRIXSET", set),
                ("TILEMATRIX", "{TileMatrix}"),
                ("TILEROW", "{TileRow}"), ("TILECOL", "{TileCol}"),
            ]
            let all = tile + layer.values(after: "dim.").map { ($0.name, $0.value) }
            let href = service.url(with: all.map { ($0, PercentEncoding.value($1)) }, dropping: [])
            operations.append(operation("GetTile", format, href))
        }
        return offering(.wmts, operations)
    }

    private func wfs(_ layer: LayerSpecification) -> Properties? {
        guard let type = layer["layers"] else { return nil }
        let service = ServiceURL(layer.source)
        func href(_ parameters: [(String, String?)]) -> String {
            let all = [("SERVICE", "WFS")] + parameters
            return service.url(
                with: all.compactMap { name, value in value.map { (name, PercentEncoding.value($0)) } },
                dropping: OfferingReader.parametersOfWFS)
        }
        let version = layer["version"]
        let name =
            version == WFSVersion.v1_0_0.rawValue || version == WFSVersion.v1_1_0.rawValue ? "TYPENAME" : "TYPENAMES"
        return offering(
            .wfs,
            [
                operation(
                    "GetCapabilities", "application/xml", href([("VERSION", version), ("REQUEST", "GetCapabilities")])),
                operation(
                    "GetFeature", layer["format"] ?? "application/gml+xml",
                    href([
                        ("VERSION", version), ("REQUEST", "GetFeature"), (name, type), ("SRSNAME", layer["crs"]),
                        ("OUTPUTFORMAT", layer["format"]),
                    ])),
            ])
    }

    /// Returns the offering of an OGC API collection; its items have a fixed path (OGC 17-069r4, clause 7.15).
    private func ogcAPI(_ layer: LayerSpecification) -> Properties? {
        guard let collection = layer["layers"] else { return nil }
        var parts = layer.source.prefix { $0 != "?" && $0 != "#" }.split(
            separator: "/", omittingEmptySubsequences: false
        ).map(String.init)
        while parts.last?.isEmpty == true { parts.removeLast() }
        if parts.last == "collections" {
            parts.removeLast()
        } else if parts.count > 2, parts[parts.count - 2] == "collections" {
            parts.removeLast(2)
        }
        let query = layer["crs"].map { "?crs=" + PercentEncoding.value($0) } ?? ""
        let items = parts + ["collections", PercentEncoding.component(collection), "items"]
        return offering(
            .ogcAPI,
            [
                operation("LandingPage", "application/json", layer.source),
                operation("Items", "application/geo+json", items.joined(separator: "/") + query),
            ])
    }

    private func template(_ layer: LayerSpecification) -> Properties? {
        guard LayerSpecification.isTemplate(layer.source) else { return nil }
        // TMS counts rows from the bottom.
        let rows = layer.kind == .tms ? ["{y}", "{row}", "{TileRow}"] : []
        let href = rows.reduce(layer.source) { $0.replacing($1, with: "{-y}") }
        return offering(.xyz, [operation("REST", "image/png", href)])
    }

    private func features(_ layer: LayerSpecification) -> Properties? {
        let path = layer.source.prefix { $0 != "?" && $0 != "#" }.lowercased()
        guard !path.hasSuffix(".gpx") else { return nil }
        let href: String
        if layer.source.hasPrefix("data:") || layer.source.contains("://") {
            href = layer.source
        } else {
            let written = place?.written(FileAddress.path(of: layer.source)) ?? layer.source
            href = written.hasPrefix("/") ? FileAddress.url(of: written) : PercentEncoding.path(written)
        }
        return [
            "code": .string(OfferingReader.Kind.geojson.code),
            "contents": [["type": "application/geo+json", "href": .string(href)]],
        ]
    }
}
