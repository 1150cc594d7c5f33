import Foundation
import Portolan
import PortolanFetch
import PortolanRaster

/// Makes a map's layers of their specifications.
struct LayerBuilder: Sendable {
    let client: ServiceClient
    let mapCRS: CRS
    /// Standard input, read once, for the layer `-`.
    let standardInput: [UInt8]?
    /// Whether documents of which something had to be repaired or left out are refused.
    var isStrict = false
    /// Whether the budget of memory stays as it is, whatever files the user has.
    var isMemoryFixed = false

    /// The budget of memory, after it was raised for a file of the user's own.
    func memory(forOwn byteCount: Int) -> MemoryBudget {
        let memory = client.memory
        if !isMemoryFixed { memory.makeRoom(forOwnFile: byteCount) }
        return memory
    }

    /// A layer, or why a service gives none.
    struct Built: Sendable {
        var layer: MapLayer?
        var warnings: [String] = []
        /// The layer in a report where nothing could be fetched from it.
        var missing: RenderReport.Layer?
        /// Why nothing could be fetched from it; the command ends with it where no other layer gives anything either.
        var failure: CommandFailure?
        var name = ""
        /// How long its images are used again, where the layer says so.
        var cacheRule: CacheRule?
    }

    /// The layers in their order; services are asked side by side.
    ///
    /// - Parameter deadline: when to give up those that have not answered.
    /// - Throws: ``CommandFailure`` for what the user can mend. A service that cannot be reached is told in the result.
    func build(
        _ specifications: [LayerSpecification], by deadline: PictureDeadline? = nil
    ) async throws -> [Built] {
        let named = try Self.named(specifications)
        return try await withThrowingTaskGroup(of: (Int, Built).self) { group in
            for (place, layer) in named.enumerated() {
                group.addTask {
                    var built = try await build(layer.specification, named: layer.name, by: deadline)
                    built.name = layer.name
                    built.cacheRule = try layer.specification.cacheRule()
                    return (place, built)
                }
            }
            var built = [Built](repeating: Built(), count: named.count)
            for try await (place, result) in group { built[place] = result }
            return built
        }
    }

    /// A layer, or that its service had not answered by the deadline; what is on this machine is read whatever the time.
    private func build(
        _ specification: LayerSpecification, named name: String, by deadline: PictureDeadline?
    ) async throws -> Built {
        guard let deadline, !SourceAdvice.isFile(specification.source) else {
            return try await build(specification, named: name)
        }
        return try await withThrowingTaskGroup(of: Built?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await build(specification, named: name) }
            group.addTask {
                await deadline.wait()
                return nil
            }
            if let built = try await group.next() ?? nil { return built }
            let words = "the service had not told what it offers after \(deadline.duration.secondsText) (--deadline)"
            return Built(
                missing: .init(
                    name: name, kind: specification.kind.name,
                    failure: .init(resource: "capabilities", code: .deadline, status: nil, error: words)),
                failure: CommandFailure(.unavailable, "layer '\(name)': \(words)"))
        }
    }

    /// The specifications with a name of its own each.
    private static func named(
        _ specifications: [LayerSpecification]
    ) throws(CommandFailure) -> [(name: String, specification: LayerSpecification)] {
        var names: Set<String> = []
        var named: [(String, LayerSpecification)] = []
        for specification in specifications {
            let base = specification["name"] ?? name(of: specification)
            var name = base, number = 2
            while !names.insert(name).inserted {
                guard specification["name"] == nil else {
                    throw CommandFailure(.usage, "two layers are named '\(base)'")
                }
                name = "\(base)-\(number)"
                number += 1
            }
            named.append((name, specification))
        }
        return named
    }

    private static func name(of specification: LayerSpecification) -> String {
        if let layers = specification["layers"] ?? specification["layer"] { return layers }
        if specification.source == "-" { return "stdin" }
        guard specification.kind == .features else { return specification.kind.name }
        let path = specification.source.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last.map(String.init) ?? specification.source
        return String(last.prefix { $0 != "." })
    }

    private func build(_ specification: LayerSpecification, named name: String) async throws -> Built {
        do {
            var (layer, warnings) = try await specification.kind.make(specification, name, self)
            if let opacity = try specification.number("opacity") { layer.opacity = opacity }
            layer.transparentColor = try specification.colorKey()
            layer.minimumResolution = try resolution("min-resolution", of: specification)
            layer.maximumResolution = try resolution("max-resolution", of: specification)
            return Built(layer: layer, warnings: warnings.map { "layer '\(name)': \($0)" })
        } catch let failure as CommandFailure where failure.exceedsMemory {
            let missing = RenderReport.Layer(
                name: name, kind: specification.kind.name,
                failure: .init(resource: "features", code: .memory, error: failure.message))
            return Built(missing: missing, failure: failure)
        } catch let error as ServiceError {
            if let failure = CommandFailure(ofOtherKind: error, specification) { throw failure }
            let failure = CommandFailure(error, of: specification.source), isData = specification.kind == .features
            // A file that may not be read is the user's to mend; a server that fails leaves a hole.
            guard error.code == .unavailable || error.code == .unreadable,
                !isData || !SourceAdvice.isFile(specification.source)
            else { throw failure }
            let missing = RenderReport.Layer(
                name: name, kind: specification.kind.name,
                failure: .init(
                    resource: isData ? "features" : "capabilities", code: .service, status: error.status,
                    error: error.description))
            return Built(missing: missing, failure: failure.saying(error.description))
        }
    }

    private func resolution(_ key: String, of specification: LayerSpecification) throws -> Resolution? {
        guard let number = try specification.number(key) else { return nil }
        guard let resolution = Resolution(unitsPerPixel: number) else {
            throw specification.bad(key, "is not more than zero")
        }
        return resolution
    }
}
