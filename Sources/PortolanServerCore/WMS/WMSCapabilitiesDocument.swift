import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanText
import PortolanWeb

/// The capabilities of a Web Map Service (OGC 06-042, clause 7.2.4; OGC 01-068r3, clause 7.1.4).
struct WMSCapabilitiesDocument {
    private let version: WMSCapabilities.Version
    private let context: ServingContext
    private var isNew: Bool { version >= .v1_3_0 }
    private var address: String { "\(context.base)/wms?" }

    /// The size of the offered legends, for which the capabilities state width and height.
    static let legendSize = (width: 320, height: 240)

    init(_ version: WMSCapabilities.Version, _ context: ServingContext) {
        self.version = version
        self.context = context
    }

    /// The document in UTF-8.
    var bytes: [UInt8] {
        let sequence = "\(context.book.sequence)"
        var writer = MarkupWriter()
        if isNew {
            writer.element(
                "WMS_Capabilities",
                [
                    "version": "1.3.0", "updateSequence": sequence, "xmlns": "http://www.opengis.net/wms",
                    "xmlns:sld": "http://www.opengis.net/sld", "xmlns:xlink": "http://www.w3.org/1999/xlink",
                    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
                    "xsi:schemaLocation":
                        "http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd "
                        + "http://www.opengis.net/sld http://schemas.opengis.net/sld/1.1.0/sld_capabilities.xsd",
                ], write)
        } else {
            writer.declareType("WMT_MS_Capabilities", "http://schemas.opengis.net/wms/1.1.1/WMS_MS_Capabilities.dtd")
            writer.element("WMT_MS_Capabilities", ["version": "1.1.1", "updateSequence": sequence], write)
        }
        return writer.bytes
    }

    private func write(_ root: inout MarkupWriter) {
        let title = context.title
        root.element("Service") { service in
            service.element("Name", [:], isNew ? "WMS" : "OGC:WMS")
            service.element("Title", [:], title)
            online(&service, "\(context.base)/")
            service.element("Fees", [:], "none")
            service.element("AccessConstraints", [:], "none")
            if isNew {
                service.element("LayerLimit", [:], "\(context.limits.layers)")
                service.element("MaxWidth", [:], "\(context.limits.sidePixels)")
                service.element("MaxHeight", [:], "\(context.limits.sidePixels)")
            }
        }
        root.element("Capability") { capability in
            capability.element("Request") { request in
                let pictures = ServedFormat.allCases.map(\.mediaType)
                operation(&request, "GetCapabilities", [isNew ? "text/xml" : "application/vnd.ogc.wms_xml"])
                operation(&request, "GetMap", pictures)
                operation(&request, "GetFeatureInfo", PlaceFormat.allCases.map(\.mediaType))
                if FontBook.isBuiltIn {
                    operation(
                        &request, isNew ? "sld:GetLegendGraphic" : "GetLegendGraphic",
                        ServedFormat.allCases.filter(\.hasPixels).map(\.mediaType))
                }
            }
            capability.element("Exception") { exception in
                let forms = isNew ? ["XML", "INIMAGE", "BLANK"] : ["se_xml", "se_inimage", "se_blank"]
                for form in forms { exception.element("Format", [:], isNew ? form : "application/vnd.ogc.\(form)") }
            }
            capability.element("Layer") { root in
                root.element("Title", [:], title)
                let systems = systems(context.book.maps)
                place(&root, context.book.maps, systems)
                for map in context.book.maps { self.map(&root, map, systems) }
            }
        }
    }

    /// Returns the offered CRSs: those that all clients support, and those of the maps.
    ///
    /// Version 1.1.1 has no CRS:84, but some clients use the first CRS regardless.
    private func systems(_ maps: [PublishedMap]) -> [CRS] {
        var systems = isNew ? [CRS.crs84, .epsg4326, .webMercator] : [.epsg4326, .webMercator]
        for crs in maps.map(\.crs) where crs.projection != nil && crs != .crs84 && !systems.contains(crs) {
            systems.append(crs)
        }
        return systems
    }

    private func operation(_ request: inout MarkupWriter, _ name: String, _ formats: [String]) {
        request.element(name) { operation in
            for format in formats { operation.element("Format", [:], format) }
            operation.element("DCPType") { $0.element("HTTP") { $0.element("Get") { online(&$0, address) } } }
        }
    }

    private func online(_ writer: inout MarkupWriter, _ address: String) {
        if isNew {
            writer.element("OnlineResource", ["xlink:type": "simple", "xlink:href": address])
        } else {
            writer.element(
                "OnlineResource",
                ["xmlns:xlink": "http://www.w3.org/1999/xlink", "xlink:type": "simple", "xlink:href": address])
        }
    }

    /// Writes a map.
    ///
    /// Several layers of a map are its siblings, because they must not inherit its style.
    private func map(_ parent: inout MarkupWriter, _ map: PublishedMap, _ systems: [CRS]) {
        let layers = map.namedLayers
        guard layers.count > 1 else {
            for named in layers { layer(&parent, named, systems) }
            return
        }
        parent.element("Layer") { group in
            group.element("Title", [:], map.title)
            for named in layers { layer(&group, named, systems) }
        }
    }

