package import PortolanFeatures
import PortolanGeo
import PortolanZip

/// Writes Shapefiles in the CRS of the features.
package struct ShapefileWriter {
    /// A file with its name suffix.
    package typealias File = (name: String, bytes: [UInt8])

    /// The kinds of geometry.
    ///
    /// Each needs a separate Shapefile.
    private enum Kind: String, CaseIterable {
        case points, lines, areas
    }

    /// The files.
    ///
    /// If there are several kinds of geometries, their names end in `_points`, `_lines` and `_areas`.
    package let files: [File]
    /// Messages about content that the format cannot express.
    package let losses: [String]

    /// Writes a collection.
    ///
    /// - Throws: ``FeatureFileError`` with ``FeatureFileError/Code/unsupported`` if a `.prj` cannot state the CRS.
    /// - Complexity: linear in the coordinates and properties.
    package init(_ collection: FeatureCollection, name: String) throws(FeatureFileError) {
        let crs = collection.effectiveCRS
        guard let projection = crs.esriWellKnownText else {
            throw FeatureFileError(
                .unsupported, in: "Shapefile",
                "a .prj cannot state the CRS \(crs.name); choose another, such as EPSG:4326 or a UTM zone, or write "
                    + "GeoPackage or FlatGeobuf")
        }
        var groups: [Kind: [(Feature, Geometry?)]] = [:], collectionCount = 0, bare: [Feature] = []
        for feature in collection.features {
            guard let shape = feature.geometry, !shape.isEmpty else {
                bare.append(feature)
                continue
            }
            let parts = Self.parts(of: shape)
            if parts.count > 1 { collectionCount += 1 }
            for kind in Kind.allCases {
                if let part = parts[kind] { groups[kind, default: []].append((feature, part)) }
            }
        }
        let first = Kind.allCases.first { groups[$0] != nil } ?? .points
        groups[first, default: []] += bare.map { ($0, nil) }
        var files: [File] = [], losses: [String] = [], table = DBaseWriter(collection.features)
        for kind in Kind.allCases {
            guard let entries = groups[kind] else { continue }
            let stem = groups.count == 1 ? name : "\(name)_\(kind.rawValue)"
            let (shapes, index) = Self.shapes(entries.map(\.1), kind)
            files += [
                ("\(stem).shp", shapes), ("\(stem).shx", index), ("\(stem).dbf", table.table(entries.map(\.0))),
                ("\(stem).prj", Array(projection.utf8)), ("\(stem).cpg", Array("UTF-8".utf8)),
            ]
        }
        if groups.count > 1 { losses.append("a Shapefile can hold one shape type: writing one file per type") }
        if collectionCount > 0 {
            losses.append("\(collectionCount) mixed geometry collections are split")
        }
        losses += table.losses
        self.files = files
        self.losses = losses
    }

    /// The files in a ZIP archive, or `nil` if it would exceed 4 GiB.
    package var archive: [UInt8]? {
        var zip = ZipWriter()
        for file in files { guard zip.add(file.name, file.bytes) else { return nil } }
        return zip.finished()
    }

    /// Returns the points, lines and areas of a geometry, each as a multi-geometry.
    private static func parts(of shape: Geometry) -> [Kind: Geometry] {
        var builders: [Kind: GeometryBuilder] = [:]
        func add(_ shape: Geometry) {
            let kind: Kind
            switch shape.kind {
            case .collection:
                for child in shape.children { add(child) }
                return
            case .point, .multiPoint: kind = .points
            case .lineString, .multiLineString: kind = .lines
            case .polygon, .multiPolygon: kind = .areas
            }
            var builder = builders.removeValue(forKey: kind) ?? GeometryBuilder()
            func copy(_ part: ArraySlice<Coordinate>, isReversed: Bool = false) {
                for index in isReversed ? Array(part.indices.reversed()) : Array(part.indices) {
                    builder.add(shape.coordinates[index], altitude: shape.altitude(at: index))
                }
            }
            switch kind {
            case .points: copy(shape.coordinates[...])
            case .lines:
                for part in shape.parts {
                    copy(part)
                    builder.endLine()
                }
            case .areas:
                for polygon in shape.polygons {
                    for (number, ring) in polygon.enumerated() {
                        // Outer rings are clockwise, holes counterclockwise.
                        copy(ring, isReversed: (ring.doubledRingArea > 0) == (number == 0))
                        builder.endRing()
                    }
                }
            }
            builders[kind] = builder
        }
        add(shape)
        return builders.compactMapValues { builder in
            let whole = builder.geometry(.multiLineString)
            return whole.isEmpty ? nil : whole
        }
    }

    // MARK: Shapes

    private static func shapes(_ shapes: [Geometry?], _ kind: Kind) -> (shapes: [UInt8], index: [UInt8]) {
        let hasHeights = shapes.contains { $0?.altitudes.contains { $0 != nil } ?? false }
        let isSingle = kind == .points && shapes.allSatisfy { $0.map { $0.coordinates.count == 1 } ?? true }
        let type: UInt32 =
            switch kind {
            case .points: isSingle ? 1 : 8
            case .lines: 3
            case .areas: 5
            }
        let own = hasHeights ? type + 10 : type
        var records: [UInt8] = [], index: [UInt8] = []
        for (number, shape) in shapes.enumerated() {
            let content = shape.map { record($0, own, isSingle: isSingle, hasHeights: hasHeights) } ?? little(UInt32(0))
            index += big(UInt32((100 + records.count) / 2)) + big(UInt32(content.count / 2))
            records += big(UInt32(number + 1)) + big(UInt32(content.count / 2)) + content
        }
        let box = shapes.compactMap { $0?.boundingBox }.reduce(nil) { $0?.union($1) ?? $1 }
        let heights = shapes.flatMap { $0?.altitudes.compactMap(\.self) ?? [] }
        func header(_ length: Int) -> [UInt8] {
            var bytes = big(UInt32(9994)) + [UInt8](repeating: 0, count: 20) + big(UInt32((100 + length) / 2))
            bytes += little(UInt32(1000)) + little(own)
            for side in [box?.minX, box?.minY, box?.maxX, box?.maxY, heights.min(), heights.max(), 0, 0] {
                bytes += little((side ?? 0).bitPattern)
            }
            return bytes
        }
        return (header(records.count) + records, header(index.count) + index)
    }

    private static func record(_ shape: Geometry, _ type: UInt32, isSingle: Bool, hasHeights: Bool) -> [UInt8] {
        var bytes = little(type)
        let heights = hasHeights ? shape.coordinates.indices.map { shape.altitude(at: $0) ?? 0 } : []
        if isSingle {
            for value in [shape.coordinates[0].x, shape.coordinates[0].y] + heights.prefix(1) {
                bytes += little(value.bitPattern)
            }
            // A point with an altitude also has a measure; a number below −10³⁸ means "no data".
            return hasHeights ? bytes + little((-1e39).bitPattern) : bytes
        }
        guard let box = shape.boundingBox else { return little(UInt32(0)) }
        for side in [box.minX, box.minY, box.maxX, box.maxY] { bytes += little(side.bitPattern) }
        if type % 10 != 8 {
            bytes += little(UInt32(shape.parts.count)) + little(UInt32(shape.coordinates.count))
            for part in shape.parts { bytes += little(UInt32(part.startIndex)) }
        } else {
            bytes += little(UInt32(shape.coordinates.count))
        }
        for place in shape.coordinates { bytes += little(place.x.bitPattern) + little(place.y.bitPattern) }
        if hasHeights {
            bytes += little((heights.min() ?? 0).bitPattern) + little((heights.max() ?? 0).bitPattern)
            for height in heights { bytes += little(height.bitPattern) }
        }
        return bytes
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] { little(value).reversed() }
}
