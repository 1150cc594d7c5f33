import PortolanFeatures
import PortolanGeo

/// Reads the records of a `.shp` file one by one.
struct ShapefileReader {
    /// A record with its geometry, or one outside the query.
    struct Record {
        var geometry: Geometry?
        var isWanted = true
    }

    private var reader: ByteReader
    private let limits: FeatureLimits
    /// The end of the records according to the header.
    private var end = 0
    /// The offset of each record, if the index is needed to find them.
    private var offsets: [Int]?
    private var nextRecord = 0
    /// The first error in a record, or without an index in the rest of the file.
    private(set) var fault: FeatureFileError?
    /// The number of unreadable records.
    private(set) var faultCount = 0

    init(_ bytes: [UInt8], limits: FeatureLimits) {
        reader = ByteReader(bytes, in: "Shapefile")
        self.limits = limits
    }

    /// Reads the header of 100 bytes.
    mutating func readHeader() throws(FeatureFileError) {
        reader.isBigEndian = true
        guard try reader.uint32() == 9994 else {
            throw FeatureFileError(.otherFormat, in: "Shapefile", at: .byte(0), "not a .shp file")
        }
        try reader.skip(20)
        // In 16-bit words. Some writers write a wrong length.
        let length = try Int(reader.uint32()) * 2
        end = length >= 100 ? min(length, reader.end) : reader.end
        try reader.skip(72)
    }

    /// Uses the index to find records if they are not contiguous, for example after deletions.
    ///
    /// The index determines the positions of records (ESRI Shapefile Technical Description, *Organization of the Index
    /// File*). If all records are contiguous without it, the number of rows decides whether the index is outdated.
    mutating func find(by index: ShapefileIndex?, rowCount: Int?) {
        guard let index, !index.offsets.isEmpty else { return }
        var place = 100, inOrder: [Int] = []
        while place + 8 <= end, inOrder.count <= index.offsets.count {
            let length = reader.bytes[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) } * 2
            guard place + 8 + length <= reader.end else { break }
            inOrder.append(place)
            place += 8 + length
        }
        guard inOrder != index.offsets else { return }
        let isWhole = place + 8 > end, fits = index.offsets.allSatisfy { $0 >= 100 && $0 + 8 <= reader.end }
        guard fits, !isWhole || inOrder.count != rowCount else { return }
        offsets = index.offsets
    }

    /// Returns the next record, or `nil` after the last.
    mutating func next(in box: BoundingBox?) throws(FeatureFileError) -> Record? {
        if let offsets {
            guard nextRecord < offsets.count else { return nil }
            reader.position = offsets[nextRecord]
            nextRecord += 1
        } else {
            guard fault == nil, reader.position + 8 <= end else { return nil }
        }
        reader.isBigEndian = true
        try reader.skip(4)
        let length = try Int(reader.uint32()) * 2
        guard length <= reader.remaining else {
            return failed(reader.fault(.malformed, "a record ends outside the file"))
        }
        var content = ByteReader(reader.bytes, in: "Shapefile", range: reader.position..<(reader.position + length))
        reader.position += length
        if length < 4 { return Record() }
        do { return try shape(&content, box) } catch {
            guard error.code == .malformed else { throw error }
            return failed(error)
        }
    }

    /// Handles an unreadable record.
    ///
    /// With an index it only lacks a geometry; otherwise it is the last one.
    private mutating func failed(_ error: FeatureFileError) -> Record? {
        fault = fault ?? error
        faultCount += 1
        return offsets == nil ? nil : Record()
    }

    private func shape(_ reader: inout ByteReader, _ box: BoundingBox?) throws(FeatureFileError) -> Record {
        let type = try reader.uint32()
        var builder = GeometryBuilder()
        // Types from 11 have altitudes, and types from 21 measures.
        let hasHeights = (11...19).contains(type) || type == 31
        switch type {
        case 0: return Record(isWanted: box == nil)
        case 1, 11, 21:
            let place = Coordinate(x: try reader.double(), y: try reader.double())
            if let box, BoundingBox(place).map({ !$0.touches(box) }) ?? true { return Record(isWanted: false) }
            builder.add(place, altitude: hasHeights ? try reader.double() : nil)
            return Record(geometry: builder.count > 0 ? builder.geometry(.point) : nil)
        case 8, 18, 28, 3, 13, 23, 5, 15, 25, 31: break
        default: throw reader.fault(.unsupported, "unknown shape type \(type)")
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
        var kinds: [UInt32] = []
        if type == 31 { for _ in 0..<partCount { kinds.append(try reader.uint32()) } }
        guard count <= reader.remaining / 16 else {
            throw reader.fault(.malformed, "it states \(count) positions, but is too short for them")
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
            if type % 10 == 3 || type == 31 && Int(nextPart) <= kinds.count && kinds[nextPart - 1] < 2 {
                builder.endLine()
            } else if !isMultiPoint {
                builder.endRing()
            }
        }
        for index in 0..<count {
            while nextPart < starts.count, starts[nextPart] == index {
                endPart()
                nextPart += 1
            }
            let place = Coordinate(x: try reader.double(), y: try reader.double())
            // Values below −10³⁸ mean "no data".
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
        default:
            let rings = builder.geometry(.multiLineString)
            if kinds.contains(where: { $0 < 2 }), rings.parts.count == kinds.count {
                return Record(geometry: ShapePatch.area(of: rings, kinds: kinds))
            }
            return Record(geometry: RingArrangement.polygons(of: rings))
        }
    }
}

extension BoundingBox {
    /// Returns whether two boxes intersect.
    func touches(_ other: BoundingBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }
}
