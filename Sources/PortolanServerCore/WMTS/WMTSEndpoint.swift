import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A Web Map Tile Service of all maps (OGC 07-057r7), with key-value and RESTful requests.
///
/// Its URLs are `/wmts?` and `/wmts/{layer}/{style}[/{dimension}…]/{grid}/{level}/{row}/{column}.{format}`.
package struct WMTSEndpoint: Endpoint {
    package let root = "wmts"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        do throws(ServiceFault) {
            let asked = path.isEmpty ? try WMTSRequest(request.query) : try WMTSRequest(path: path)
            switch asked.operation {
            case .capabilities:
                let document = WMTSCapabilitiesDocument(context).bytes
                return context.answer(
                    ServerResponse(type: "application/xml", body: document), document: request)
            case .tile(let tile): return try await context.faulting(try picture(tile, context), to: request)
            case .featureInfo(let tile, let i, let j, let format):
                return try await featureInfo(tile, i, j, format, context)
            }
        } catch { return Self.document(path.isEmpty ? error : error.notFound) }
    }

    /// Returns the layer of a tile with the values of its dimensions.
    private func layer(
        of tile: WMTSRequest.Tile, _ context: ServingContext
    ) throws(ServiceFault) -> (layer: NamedLayer, choice: DimensionChoice) {
        guard let layer = context.book.namedLayer(tile.layer) else {
            if let refusal = context.book.refusal(of: tile.layer) { throw ServiceFault(refusal) }
            throw ServiceFault(.invalidParameterValue, context.book.unknownLayer(tile.layer), key: "layer")
        }
        let choice = try DimensionChoice(tile.dimensions, of: layer)
        return (layer.choosing(choice), choice)
    }

    private func picture(
        _ tile: WMTSRequest.Tile, _ context: ServingContext
    ) throws(ServiceFault) -> PictureRequest {
        let (layer, choice) = try layer(of: tile, context), address = tile.address
        guard layer.map.zooms.contains(address.level) else {
            throw ServiceFault(
                .invalidParameterValue,
                "the levels of the layer are \(layer.map.zooms.lowerBound) to \(layer.map.zooms.upperBound)",
                key: "tilematrix")
        }
        // The level has been validated before.
        if let matrix = ServedTileGrid.named(address.grid)?.grid.matrices[address.level] {
            guard matrix.rows.contains(address.row) else {
                throw ServiceFault(.tileOutOfRange, "the last row is \(matrix.rowCount - 1)", key: "tilerow")
            }
            guard matrix.columns.contains(address.column) else {
                throw ServiceFault(.tileOutOfRange, "the last column is \(matrix.columnCount - 1)", key: "tilecol")
            }
        }
        do throws(Problem) {
            let key = (layer.isWhole ? "tile" : "tile \(layer.name)") + choice.key
            return try address.picture(of: layer.map, labelReach: context.labelReach, key: key)
        } catch { throw ServiceFault(error) }
    }

    private func featureInfo(
        _ tile: WMTSRequest.Tile, _ i: Int, _ j: Int, _ mediaType: String?, _ context: ServingContext
    ) async throws(ServiceFault) -> ServerResponse {
        let layer = try layer(of: tile, context).layer, viewport = try picture(tile, context).viewport
        guard let format = PlaceFormat(mediaType) else {
            throw ServiceFault(
                .invalidParameterValue, "unsupported format '\(mediaType ?? "")'", key: "infoformat")
        }
        guard layer.isQueryable else {
            throw ServiceFault(.operationNotSupported, "the layer is not queryable", key: "layer")
        }
        guard (0..<viewport.size.width).contains(i), (0..<viewport.size.height).contains(j) else {
            throw ServiceFault(.pointIJOutOfRange, "\(i), \(j) is outside the tile", key: "i, j")
        }
        var question = PlaceQuestion(viewport: viewport, x: i, y: j, format: format)
        question.count = 10
        do throws(Problem) { return try await context.answer(question, of: [layer]) } catch {
            throw ServiceFault(error)
        }
    }

    /// Returns the exception report for a fault (OGC 06-121r3, clause 8).
    private static func document(_ fault: ServiceFault) -> ServerResponse {
        var response = fault.problem.response, writer = MarkupWriter()
        if fault.code == .operationNotSupported { response.status = 501 }
        let code = (fault.code ?? .noApplicableCode).rawValue
        writer.element(
            "ExceptionReport",
            [
                "version": "1.1.0", "xmlns": "http://www.opengis.net/ows/1.1",
                "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
                "xsi:schemaLocation":
                    "http://www.opengis.net/ows/1.1 http://schemas.opengis.net/ows/1.1.0/owsExceptionReport.xsd",
            ]
        ) { report in
            func text(_ exception: inout MarkupWriter) {
                exception.element("ExceptionText", [:], fault.problem.detail)
            }
            if let key = fault.problem.key {
                report.element("Exception", ["exceptionCode": code, "locator": key], text)
            } else {
                report.element("Exception", ["exceptionCode": code], text)
            }
        }
        response.set("Content-Type", "text/xml")
        response.body = writer.bytes
        return response
    }
}
