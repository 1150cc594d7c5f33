import Foundation
import Portolan

/// Makes a map's layers of their specifications.
struct LayerBuilder: Sendable {
    let client: ServiceClient
    let mapCRS: CRS
    /// Standard input, read once, for the layer `-`.
    let standardInput: [UInt8]?

    /// A layer, or why a service gives none.
    struct Built: Sendable {
        var layer: MapLayer?
        var warnings: [String] = []
        var failure: RenderReport.Layer?
        /// What the command ends with where nothing but this failure comes of it.
        var status = ExitStatus.unavailable
        var name = ""
        /// How long its images are used again, where the layer says so.
        var cacheRule: CacheRule?
    }

    /// The layers in their order; services are asked side by side.
    ///
    /// - Throws: ``CommandFailure`` for what the user can mend. A service that cannot be reached is told in the result.
    func build(_ specifications: [LayerSpecification]) async throws -> [Built] {
        var names: Set<String> = []
        var wanted: [(name: String, specification: LayerSpecification)] = []
        for specification in specifications {
            let base = specification["name"] ?? Self.name(of: specification)
            var name = base, number = 2
            while !names.insert(name).inserted {
                guard specification["name"] == nil else {
                    throw CommandFailure(.usage, "two layers are named '\(base)'")
                }
                name = "\(base)-\(number)"
                number += 1
            }
            wanted.append((name, specification))
        }
        return try await withThrowingTaskGroup(of: (Int, Built).self) { group in
            for (place, want) in wanted.enumerated() {
                group.addTask {
                    var built = try await build(want.specification, named: want.name)
                    built.name = want.name
                    built.cacheRule = try want.specification.cacheRule()
                    return (place, built)
                }
            }
            var built = [Built](repeating: Built(), count: wanted.count)
            for try await (place, result) in group { built[place] = result }
            return built
        }
    }

    private func build(_ specification: LayerSpecification, named name: String) async throws -> Built {
        do {
            var (layer, warnings) = try await layer(specification, named: name)
            if let opacity = try specification.number("opacity") { layer.opacity = opacity }
            layer.transparentColor = try specification.colorKey()
            layer.minimumResolution = try resolution("min-resolution", of: specification)
            layer.maximumResolution = try resolution("max-resolution", of: specification)
            return Built(layer: layer, warnings: warnings.map { "layer '\(name)': \($0)" })
        } catch let error as ServiceError {
            if let failure = Self.failure(ofOtherKind: error, specification) { throw failure }
            guard error.code == .unavailable || error.code == .unreadable else {
                throw Self.failure(error, of: specification.source)
            }
            let isData = specification.kind == .features
            // A file that may not be read is the user's to mend; a server that fails leaves a hole.
            if isData, Self.isFile(specification.source) { throw Self.failure(error, of: specification.source) }
            return Built(
                failure: RenderReport.Layer(
                    name: name, kind: specification.kind.rawValue,
                    failure: .init(
                        resource: isData ? "features" : "capabilities", code: .service, status: error.status,
                        error: error.description)),
                status: Self.failure(error, of: specification.source).status)
        }
    }

    /// What a service or a file that cannot be used means for the user.
    static func failure(_ error: ServiceError, of source: String) -> CommandFailure {
        if isFile(source) {
            // The name of the code says nothing more of a file.
            let words = if case .fetch(let cause) = error.cause { cause.detail } else { error.detail }
            return CommandFailure(source.hasPrefix("data:") ? .badData : .noInput, "\(source): \(words)")
        }
        let advice = error.answersAs.flatMap { Self.advice(for: $0, at: source, wanted: nil) }
        let status: ExitStatus =
            switch error.code {
            case .notFound: .noInput
            case .notOffered: .usage
            case .unreadable: .badData
            default: .unavailable
            }
        let message = error.description + (status == .badData ? advice.map { "; \($0)" } ?? "" : "")
        return CommandFailure(status, message, httpStatus: error.status)
    }

    /// Whether a source of features is on this machine.
    static func isFile(_ source: String) -> Bool {
        source.hasPrefix("data:") || source.hasPrefix("file:") || !source.contains("://")
    }

    private func resolution(_ key: String, of specification: LayerSpecification) throws -> Resolution? {
        guard let number = try specification.number(key) else { return nil }
        guard let resolution = Resolution(unitsPerPixel: number) else {
            throw specification.bad(key, "is not more than zero")
        }
        return resolution
    }

    private func layer(
        _ specification: LayerSpecification, named name: String
    ) async throws -> (layer: MapLayer, warnings: [String]) {
        switch specification.kind {
        case .wms: try await wmsLayer(specification, named: name)
        case .wmsc: try await wmscLayer(specification, named: name)
        case .wmts: try await wmtsLayer(specification, named: name)
        case .tms: try await tmsLayer(specification, named: name)
        case .xyz: (try tileLayer(specification, named: name), [])
        case .features: try await featureLayer(specification, named: name)
        case .mbtiles: (try Self.mbtilesLayer(specification, named: name), [])
        case .gpkg: try Self.geoPackageLayer(specification, named: name)
        }
    }

    private static func name(of specification: LayerSpecification) -> String {
        if let layers = specification["layers"] ?? specification["layer"] { return layers }
        if specification.source == "-" { return "stdin" }
        let path = specification.source.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last.map(String.init) ?? specification.source
        return specification.kind == .features ? String(last.prefix { $0 != "." }) : specification.kind.rawValue
    }
}
