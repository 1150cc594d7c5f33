import PortolanFeatures
import PortolanGeo
import PortolanVectorTiles

/// Joins the features of a layer that tiles have cut: fills without seams, continuous lines, and each feature once.
///
/// Coordinates are counted in 4096ths of a square from the upper left corner of the level, so that neighbours agree on
/// the coordinates of their border. The buffer around a tile belongs to the neighbour.
struct VectorTileJoiner {
    /// The units of a square.
    static let unit = 4096.0
    /// The largest distance between the ends of two halves on a border: one pixel of a tile of 512, since tiles are
    /// simplified individually.
    static let tolerance = 8.0

    /// The geometry types, which distinguish features with equal attributes.
    enum Kind: Int32, CaseIterable { case points, lines, polygons }

    let view: VectorTileView
    /// Whether area borders get vertices at fixed steps, so that both sides match in another CRS.
    let bendsBorders: Bool
    /// The attribute that replaces the feature identifiers of the tiles, or `nil`.
    let idName: String?
    var shapes = VectorTileShapes()
    private(set) var rows = VectorTileRows()
    /// The cut features that remain to be joined.
    private var lines = CutLines()
    private var areas = CutAreas()

    init(_ view: VectorTileView, bendsBorders: Bool, idName: String?) {
        self.view = view
        self.bendsBorders = bendsBorders
        self.idName = idName
    }

    /// Adds the features of a tile layer.
    ///
    /// - Complexity: O(vertices + features · columns).
    mutating func add(_ layer: VectorTileLayer, of piece: VectorTilePiece) {
        let numbers = rows.numbers(of: layer), frame = VectorTileFrame(piece, of: view, extent: layer.extent)
        let repeated = idName == nil ? layer.ids.repeated(layer.featureCount) : []
        for feature in 0..<layer.featureCount {
            let row = numbers[feature]
            let kind: Kind
            switch layer.geometry.types[feature] {
            case .unknown: continue
            case .points: kind = .points
            case .lines: kind = .lines
            case .polygons: kind = .polygons
            }
            var id: Feature.ID?, group = VectorTileGroup(kind: kind, row: row, id: nil)
            if let idName {
                id = rows.properties[Int(row)][idName].flatMap { Feature.ID($0) }
            } else if let number = layer.ids[feature] {
                id = Feature.ID(number)
                if !repeated.contains(number) { group.id = number }
            }
            let share = frame.share(of: feature, layer.geometry)
            guard share != .nothing else { continue }
            switch kind {
            case .points: addPoints(layer.geometry, feature, frame, row, id)
            case .lines, .polygons:
                let place = shapes.addFeature(id: id, properties: rows.properties[Int(row)], row: row, kind)
                if kind == .lines {
                    if share == .all {
                        addWhole([layer.geometry.parts(of: feature)], layer.geometry, frame, .lines, to: place)
                    } else {
                        lines.add(layer.geometry, feature, frame, place, group)
                    }
                } else {
                    let parts = layer.geometry.parts(of: feature)
                    let polygons = parts.count == 1 ? [parts] : layer.polygons(of: feature)
                    if share == .all {
                        addWhole(polygons, layer.geometry, frame, .polygon, to: place)
                    } else {
                        areas.add(polygons, layer.geometry, frame, place, group)
                    }
                }
            }
        }
    }

    private mutating func addPoints(
        _ geometry: VectorTileGeometry, _ feature: Int, _ frame: VectorTileFrame, _ row: Int32, _ id: Feature.ID?
    ) {
        var inside: [Coordinate] = []
        for part in geometry.parts(of: feature) {
            for index in geometry.vertices(of: part) {
                let point = frame.point(geometry.vertex(index))
                if frame.owns(point) { inside.append(Coordinate(x: view.x(point.x), y: view.y(point.y))) }
            }
        }
        guard !inside.isEmpty else { return }
        let place = shapes.addFeature(
            id: id, properties: rows.properties[Int(row)], row: row, .points,
            geometry: inside.count == 1 ? .point(inside[0]) : .multiPoint(inside))
        shapes.begin(place)
        for point in inside { shapes.columns.addVertex(x: point.x, y: point.y) }
        shapes.columns.endPart()
        shapes.endShape(.points)
        shapes.end(place)
    }

