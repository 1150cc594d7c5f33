public import PortolanFeatures
import PortolanFetch
public import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
public import PortolanWeb

extension LayerBuilder {
    /// Reads the elevations of the ground at positions and along lines from a source of elevations.
    ///
    /// ```swift
    /// let builder = LayerBuilder(client: map.services)
    /// let sampler = try await LayerBuilder.ElevationSampler(LayerSpecification("hillshade:alps.tif"), builder)
    /// let (route, _) = try await sampler.adding(to: track)
    /// ```
    public struct ElevationSampler: Sendable {
        /// The largest number of tiles that are read for a request; longer lines are read from coarser levels.
        private static let tileLimit = 256
        /// The largest number of positions that are added to a line.
        private static let addedLimit = 100_000

        private let source: TerrainSource
        private let client: ServiceClient
        /// Warnings about the source.
        public let warnings: [MapWarning]

        /// Opens the elevations of a layer of shaded relief, slopes or contours.
        ///
        /// - Throws: ``MapError`` if the source cannot be opened, or the layer draws no elevations.
        public init(_ specification: LayerSpecification, _ builder: LayerBuilder) async throws(MapError) {
            let (layer, warnings) = try await specification.kind.layer(
                of: specification, named: specification.source, builder)
            guard let source = layer.terrain else {
                throw specification.invalid("layer '\(specification.source)': it has no elevations")
            }
            self.source = source
            self.warnings = warnings
            client = builder.client(for: specification)
        }

        /// Returns the elevations in metres at positions in degrees, and the reasons why tiles are missing.
        ///
        /// They are interpolated between the four samples around a position; `nil` without data.
        ///
        /// - Throws: ``MapError`` if all tiles are missing.
        public func elevations(
            at places: [Coordinate]
        ) async throws(MapError) -> (elevations: [Double?], losses: [String]) {
            guard let transform = try? CoordinateTransform(from: .crs84, to: source.tiles.grid.crs) else {
                throw MapError(
                    .nothingFound, "no transformation to \(source.tiles.grid.crs), the CRS of the elevations")
            }
            let projected = places.map { place -> Coordinate? in
                guard var here = transform(place) else { return nil }
                if let width = source.tiles.grid.crs.worldWidth { here.x -= (here.x / width).rounded() * width }
                return here
            }
            var level = source.tiles.grid.matrices.count - 1, tiles = self.tiles(of: projected, level: level)
            while tiles.count > Self.tileLimit, level > 0 {
                level -= 1
                tiles = self.tiles(of: projected, level: level)
            }
            guard tiles.count <= Self.tileLimit else {
                throw MapError(
                    .tooLarge, "that takes more than \(Self.tileLimit) tiles of elevations; use a shorter line")
            }
            let (content, losses) = await load(tiles)
            if Task.isCancelled { throw MapError(.cancelled, "interrupted") }
            if content.isEmpty, let first = losses.first { throw MapError(.unavailable, first) }
            let found = projected.map { $0.flatMap { elevation(at: $0, level: level, content) } }
            return (found, losses)
        }

        /// Returns features in degrees with the elevations of the ground: those of lines without elevations, or of all lines.
        ///
        /// Positions are added to lines, as densely as the source has samples, so that hills between two points count.
        ///
        /// - Parameter replaces: whether elevations that lines have are replaced.
        /// - Throws: ``MapError`` if all tiles are missing.
        public func adding(
            to collection: FeatureCollection, replaces: Bool = false
        ) async throws(MapError) -> (collection: FeatureCollection, losses: [String]) {
            var result = collection, losses: [String] = []
            for index in result.features.indices {
                guard let geometry = result.features[index].geometry,
                    [.lineString, .multiLineString].contains(geometry.kind),
                    replaces || !geometry.altitudes.contains(where: { $0 != nil })
                else { continue }
                var coordinates: [Coordinate] = [], ends: [Int] = []
                for part in geometry.parts {
                    coordinates += dense(Array(part))
                    ends.append(coordinates.count)
                }
                let (elevations, own) = try await self.elevations(at: coordinates)
                losses += own
                result.features[index].geometry = Geometry(
                    kind: geometry.kind, coordinates: coordinates, partEnds: ends, altitudes: elevations)
            }
            return (result, losses)
        }

        /// Returns a line with positions twice as dense as the samples of the finest level.
        private func dense(_ line: [Coordinate]) -> [Coordinate] {
            guard let finest = source.tiles.grid.matrices.last, let first = line.first else { return line }
            let step = finest.resolution.unitsPerPixel * source.tiles.grid.crs.metersPerUnit / 2
            var places = [first]
            for (one, other) in zip(line, line.dropFirst()) {
                let meters = GroundDistance.meters(from: one, to: other)
                let count = min(Int(min(meters / max(step, 1), 1e6)), max(Self.addedLimit - places.count, 0))
                if count > 1 {
                    let turn = Geodesic.line(from: one, to: other)
                    for number in 1..<count {
                        places.append(
                            Geodesic.place(
                                from: one, bearing: turn.bearing, meters: turn.meters * Double(number) / Double(count)))
                    }
                }
                places.append(other)
            }
            return places
        }

