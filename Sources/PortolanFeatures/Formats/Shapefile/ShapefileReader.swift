import PortolanGeo

/// Reads the records of a `.shp` file one by one.
struct ShapefileReader {
    /// A shape, or that it is not wanted.
    struct Record {
        var geometry: Geometry?
        var isWanted = true
    }

    private var reader: ByteReader
    private let limits: FeatureLimits
    /// Where the records end, as the header has it.
    private var end = 0
    /// Why the rest of the file could not be read, once it could not.
    private(set) var fault: FeatureFileError?

    init(_ bytes: [UInt8], limits: FeatureLimits) {
        reader = ByteReader(bytes, in: "Shapefile")
        self.limits = limits
    }

    /// Reads the header of 100 bytes.
    mutating func readHeader() throws(FeatureFileError) {
        reader.isBigEndian = true
        guard try reader.uint32() == 9994 else {
            throw FeatureFileError(.otherFormat, in: "Shapefile", at: .byte(0), "it does not begin as a .shp file")
        }
        try reader.skip(20)
        // In words of two bytes; some writers leave it wrong.
        let length = try Int(reader.uint32()) * 2
        end = length >= 100 ? min(length, reader.end) : reader.end
        try reader.skip(72)
    }

    /// The next record, or `nil` behind the last.
    mutating func next(in box: BoundingBox?) throws(FeatureFileError) -> Record? {
        guard fault == nil, reader.position + 8 <= end else { return nil }
        reader.isBigEndian = true
        try reader.skip(4)
        let length = try Int(reader.uint32()) * 2
        guard length <= reader.remaining else {
            fault = reader.fault(.malformed, "a record ends behind the file")
            return nil
        }
        var content = ByteReader(reader.bytes, in: "Shapefile", range: reader.position..<(reader.position + length))
        reader.position += length
        if length < 4 { return Record() }
        do { return try shape(&content, box) } catch {
            guard error.code == .malformed else { throw error }
            fault = error
            return nil
        }
    }

    private func shape(_ reader: inout ByteReader, _ box: BoundingBox?) throws(FeatureFileError) -> Record {
        let type = try reader.uint32()
        var builder = GeometryBuilder()
        // Ten more have heights, twenty more measures.
        let hasHeights = (11...19).contains(type) || type == 31
        switch type {
        case 0: return Record(isWanted: box == nil)
        case 1, 11, 21:
            let place = Coordinate(x: try reader.double(), y: try reader.double())
            if let box, BoundingBox(place).map({ !$0.touches(box) }) ?? true { return Record(isWanted: false) }
            builder.add(place, altitude: hasHeights ? try reader.double() : nil)
            return Record(geometry: builder.count > 0 ? builder.geometry(.point) : nil)
        case 8, 18, 28, 3, 13, 23, 5, 15, 25, 31: break
        default: throw reader.fault(.unsupported, "a shape of the kind \(type) is not known")
        }
        let minX = try reader.double(), minY = try reader.double(), maxX = try reader.double()
        let maxY = try reader.double()
        if let box, let own = BoundingBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY), !own.touches(box) {
            return Record(isWanted: false)
        }
        let isMultiPoint = type % 10 == 8
        let partCount = isMultiPoint ? 0 : try reader.count(ofSize: 4)
        let count = try Int(reader.uint32())
        guard count <= limits.maximumCoordinateCount else {
            throw reader.fault(.limitExceeded, "more than \(limits.maximumCoordinateCount) coordinates")
        }
        var starts: [Int] = []
        for _ in 0..<partCount { starts.append(try Int(reader.uint32())) }
        if type == 31 { try reader.skip(4 * partCount) }
        guard count <= reader.remaining / 16 else {
            throw reader.fault(.malformed, "it says that \(count) places follow, for which it is too short")
        }
        let isAscending = zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
        guard isAscending, starts.first ?? 0 == 0, starts.last ?? 0 <= count else {
            throw reader.fault(.malformed, "its parts are out of order")
        }
        builder.reserve(count)
        var heights = reader
        try heights.skip(16 * count)
        let isTall = hasHeights && heights.remaining >= 16 + 8 * count
        if isTall { try heights.skip(16) }
        var nextPart = 1
        func endPart() {
            if type % 10 == 3 && type != 31 { builder.endLine() } else if !isMultiPoint { builder.endRing() }
        }
        for index in 0..<count {
            while nextPart < starts.count, starts[nextPart] == index {
                endPart()
                nextPart += 1
            }
            let place = Coordinate(x: try reader.double(), y: try reader.double())
            // Values below −10³⁸ mean that there is none.
            let height = isTall ? try heights.double() : nil
            builder.add(place, altitude: height.flatMap { $0 < -1e38 ? nil : $0 })
        }
        endPart()
        if builder.count == 0 { return Record() }
        switch type {
        case 8, 18, 28: return Record(geometry: builder.geometry(.multiPoint))
        case 3, 13, 23:
            let lines = builder.geometry(.multiLineString)
            return Record(geometry: lines.parts.count == 1 ? builder.geometry(.lineString) : lines)
        default: return Record(geometry: RingArrangement.polygons(of: builder.geometry(.multiLineString)))
        }
    }
}