    /// Adds shapes that no border cuts.
    private mutating func addWhole(
        _ all: [Range<Int>], _ geometry: VectorTileGeometry, _ frame: VectorTileFrame, _ kind: ShapeColumns.Kind,
        to place: Int
    ) {
        shapes.begin(place)
        for parts in all {
            for part in parts {
                let range = geometry.vertices(of: part)
                guard range.count > 1 else { continue }
                for index in range {
                    let point = frame.point(geometry.vertex(index))
                    shapes.columns.addVertex(x: view.x(point.x), y: view.y(point.y))
                }
                if kind == .polygon {
                    let point = frame.point(geometry.vertex(range.lowerBound))
                    shapes.columns.addVertex(x: view.x(point.x), y: view.y(point.y))
                }
                shapes.columns.endPart()
            }
            shapes.endShape(kind)
        }
        shapes.end(place)
    }

    /// Joins the cut features.
    ///
    /// - Complexity: O(*n* log *n*) in the parts that meet borders.
    consuming func joined() -> VectorTileShapes {
        for feature in lines.joined() {
            shapes.begin(feature.place)
            for line in feature.lines { add(line) }
            shapes.endShape(.lines)
            shapes.end(feature.place)
        }
        for feature in areas.joined() {
            shapes.begin(feature.place)
            for area in feature.areas {
                for ring in area.rings {
                    // A ring with cuts has no dashes.
                    add(bendsBorders && area.border != nil ? VectorTileChain(ring.points.bent(Self.unit / 16)) : ring)
                }
                let first = shapes.partCount
                for line in area.border ?? [] { add(line) }
                shapes.endShape(.polygon, border: area.border == nil ? nil : first)
            }
            shapes.end(feature.place)
        }
        return shapes
    }

    private mutating func add(_ part: VectorTileChain) {
        guard part.points.count > 1 else { return }
        for cut in part.cuts { shapes.columns.addCut(at: shapes.columns.x.count + cut) }
        for point in part.points { shapes.columns.addVertex(x: view.x(point.x), y: view.y(point.y)) }
        shapes.columns.endPart()
    }
}

/// The key of features that are joined: equal attributes, and the same identifier if it is unique.
struct VectorTileGroup: Hashable {
    let kind: VectorTileJoiner.Kind
    let row: Int32
    var id: UInt64?
}

extension VectorTileIDs {
    /// Returns the identifiers that several features share.
    func repeated(_ count: Int) -> Set<UInt64> {
        guard !isEmpty else { return [] }
        var met: Set<UInt64> = [], repeated: Set<UInt64> = []
        met.reserveCapacity(count)
        for feature in 0..<count {
            if let id = self[feature], !met.insert(id).inserted { repeated.insert(id) }
        }
        return repeated
    }
}

extension [Coordinate] {
    /// Returns the ring with vertices on its horizontal and vertical edges at all multiples of a step.
    fileprivate func bent(_ step: Double) -> [Coordinate] {
        var bent: [Coordinate] = []
        for (index, point) in enumerated() {
            if index > 0 {
                let last = self[index - 1]
                if last.x == point.x || last.y == point.y {
                    let isVertical = last.x == point.x
                    let from = isVertical ? last.y : last.x, to = isVertical ? point.y : point.x
                    let low = Swift.min(from, to), high = Swift.max(from, to)
                    guard high - low < step * 1024 else {
                        bent.append(point)
                        continue
                    }
                    var stops = Array<Double>(
                        stride(from: ((low / step).rounded(.down) + 1) * step, to: high, by: step))
                    if from > to { stops.reverse() }
                    for stop in stops {
                        bent.append(isVertical ? Coordinate(x: point.x, y: stop) : Coordinate(x: stop, y: point.y))
                    }
                }
            }
            bent.append(point)
        }
        return bent
    }
}
