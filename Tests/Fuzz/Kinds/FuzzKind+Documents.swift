import Portolan
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb

extension FuzzKind {
    /// Map documents: what is read of one is written, and read again as it was.
    static let mapDocument = FuzzKind(
        name: "map-document", grammar: .json, corpus: ["Tests/Fuzz/Corpus/map-document/*"], read: readMapDocument)

    private static func readMapDocument(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let document = try MapDocument(bytes: bytes, path: "/maps/map.json")
            let (written, lost) = document.encoded(relativeTo: "/maps/map.json")
            if lost.isEmpty, document.warnings.isEmpty,
                try MapDocument(bytes: written, path: "/maps/map.json") != document
            {
                throw Violation(
                    "what is written is read as something else: \(String(decoding: written, as: UTF8.self))")
            }
            return .value("\(magnitude(document.layers.count)) \(try view(document.view))")
        } catch let failure as MapError { return try refused("\(failure)") }
    }

    /// OWS Contexts, which are written and read again as they were, too.
    static let owsContext = FuzzKind(
        name: "ows-context", grammar: .json, corpus: ["Tests/Fuzz/Corpus/ows-context/*"],
        memory: Bound(any: 1 << 20, each: 200), time: Bound(any: 60_000_000, each: 20_000), read: readContext)

    private static func readContext(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let context = try OWSContext(bytes: bytes, path: "/maps/map.json")
            let (written, lost) = context.encoded(relativeTo: "/maps/map.json")
            let again = try OWSContext(bytes: written, path: "/maps/map.json")
            if lost.isEmpty, again.document.layers != context.document.layers {
                throw Violation(
                    "what is written is read as something else: \(String(decoding: written, as: UTF8.self))")
            }
            for warning in context.warnings + lost { _ = try refused("\(warning)") }
            return .value("\(magnitude(context.resources.count)) \(try view(context.document.view))")
        } catch let failure as MapError { return try refused("\(failure)") }
    }

    /// States of a map, which are written and read again as they were, too.
    static let mapState = FuzzKind(
        name: "map-state", grammar: .json, corpus: ["Tests/Fuzz/Corpus/map-state/*"], read: readMapState)

    private static func readMapState(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let state = try MapState(bytes: bytes), (written, lost) = state.encoded()
            let isWhole = lost.allSatisfy { $0.code == .notWritten && $0.layer != nil }
            if isWhole, state.warnings.isEmpty, try MapState(bytes: written) != state {
                throw Violation(
                    "what is written is read as something else: \(String(decoding: written, as: UTF8.self))")
            }
            return .value("\(magnitude(state.layers.count)) \(magnitude(state.history.count))")
        } catch let failure as MapError { return try refused("\(failure)") }
    }

    /// Contexts of a server, and a map that follows the addresses in them.
    static let remoteContext = remote("remote-context", .json, corpus: "ows-context") { client, url, _ in
        let (bytes, base) = try await client.content(at: url)
        let document = try MapDocument(bytes: bytes, base: base)
        let built = try await LayerBuilder(client: client).build(Array(document.layers.prefix(4)))
        guard let layer = built.lazy.compactMap(\.layer).first else { throw Nothing() }
        return layer
    }

    /// Whole styles of a server, with their sources, sprites and pictures.
    static let wholeStyle = remote("whole-style", .json) { client, url, _ in
        let built = try await LayerBuilder(client: client).build([LayerSpecification("style:" + url)])
        guard let made = built.first else { throw Nothing() }
        for warning in made.warnings { _ = try refused(warning.description) }
        guard let layer = made.layer else { throw Nothing() }
        return layer
    }

    /// That a document has no layer.
    private struct Nothing: Error, CustomStringConvertible { var description: String { "no layer" } }

    /// The value of `-l`.
    static let layerSpecification = FuzzKind(
        name: "layer-specification", grammar: .words, corpus: ["Tests/Fuzz/Corpus/layer-specification/*"],
        isLines: true, read: readLayerSpecification)

    private static func readLayerSpecification(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let layer = try LayerSpecification(String(decoding: bytes, as: UTF8.self))
            guard !layer.source.isEmpty else { throw Violation("a layer without a source") }
            return .value("\(layer.kind)")
        } catch let failure as MapError { return try refused("\(failure)") }
    }

    private static func view(_ request: ViewRequest) throws -> String {
        do {
            try request.check()
            let size = request.imageSize
            let viewport = try request.viewport(for: [])
            guard size.width > 0, viewport.resolution.unitsPerPixel.isFinite else { throw Violation("an empty view") }
            return "view"
        } catch let failure as MapError {
            _ = try refused("\(failure)")
            return "no view"
        }
    }
}
