import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices

/// A Web Map Service of all maps: `/wms?`, versions 1.1.1 (OGC 01-068r3) and 1.3.0 (OGC 06-042).
///
/// Its layers are the maps, and the layers of each as `{map}:{layer}`.
package struct WMSEndpoint: Endpoint {
    package let root = "wms"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.isEmpty else { throw Problem(.notFound, "the path of the Web Map Service is /wms?") }
        let asked = WMSRequest(request.query)
        do throws(ServiceFault) {
            if let service = asked["service"], service.lowercased() != "wms" {
                throw ServiceFault(nil, "unsupported service '\(service)'; this is a WMS", key: "service")
            }
            switch asked.operation {
            case .capabilities: return try capabilities(asked, request, context)
            case .map:
                let (picture, choice) = try map(asked, context)
                var response = try await context.faulting(picture, to: request)
                choice.note(in: &response)
                return response
            case .featureInfo: return try await featureInfo(asked, context)
            case .legend: return try await context.faulting(try legend(asked, context), to: request)
            case nil:
                let text = try asked.required("request")
                throw ServiceFault(.operationNotSupported, "unknown operation '\(text)'", key: "request")
            }
        } catch { return await failure(error, asked, context) }
    }

    private func capabilities(
        _ asked: WMSRequest, _ request: ServerRequest, _ context: ServingContext
    ) throws(ServiceFault) -> ServerResponse {
        if let text = asked["updatesequence"] {
            guard let sequence = Int(text) else {
                throw ServiceFault(
                    .invalidUpdateSequence, "'\(text)' is not an update sequence of this server", key: "updatesequence")
            }
            guard sequence <= context.book.sequence else {
                throw ServiceFault(
                    .invalidUpdateSequence, "'\(text)' is later than the current update sequence", key: "updatesequence"
                )
            }
            guard sequence < context.book.sequence else {
                throw ServiceFault(
                    .currentUpdateSequence, "'\(text)' is the current update sequence", key: "updatesequence")
            }
        }
        // This format, which all clients read, is allowed for any requested format (clause 7.2.3.1).
        let type = asked.version >= .v1_3_0 ? "text/xml" : "application/vnd.ogc.wms_xml"
        let document = ServerResponse(
            type: type, body: WMSCapabilitiesDocument(asked.version, context).bytes)
        return context.answer(document, document: request)
    }

    /// The picture of a map or feature info request, without its format.
    private struct View {
        let layers: [NamedLayer]
        let map: PublishedMap
        let viewport: Viewport
        let choice: DimensionChoice
    }

    /// Returns the picture of a map or feature info request, without its format.
    private func view(
        _ asked: WMSRequest, _ context: ServingContext
    ) throws(ServiceFault) -> View {
        var layers = try self.layers(asked, "layers", context)
        try checkStyles(asked, layers)
        let choice = try DimensionChoice(asked, of: layers)
        layers = layers.map { $0.choosing(choice) }
        let crs = try asked.crs(), extent = try asked.extent(in: crs), size = try asked.size(context.limits)
        guard let map = PublishedMap(layers) else { throw ServiceFault(nil, "missing 'layers'", key: "layers") }
        do throws(Problem) {
            let viewport = try Viewport.showing(
                extent, in: crs, width: size.width, height: size.height, key: "bbox, width, height")
            return View(layers: layers, map: map, viewport: viewport, choice: choice)
        } catch { throw ServiceFault(error) }
    }

    private func map(
        _ asked: WMSRequest, _ context: ServingContext
    ) throws(ServiceFault) -> (PictureRequest, DimensionChoice) {
        let format = try asked.format(isRequired: true), view = try view(asked, context)
        var picture = PictureRequest(
            of: view.map, in: view.viewport, as: format,
            key: "wms " + view.layers.map(\.name).joined(separator: ",") + view.choice.key)
        picture.background = try asked.background(for: format)
        return (picture, view.choice)
    }

    private func layers(
        _ asked: WMSRequest, _ key: String, _ context: ServingContext
    ) throws(ServiceFault) -> [NamedLayer] {
        let names = asked.names(key)
        guard !names.isEmpty else { throw ServiceFault(nil, "missing '\(key)'", key: key) }
        guard names.count <= context.limits.layers else {
            throw ServiceFault(nil, "a map can have at most \(context.limits.layers) layers", key: key)
        }
        var layers: [NamedLayer] = []
        for name in names {
            guard let layer = context.book.namedLayer(name) else {
                if let refusal = context.book.refusal(of: name) { throw ServiceFault(refusal) }
                throw ServiceFault(.layerNotDefined, context.book.unknownLayer(name), key: key)
            }
            layers.append(layer)
        }
        return layers
    }

    /// Checks that all styles are `default` or empty: each layer has one style.
    private func checkStyles(_ asked: WMSRequest, _ layers: [NamedLayer]) throws(ServiceFault) {
        let styles = asked.names("styles")
        if let style = styles.first(where: { !["", "default"].contains($0) }) {
            throw ServiceFault(.styleNotDefined, "unknown style '\(style)'", key: "styles")
        }
        guard styles.isEmpty || styles.count == layers.count else {
            throw ServiceFault(nil, "\(styles.count) styles for \(layers.count) layers", key: "styles")
        }
    }

    private func featureInfo(
        _ asked: WMSRequest, _ context: ServingContext
    ) async throws(ServiceFault) -> ServerResponse {
        let view = try view(asked, context), queried = try layers(asked, "query_layers", context)
        for layer in queried {
            guard view.layers.contains(where: { $0.name == layer.name }) else {
                throw ServiceFault(
                    .layerNotDefined, "'\(layer.name)' is not in 'layers'", key: "query_layers")
            }
            guard layer.isQueryable else {
                throw ServiceFault(.layerNotQueryable, "'\(layer.name)' is not queryable", key: "query_layers")
            }
        }
        guard let format = PlaceFormat(asked["info_format"]) else {
            throw ServiceFault(
                .invalidFormat, "unsupported format '\(asked["info_format"] ?? "")'", key: "info_format")
        }
        let (across, down) = asked.version >= .v1_3_0 ? ("i", "j") : ("x", "y")
        let i = try asked.required(across), j = try asked.required(down), size = view.viewport.size
        guard let x = Int(i), let y = Int(j), (0..<size.width).contains(x), (0..<size.height).contains(y) else {
            throw ServiceFault(.invalidPoint, "\(i), \(j) is outside the map", key: "\(across), \(down)")
        }
        var question = PlaceQuestion(viewport: view.viewport, x: x, y: y, format: format)
        do throws(Problem) {
            if let count = asked["feature_count"] {
                question.count = min(max(try RequestText.whole(count, "feature_count"), 1), PlaceQuestion.most)
            }
            var response = try await context.answer(question, of: queried.map { $0.choosing(view.choice) })
            view.choice.note(in: &response)
            return response
        } catch { throw ServiceFault(error) }
    }

    private func legend(_ asked: WMSRequest, _ context: ServingContext) throws(ServiceFault) -> PictureRequest {
        let name = try asked.required("layer")
        guard let layer = context.book.namedLayer(name) else {
            if let refusal = context.book.refusal(of: name) { throw ServiceFault(refusal) }
            throw ServiceFault(.layerNotDefined, context.book.unknownLayer(name), key: "layer")
        }
        guard ["", "default"].contains(asked["style"] ?? "") else {
            throw ServiceFault(.styleNotDefined, "unknown style '\(asked["style"] ?? "")'", key: "style")
        }
        let format = try asked.format(isRequired: false)
        guard format.hasPixels else {
            throw ServiceFault(.invalidFormat, "legends are not available as SVG", key: "format")
        }
        do throws(Problem) {
            let width = try asked["width"].map { (text) throws(Problem) in try RequestText.whole(text, "width") }
            let height = try asked["height"].map { (text) throws(Problem) in try RequestText.whole(text, "height") }
            let isExact = width != nil && height != nil
            try context.limits.check(width: width ?? 400, height: height ?? 1000, ratio: 1, key: "width, height")
            guard let size = ImageSize(width: width ?? 400, height: height ?? 1000) else {
                throw Problem(.badRequest, "not a valid image size", key: "width, height")
            }
            return try layer.map.legend(within: size, isExact: isExact, as: format, key: name)
        } catch { throw ServiceFault(error) }
    }
}

extension PublishedMap {
    /// Returns the request for a legend of the whole map, at any scale.
    func legend(
        within size: ImageSize, isExact: Bool, as format: ServedFormat, key: String
    ) throws(Problem) -> PictureRequest {
        var layers = layers
        for place in layers.indices { (layers[place].minimumResolution, layers[place].maximumResolution) = (nil, nil) }
        let degrees = self.degrees
        guard
            let box = Extent(minX: degrees[0], minY: max(degrees[1], -85), maxX: degrees[2], maxY: min(degrees[3], 85))
        else { throw Problem(.nothingToDraw, "the map has no extent") }
        // A small view is enough, because no images of servers are needed.
        let viewport = try Viewport.showing(box, in: .crs84, width: 256, height: 256, key: "legend")
        var picture = PictureRequest(of: self, layers: layers, in: viewport, as: format, key: "legend \(key)")
        picture.subject = .legend(within: size, isExact: isExact)
        return picture
    }
}
