import PortolanArchives
import PortolanVectorTiles

extension FuzzKind {
    /// Mapbox Vector Tiles.
    static let mvt = FuzzKind(
        name: "mvt", grammar: .words, corpus: ["Tests/Fuzz/Corpus/mvt/*"], memory: Bound(any: 8 << 20, each: 400),
        time: Bound(any: 200_000_000, each: 40_000)
    ) { bytes in try read(bytes, .mvt) }

    /// MapLibre Tiles, in which few bytes can expand to many values.
    static let mlt = FuzzKind(
        name: "mlt", grammar: .words, corpus: ["Tests/Fuzz/Corpus/mlt/*"], memory: Bound(any: 48 << 20, each: 400),
        time: Bound(any: 2_000_000_000, each: 40_000)
    ) { bytes in try read(bytes, .mlt) }

    /// PMTiles archives, of which the reader asks for parts.
    static let pmtiles = FuzzKind(
        name: "pmtiles", grammar: .words, corpus: ["Tests/Fuzz/Corpus/pmtiles/*"],
        memory: Bound(any: 2 << 20, each: 200),
        time: Bound(any: 100_000_000, each: 20_000), read: readPMTiles)

    private static let tileLimits: VectorTileLimits = {
        var limits = VectorTileLimits()
        limits.byteCount = 1 << 20
        limits.featureCount = 1 << 14
        limits.vertexCount = 1 << 15
        limits.partCount = 1 << 15
        limits.attributeCount = 1 << 17
        return limits
    }()

    private static func read(_ bytes: [UInt8], _ encoding: VectorTileEncoding) throws -> Outcome {
        let tile: VectorTile
        do throws(VectorTileError) {
            tile = try VectorTile(bytes, encoding: encoding, limits: tileLimits)
        } catch {
            guard error.offset <= max(bytes.count, tileLimits.byteCount) else {
                throw Violation("a position beyond the tile")
            }
            return try refused("\(error.code)")
        }
        guard tile.faults.count <= min(tile.faultCount, VectorTile.faultLimit) else {
            throw Violation("too many faults")
        }
        for layer in tile.layers { try check(layer) }
        let names = tile.layers.map(\.name)
        let none = try? VectorTile(bytes, encoding: encoding, selection: .layers([:]), limits: tileLimits)
        guard none?.layers.isEmpty == true else { throw Violation("nothing is selected, and something is read") }
        let same = try? VectorTile(bytes, encoding: encoding, selection: .layers(names), limits: tileLimits)
        guard same?.layers.map(\.name) == names, same?.layers.map(\.featureCount) == tile.layers.map(\.featureCount)
        else { throw Violation("all layers are selected, and others are read") }
        return .value(
            "\(magnitude(names.count)) \(magnitude(tile.layers.reduce(0) { $0 + $1.featureCount })) "
                + "\(magnitude(tile.layers.reduce(0) { $0 + $1.columns.count })) \(magnitude(tile.faultCount))")
    }

    private static func check(_ layer: VectorTileLayer) throws {
        let geometry = layer.geometry, count = layer.featureCount
        guard layer.extent > 0, (1...2).contains(layer.version), geometry.partOffsets.count == count + 1,
            geometry.partOffsets.last.map(Int.init) == geometry.vertexOffsets.count - 1,
            geometry.vertexOffsets.last.map({ 2 * Int($0) }) == geometry.coordinates.count,
            zip(geometry.partOffsets, geometry.partOffsets.dropFirst()).allSatisfy({ $0 <= $1 }),
            zip(geometry.vertexOffsets, geometry.vertexOffsets.dropFirst()).allSatisfy({ $0 <= $1 })
        else { throw Violation("a layer whose offsets do not fit") }
        for feature in 0..<min(count, 500) {
            let polygons = layer.polygons(of: feature), parts = geometry.parts(of: feature)
            guard zip(polygons, polygons.dropFirst()).allSatisfy({ $0.upperBound == $1.lowerBound }),
                polygons.allSatisfy({
                    !$0.isEmpty && parts.contains($0.lowerBound) && $0.upperBound <= parts.upperBound
                })
            else { throw Violation("polygons that are not parts of their feature") }
            _ = layer.ids[feature]
        }
        for column in layer.columns.prefix(50) {
            for feature in 0..<min(count, 500) {
                guard let index = column.valueIndex(of: feature) else { continue }
                guard index < column.values.count else { throw Violation("a value that the column does not have") }
                if feature < 20 { _ = column[feature] }
            }
        }
    }

    private static func readPMTiles(_ bytes: [UInt8]) throws -> Outcome {
        var index = PMTilesIndex(), words = ""
        for (level, column, row) in [(0, 0, 0), (1, 1, 0), (2, 1, 3), (14, 9000, 5000)] {
            do throws(PMTilesError) {
                for step in 0... {
                    let need = try index.need(level: level, column: column, row: row)
                    guard case .bytes(let range) = need else {
                        words += need == .absent ? "-" : "t"
                        break
                    }
                    guard step < 8 else {
                        words += "!"
                        break
                    }
                    let count = UInt64(bytes.count)
                    let part = Int(min(range.lowerBound, count))..<Int(min(range.upperBound, count))
                    try index.add(Array(bytes[part]), at: range)
                }
            } catch { words += try refused(error.description).signature }
        }
        guard !words.utf8.contains(UInt8(ascii: "!")) else { throw Violation("the reader asks for parts without end") }
        return .value(words)
    }
}
