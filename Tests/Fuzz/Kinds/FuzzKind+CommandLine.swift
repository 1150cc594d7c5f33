import Portolan
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension FuzzKind {
    /// The JSON documents of `portolan render`.
    static let mapDocument = FuzzKind(
        name: "map-document", grammar: .json, corpus: ["Tests/Fuzz/Corpus/map-document/*"], read: readMapDocument)

    private static func readMapDocument(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let document = try MapDocument(bytes: bytes, path: "map.json")
            return .value("\(magnitude(document.layers.count)) \(try view(document.view))")
        } catch let failure as DocumentError {
            return try refused("\(failure)".inOneLine)
        }
    }

    /// What stands behind `-l`.
    static let layerSpecification = FuzzKind(
        name: "layer-specification", grammar: .words, corpus: ["Tests/Fuzz/Corpus/layer-specification/*"],
        isLines: true, read: readLayerSpecification)

    private static func readLayerSpecification(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let layer = try LayerSpecification(String(decoding: bytes, as: UTF8.self))
            guard !layer.source.isEmpty else { throw Violation("a layer without a source") }
            return .value("\(layer.kind)")
        } catch let failure as LayerError {
            return try refused("\(failure)".inOneLine)
        }
    }

    private static func view(_ request: ViewRequest) throws -> String {
        do {
            try request.check()
            let size = request.imageSize
            let viewport = try request.viewport(for: [])
            guard size.width > 0, viewport.resolution.unitsPerPixel.isFinite else { throw Violation("an empty view") }
            return "view"
        } catch let failure as ViewRequestError {
            _ = try refused("\(failure)".inOneLine)
            return "no view"
        }
    }
}
