public import PortolanGeo
import PortolanRaster
public import PortolanWeb
import Synchronization

/// Millions of points with properties, stored in columns with a spatial index.
///
/// ```swift
/// let table = PointTable(collection)
/// print(table.count, table.propertyNames)
/// ```
///
/// A point takes 20 bytes plus its properties: 4 for an integer, 8 for any other number, 8 and its bytes for a text.
/// Recently seen texts are stored only once. A table is immutable, and copies share its storage.
public struct PointTable: Sendable {
    private final class Content: Sendable {
        let x: [Double]
        let y: [Double]
        let index: PointIndex
        let ids: PropertyColumn?
        let columns: [PropertyColumn]
        let charge: MemoryCharge?
        /// The points in the CRS of the last map.
        let projected = Mutex<(crs: CRS, x: [Double], y: [Double])?>(nil)
        let clusters = Mutex<[PointClusters.Options: PointClusters]>([:])

        init(_ x: [Double], _ y: [Double], _ ids: PropertyColumn?, _ columns: [PropertyColumn], _ charge: MemoryCharge?)
        {
            (index, self.x, self.y) = PointIndex.sorting(x, y)
            self.ids = ids
            self.columns = columns
            self.charge = charge
        }

        /// Creates a copy without derived data.
        init(_ other: Content) {
            (index, x, y) = (other.index, other.x, other.y)
            (ids, columns, charge) = (other.ids, other.columns, other.charge)
        }
    }

    /// The CRS of the coordinates.
    public let crs: CRS
    /// Warnings about content that was omitted or repaired during reading.
    public let warnings: [MapWarning]
    /// Members of the document that are not features.
    public let foreignMembers: Properties
    private let content: Content

    init(_ builder: PointTableBuilder, crs: CRS, warnings: [MapWarning], foreignMembers: Properties) {
        self.crs = crs
        self.foreignMembers = foreignMembers
        var all = warnings
        if builder.otherCount > 0 {
            let message = "\(builder.otherCount) features that are not points left out"
            all.append(MapWarning(feature: nil, message: message, effect: .omitted))
        }
        self.warnings = all
        content = Content(builder.x, builder.y, builder.ids, builder.columns, builder.charge)
    }

    /// Creates a table of the points of a collection.
    ///
    /// A multipoint feature becomes several points.
    ///
    /// - Complexity: O(features).
    public init(_ collection: FeatureCollection) {
        let builder = PointTableBuilder()
        for feature in collection.features { builder.append(feature) }
        self.init(
            builder, crs: collection.effectiveCRS, warnings: collection.warnings,
            foreignMembers: collection.foreignMembers)
    }

    /// Reads the points of a GeoJSON document, or of objects separated by a byte, directly into columns.
    ///
    /// - Complexity: O(bytes).
    package static func readingGeoJSON(
        _ document: [UInt8], separatedBy separator: UInt8?, limits: FeatureLimits
    ) throws(GeoJSONError) -> PointTable {
        let builder = PointTableBuilder()
        do throws(MemoryBudget.ExceededError) { builder.charge = try limits.memory?.charge(document.count) } catch {
            throw PointTableBuilder.noMemory(error)
        }
        var own = limits
        own.memory = nil
        var parser = GeoJSONParser(bytes: document, limits: own)
        parser.receive = { (feature) throws(GeoJSONError) in try builder.take(feature) }
        do throws(GeoJSONError) {
            let rest =
                if let separator { try parser.sequence(document.span, separator: separator) } else {
                    try parser.document(document.span)
                }
            // The document is a single feature.
            for feature in rest.features { builder.append(feature) }
            builder.charge?.shrink(by: document.count)
            return PointTable(
                builder, crs: rest.effectiveCRS, warnings: rest.warnings, foreignMembers: rest.foreignMembers)
        } catch { throw error.counted(in: document) }
    }

    /// Returns the points with their coordinates interpreted in another CRS.
    public func taken(as crs: CRS) -> PointTable {
        PointTable(content: Content(content), crs: crs, warnings: warnings, foreignMembers: foreignMembers)
    }