    private func layer(_ parent: inout MarkupWriter, _ layer: NamedLayer, _ systems: [CRS]) {
        parent.element("Layer", ["queryable": layer.isQueryable ? "1" : "0"]) { writer in
            writer.element("Name", [:], layer.name)
            writer.element("Title", [:], layer.title)
            place(&writer, [layer.map], systems)
            dimensions(&writer, layer.dimensions)
            if let attribution = layer.map.attribution {
                writer.element("Attribution") { $0.element("Title", [:], attribution) }
            }
            writer.element("Style") { style in
                style.element("Name", [:], "default")
                style.element("Title", [:], "Default")
                // A legend without text is useless.
                guard FontBook.isBuiltIn else { return }
                let size = Self.legendSize
                style.element("LegendURL", ["width": "\(size.width)", "height": "\(size.height)"]) { legend in
                    legend.element("Format", [:], "image/png")
                    let name = layer.name.utf8.map(Self.escaped).joined()
                    online(
                        &legend,
                        "\(address)SERVICE=WMS&VERSION=\(version)&REQUEST=GetLegendGraphic&LAYER=\(name)"
                            + "&FORMAT=image/png&WIDTH=\(size.width)&HEIGHT=\(size.height)")
                }
            }
            scales(&writer, layer)
        }
    }

    private static func escaped(_ byte: UInt8) -> String {
        let isPlain = byte.isASCIILetter || byte.isASCIIDigit || "-.:_".utf8.contains(byte)
        return isPlain ? String(UnicodeScalar(byte)) : "%" + EntityTag.hexadecimal([byte]).uppercased()
    }

    /// Writes the CRSs of a layer, and its bounding box in each.
    private func place(_ writer: inout MarkupWriter, _ maps: [PublishedMap], _ systems: [CRS]) {
        for crs in systems { writer.element(isNew ? "CRS" : "SRS", [:], crs.name) }
        guard let first = maps.first, let own = Self.box(first) else { return }
        let box = maps.dropFirst().compactMap(Self.box).reduce(own) { $0.union($1) }
        if isNew {
            writer.element("EX_GeographicBoundingBox") { writer in
                writer.element("westBoundLongitude", [:], NumberText.decimal(box.minX))
                writer.element("eastBoundLongitude", [:], NumberText.decimal(box.maxX))
                writer.element("southBoundLatitude", [:], NumberText.decimal(box.minY))
                writer.element("northBoundLatitude", [:], NumberText.decimal(box.maxY))
            }
        } else {
            writer.element(
                "LatLonBoundingBox",
                [
                    "minx": NumberText.decimal(box.minX), "miny": NumberText.decimal(box.minY),
                    "maxx": NumberText.decimal(box.maxX), "maxy": NumberText.decimal(box.maxY),
                ])
        }
        for crs in systems {
            guard let transform = try? CoordinateTransform(from: .crs84, to: crs), let own = transform(box) else {
                continue
            }
            let numbers = BoundingBoxWriter.string(for: own, crs: crs, version: version, axisOrder: .auto)
                .split(separator: ",").map(String.init)
            writer.element(
                "BoundingBox",
                [
                    isNew ? "CRS" : "SRS": crs.name, "minx": numbers[0], "miny": numbers[1], "maxx": numbers[2],
                    "maxy": numbers[3],
                ])
        }
    }

    private static func box(_ map: PublishedMap) -> Extent? {
        let degrees = map.degrees
        return Extent(
            minX: max(degrees[0], -180), minY: max(degrees[1], -90), maxX: min(degrees[2], 180),
            maxY: min(degrees[3], 90))
    }

    /// Writes dimensions (OGC 06-042, annex C.2; OGC 01-068r3, annex C.3).
    private func dimensions(_ writer: inout MarkupWriter, _ dimensions: [WMSCapabilities.Dimension]) {
        func flag(_ isSet: Bool) -> String? { isSet ? "1" : nil }
        for dimension in dimensions {
            let name = dimension.name.lowercased()
            guard isNew else {
                writer.element(
                    "Dimension",
                    optional: ["name": name, "units": dimension.units, "unitSymbol": dimension.unitSymbol])
                continue
            }
            writer.element(
                "Dimension",
                optional: [
                    "name": name, "units": dimension.units, "unitSymbol": dimension.unitSymbol,
                    "default": dimension.defaultValue, "multipleValues": flag(dimension.takesSeveral),
                    "nearestValue": flag(dimension.takesNearest), "current": flag(dimension.takesCurrent),
                ], dimension.values)
        }
        guard !isNew else { return }
        // All dimensions precede all extents (annex A.1).
        for dimension in dimensions {
            writer.element(
                "Extent",
                optional: [
                    "name": dimension.name.lowercased(), "default": dimension.defaultValue,
                    "nearestValue": flag(dimension.takesNearest), "multipleValues": flag(dimension.takesSeveral),
                    "current": flag(dimension.takesCurrent),
                ], dimension.values)
        }
    }

    /// Writes the scale range of a single layer.
    private func scales(_ writer: inout MarkupWriter, _ layer: NamedLayer) {
        guard layer.map.layers.count == 1, let only = layer.map.layers.first else { return }
        let finest = only.minimumResolution?.scaleDenominator(in: layer.map.crs)
        let coarsest = only.maximumResolution?.scaleDenominator(in: layer.map.crs)
        if isNew {
            if let finest { writer.element("MinScaleDenominator", [:], NumberText.decimal(finest)) }
            if let coarsest { writer.element("MaxScaleDenominator", [:], NumberText.decimal(coarsest)) }
        } else if finest != nil || coarsest != nil {
            // The diagonal of a pixel in metres (OGC 01-068r3, clause 7.1.4.5.16).
            let diagonal = Resolution.standardPixelSize * 2.0.squareRoot()
            writer.element(
                "ScaleHint",
                [
                    "min": NumberText.decimal((finest ?? 0) * diagonal),
                    "max": NumberText.decimal((coarsest ?? 1e9) * diagonal),
                ])
        }
    }
}