extension BoundingBox {
    /// Whether two boxes have a place in common.
    func touches(_ other: BoundingBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }
}

/// Makes polygons of rings that do not say which are holes of which.
enum RingArrangement {
    /// More comparisons of a hole with an outer ring than this are not made; a hole is then that of the ring before it.
    private static let comparisonLimit = 1 << 20

    /// The polygons of the parts of a shape.
    ///
    /// Clockwise rings are outer ones, each other a hole of the smallest that holds it (ESRI Shapefile Technical Description,
    /// *Polygon*). Where none is clockwise all are outer ones.
    static func polygons(of rings: Geometry) -> Geometry {
        let parts = rings.parts
        if parts.count == 1 {
            return Geometry(kind: .polygon, coordinates: rings.coordinates, altitudes: rings.altitudes)
        }
        let areas = parts.map { doubleArea($0) }
        var outers = parts.indices.filter { areas[$0] < 0 }
        if outers.isEmpty { outers = Array(parts.indices) }
        let isOuter = Set(outers)
        let holes = parts.indices.filter { !isOuter.contains($0) }
        let boxes = parts.map { BoundingBox($0) }
        let isBounded = holes.count * outers.count <= comparisonLimit
        var holesOf: [Int: [Int]] = [:]
        for hole in holes {
            var best: Int?
            if outers.count == 1 {
                best = outers[0]
            } else if isBounded, let place = parts[hole].first, let box = boxes[hole] {
                for outer in outers {
                    guard let own = boxes[outer], own.contains(box) else { continue }
                    if let known = best, abs(areas[known]) <= abs(areas[outer]) { continue }
                    if contains(place, parts[outer]) || onBorder(place, parts[outer]) { best = outer }
                }
            }
            // A hole of nothing is an area of its own.
            let before = outers.last { $0 < hole } ?? outers[0]
            holesOf[best ?? (isBounded ? hole : before), default: []].append(hole)
        }
        var builder = GeometryBuilder()
        var count = 0
        func add(_ index: Int) {
            for place in parts[index].indices {
                builder.add(rings.coordinates[place], altitude: rings.altitude(at: place))
            }
            builder.endRing()
        }
        for index in parts.indices where isOuter.contains(index) || holesOf[index] == [index] {
            add(index)
            for hole in holesOf[index] ?? [] where hole != index { add(hole) }
            builder.endPolygon()
            count += 1
        }
        return builder.geometry(count == 1 ? .polygon : .multiPolygon)
    }

    /// Twice the area, positive counter-clockwise.
    private static func doubleArea(_ ring: ArraySlice<Coordinate>) -> Double {
        guard let first = ring.first else { return 0 }
        var sum = 0.0, last = first
        for place in ring {
            sum += (last.x - first.x) * (place.y - first.y) - (place.x - first.x) * (last.y - first.y)
            last = place
        }
        return sum
    }

    private static func contains(_ place: Coordinate, _ ring: ArraySlice<Coordinate>) -> Bool {
        var isInside = false
        guard var last = ring.last else { return false }
        for next in ring {
            if (next.y > place.y) != (last.y > place.y),
                place.x < last.x + (place.y - last.y) / (next.y - last.y) * (next.x - last.x)
            {
                isInside.toggle()
            }
            last = next
        }
        return isInside
    }

    private static func onBorder(_ place: Coordinate, _ ring: ArraySlice<Coordinate>) -> Bool { ring.contains(place) }
}

extension BoundingBox {
    fileprivate func contains(_ other: BoundingBox) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }
}