    /// Returns the table without points whose coordinates are not valid degrees, if those of most points are.
    ///
    /// - Complexity: O(1) if all are valid, otherwise O(points).
    package func leavingOutMisplaced() -> PointTable {
        guard let box = boundingBox, !crs.admits(box) else { return self }
        var collection = FeatureCollection(
            features: features(of: Array(content.x.indices)), crs: crs, foreignMembers: foreignMembers,
            warnings: warnings)
        collection.leaveOutMisplaced(in: crs)
        let builder = PointTableBuilder()
        builder.charge = content.charge
        for feature in collection.features where feature.geometry != nil { builder.append(feature) }
        return PointTable(builder, crs: crs, warnings: collection.warnings, foreignMembers: foreignMembers)
    }

    private init(content: Content, crs: CRS, warnings: [MapWarning], foreignMembers: Properties) {
        self.content = content
        self.crs = crs
        self.warnings = warnings
        self.foreignMembers = foreignMembers
    }

    /// The number of points.
    public var count: Int { content.x.count }

    /// The bounding box of all points, or `nil` if there are no points.
    public var boundingBox: BoundingBox? { content.index.boundingBox }

    /// The names of the properties, in the order of their first occurrence.
    public var propertyNames: [String] { content.columns.map(\.name) }

    /// Returns the features of points in an extent, in input order.
    ///
    /// - Parameters:
    ///   - extent: in the CRS of the table.
    ///   - limit: the maximum number; the first ones are returned.
    /// - Complexity: O(points in the extent).
    public func features(in extent: Extent, limit: Int = .max) -> [Feature] {
        features(of: places(in: [extent]), limit: limit)
    }

    /// Returns the features of points nearest to a position, the nearest first.
    ///
    /// - Parameters:
    ///   - place: in the CRS of the table.
    ///   - limit: the maximum number.
    ///   - distance: the maximum distance, in units of the CRS.
    /// - Complexity: O(points within the distance).
    public func features(nearestTo place: Coordinate, limit: Int = 1, within distance: Double) -> [Feature] {
        guard distance.isFinite,
            let around = Extent(
                minX: place.x - distance, minY: place.y - distance, maxX: place.x + distance, maxY: place.y + distance)
        else { return [] }
        func square(_ place: Int, _ other: Coordinate) -> Double {
            let x = content.x[place] - other.x, y = content.y[place] - other.y
            return x * x + y * y
        }
        let near = places(in: [around]).map { ($0, square($0, place)) }.filter { $0.1 <= distance * distance }
        let rows = content.index.rows
        return near.sorted { ($0.1, rows[$0.0]) < ($1.1, rows[$1.0]) }.prefix(limit).map { feature($0.0) }
    }

    /// Returns the curve indices of the points in any of several extents.
    package func places(in extents: [Extent]) -> [Int] {
        var places: [Int] = []
        for run in runs(in: extents) {
            if run.isWithin {
                places += run.range
            } else {
                places += run.range.filter { place in
                    extents.contains { $0.contains(Coordinate(x: content.x[place], y: content.y[place])) }
                }
            }
        }
        return places
    }

    /// Returns the runs of points that may be in any of several extents, each point once.
    package func runs(in extents: [Extent]) -> [PointIndex.Run] {
        content.index.runs(in: extents)
    }

    /// Returns the features at curve indices, in input order.
    package func features(of places: [Int], limit: Int = .max) -> [Feature] {
        let rows = content.index.rows
        return places.sorted { rows[$0] < rows[$1] }.prefix(limit).map(feature)
    }

    private func feature(_ place: Int) -> Feature {
        let row = Int(content.index.rows[place])
        var properties: Properties = [:]
        for column in content.columns { if let value = column[row] { properties[column.name] = value } }
        return Feature(
            id: content.ids?[row].flatMap { Feature.ID($0) },
            geometry: .point(coordinate(at: place)), properties: properties)
    }

    /// Returns the position of a point.
    func coordinate(at place: Int) -> Coordinate { Coordinate(x: content.x[place], y: content.y[place]) }

    /// Returns whether two tables share the same storage.
    package func isSame(as other: PointTable) -> Bool { content === other.content && crs == other.crs }

    /// Returns the ordinates of all points in another CRS, in the order of the curve; NaN for positions outside the
    /// CRS.
    ///
    /// - Complexity: O(points), the first time for a CRS; those of the last CRS are kept.
    package func ordinates(by transform: CoordinateTransform) -> (x: [Double], y: [Double]) {
        if transform.isIdentity { return (content.x, content.y) }
        let kept = content.projected.withLock { $0?.crs == transform.target ? $0 : nil }
        if let kept { return (kept.x, kept.y) }
        var x = content.x, y = content.y
        for place in x.indices {
            let moved = transform(Coordinate(x: x[place], y: y[place]))
            x[place] = moved?.x ?? .nan
            y[place] = moved?.y ?? .nan
        }
        content.projected.withLock { $0 = (transform.target, x, y) }
        return (x, y)
    }