        /// The position of a coordinate on a level, in pixels of its grid from the top left.
        private func pixel(_ place: Coordinate, level: Int) -> (x: Double, y: Double) {
            let matrix = source.tiles.grid.matrices[level]
            let x = (place.x - matrix.origin.x) / matrix.resolution.unitsPerPixel
            let y = (matrix.origin.y - place.y) / matrix.verticalResolution.unitsPerPixel
            // Rows may be counted from the bottom.
            return source.tiles.grid.originCorner == .topLeft ? (x, y) : (x, -y)
        }

        /// The tiles with the samples around positions.
        private func tiles(of places: [Coordinate?], level: Int) -> Set<TileIndex> {
            let grid = source.tiles.grid, matrix = grid.matrices[level]
            var tiles: Set<TileIndex> = []
            for place in places.lazy.compactMap(\.self) {
                guard
                    source.tiles.extent.map({ $0.grown(by: matrix.resolution.unitsPerPixel)?.contains(place) ?? true })
                        ?? true
                else { continue }
                let (x, y) = pixel(place, level: level)
                for (right, down) in [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)] {
                    let column = ((x + right) / Double(matrix.tileWidth)).rounded(.down)
                    let row = ((y + down) / Double(matrix.tileHeight)).rounded(.down)
                    guard abs(column) < 1e9, abs(row) < 1e9,
                        let tile = grid.tile(level: level, column: Int(column), row: Int(row))
                    else { continue }
                    tiles.insert(tile)
                }
                if tiles.count > 16 * Self.tileLimit { break }
            }
            return tiles
        }

        private func load(_ tiles: Set<TileIndex>) async -> (content: [TileIndex: RasterValues], losses: [String]) {
            let loader = client.resourceLoader
            let wanted = tiles.sorted { ($0.row, $0.column) < ($1.row, $1.column) }.compactMap { tile in
                source.resource(of: tile).map { (tile, $0) }
            }
            // Tiles of an image on a server are requested together.
            if let first = wanted.first, ResourceLoader.ImageBatch(first.1) != nil {
                let results = await loader.load(together: wanted.map { ($0.1, FetchTurn()) }, reloads: false)
                var content: [TileIndex: RasterValues] = [:], losses: [String] = []
                for ((tile, resource), result) in zip(wanted, results) {
                    switch result {
                    case .success(let loaded):
                        if case .elevations(let found) = loaded.content { content[tile] = found.values }
                    case .failure(let error): losses.append("tile \(resource.name): \(error)")
                    }
                }
                return (content, losses)
            }
            return await withTaskGroup(of: (Int, Result<ResourceLoader.Loaded, ResourceError>).self) { group in
                var next = 0, content: [TileIndex: RasterValues] = [:], losses: [Int: String] = [:]
                func add(_ group: inout TaskGroup<(Int, Result<ResourceLoader.Loaded, ResourceError>)>) {
                    guard next < wanted.count, !Task.isCancelled else { return }
                    let index = next
                    next += 1
                    group.addTask { (index, await loader.load(wanted[index].1)) }
                }
                for _ in 0..<max(client.configuration.maximumConnectionsPerHost, 1) { add(&group) }
                for await (index, result) in group {
                    switch result {
                    case .success(let loaded):
                        if case .elevations(let tile) = loaded.content { content[wanted[index].0] = tile.values }
                    case .failure(let error): losses[index] = "tile \(wanted[index].1.name): \(error)"
                    }
                    add(&group)
                }
                return (content, losses.sorted { $0.key < $1.key }.map(\.value))
            }
        }

        /// The elevation at a projected position, interpolated between samples, which may be in several tiles.
        private func elevation(at place: Coordinate, level: Int, _ content: [TileIndex: RasterValues]) -> Double? {
            let grid = source.tiles.grid, matrix = grid.matrices[level], (x, y) = pixel(place, level: level)
            let isFromTop = grid.originCorner == .topLeft
            guard let first = content.values.first else { return nil }
            // Tiles may have more or fewer samples than the grid has pixels.
            let scaleX = Double(first.width) / Double(matrix.tileWidth),
                scaleY = Double(first.height) / Double(matrix.tileHeight)
            let sampleX = x * scaleX - 0.5, sampleY = y * scaleY - 0.5
            guard abs(sampleX) < 1e15, abs(sampleY) < 1e15 else { return nil }
            func value(_ column: Int, _ row: Int) -> Double? {
                let tileColumn = column.floorDivided(by: first.width), tileRow = row.floorDivided(by: first.height)
                guard let tile = grid.tile(level: level, column: tileColumn, row: tileRow), let values = content[tile],
                    values.width == first.width, values.height == first.height
                else { return nil }
                let line = row - tileRow * first.height
                let number = values.value(
                    column - tileColumn * first.width, isFromTop ? line : first.height - 1 - line)
                return number.isFinite ? Double(number) : nil
            }
            let left = Int(sampleX.rounded(.down)), top = Int(sampleY.rounded(.down))
            let shareX = sampleX - Double(left), shareY = sampleY - Double(top)
            var sum = 0.0, weights = 0.0
            for (down, weightY) in [(0, 1 - shareY), (1, shareY)] {
                for (right, weightX) in [(0, 1 - shareX), (1, shareX)] {
                    guard weightX * weightY > 0, let value = value(left + right, top + down) else { continue }
                    sum += value * weightX * weightY
                    weights += weightX * weightY
                }
            }
            return weights > 0 ? sum / weights : nil
        }
    }
}

extension Int {
    /// The quotient, rounded down.
    fileprivate func floorDivided(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