    /// Returns bounding boxes of neighbouring points in another CRS.
    ///
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)``.
    /// - Complexity: O(points).
    package func boxes(in target: CRS) throws(CRSError) -> [BoundingBox] {
        let (x, y) = ordinates(by: try CoordinateTransform(from: crs, to: target))
        return stride(from: 0, to: count, by: 64).compactMap { start in
            BoundingBox((start..<min(start + 64, count)).lazy.map { Coordinate(x: x[$0], y: y[$0]) })
        }
    }

    /// Returns the values of a property, `nil` for points without one.
    ///
    /// - Complexity: O(points).
    package func values(of name: String) -> [PropertyValue?] {
        guard let column = content.columns.first(where: { $0.name == name }) else { return [] }
        return (0..<count).map { column[$0] }
    }

    /// Returns the numeric values of a property by curve index, or `nil` if no point has the property.
    package func numbers(_ name: String) -> ((Int) -> Double?)? {
        guard let column = content.columns.first(where: { $0.name == name }) else { return nil }
        let rows = content.index.rows
        return { column.number(Int(rows[$0])) }
    }

    /// Returns the clusters of the points, computed on first use.
    ///
    /// - Complexity: O(points · zoom levels) the first time.
    package func clusters(_ options: PointClusters.Options) -> PointClusters {
        content.clusters.withLock { clusters in
            if let known = clusters[options] { return known }
            let made = PointClusters(self, options)
            clusters[options] = made
            return made
        }
    }

    /// The spatial index.
    var index: PointIndex { content.index }
}

/// The columns of a ``PointTable`` during construction.
final class PointTableBuilder {
    private(set) var x: [Double] = []
    private(set) var y: [Double] = []
    private(set) var ids: PropertyColumn?
    private(set) var columns: [PropertyColumn] = []
    private var numbers: [String: Int] = [:]
    /// The number of features that are not points.
    private(set) var otherCount = 0
    var charge: MemoryCharge?
    private var chargedCount = 0

    /// Adds a feature of a document, and charges its memory.
    func take(_ feature: Feature) throws(GeoJSONError) {
        append(feature)
        guard let charge, x.count & 0x3FFF == 0, x.count > 0 else { return }
        // Twice the size of the ordinates, which are copied during sorting.
        let count = 52 * x.count + columns.reduce(0) { $0 + $1.byteCount } + (ids?.byteCount ?? 0)
        do throws(MemoryBudget.ExceededError) { try charge.grow(by: max(count - chargedCount, 0)) } catch {
            throw Self.noMemory(error)
        }
        chargedCount = max(count, chargedCount)
    }

    static func noMemory(_ error: MemoryBudget.ExceededError) -> GeoJSONError {
        GeoJSONError(code: .memory, byteOffset: 0, line: 1, detail: "too large for memory: \(error)")
    }

    /// Adds the points of a feature.
    func append(_ feature: Feature) {
        guard let geometry = feature.geometry, geometry.kind == .point || geometry.kind == .multiPoint else {
            otherCount += 1
            return
        }
        for coordinate in geometry.coordinates where coordinate.x.isFinite && coordinate.y.isFinite {
            x.append(coordinate.x)
            y.append(coordinate.y)
            append(feature.id, feature.properties)
        }
    }

    private func append(_ id: Feature.ID?, _ properties: Properties) {
        let row = x.count - 1
        let value = id?.propertyValue
        if ids != nil {
            ids?.append(value)
        } else if let value {
            ids = PropertyColumn(name: "id", first: value, after: row)
        }
        var isInOrder = properties.count == columns.count
        if isInOrder {
            for (place, property) in properties.enumerated() where columns[place].name != property.name {
                isInOrder = false
                break
            }
        }
        if isInOrder {
            for (place, property) in properties.enumerated() { columns[place].append(property.value) }
            return
        }
        for place in columns.indices { columns[place].append(properties[columns[place].name]) }
        for property in properties where numbers[property.name] == nil {
            numbers[property.name] = columns.count
            columns.append(PropertyColumn(name: property.name, first: property.value, after: row))
        }
    }
}
