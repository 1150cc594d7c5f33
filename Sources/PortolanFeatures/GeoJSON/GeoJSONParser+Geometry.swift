internal import PortolanGeo
import PortolanWeb

extension GeoJSONParser {
    /// The maximum nesting of collections.
    ///
    /// Each level may be scanned once more to find its type.
    private static let maximumCollectionDepth = 16

    /// Reads a geometry.
    ///
    /// The cursor is at its brace.
    mutating func geometry(_ text: Span<UInt8>, isRoot: Bool, collectionDepth: Int = 0) throws(GeoJSONError) -> Geometry
    {
        let start = position
        var seen = SeenNames()
        var result: Geometry?
        let kind: Geometry.Kind
        var more: Bool
        if let (plain, count) = plainKind(text) {
            kind = plain
            try open()
            position = start + count
            _ = seen.insert(Known.type)
            names.pass(Known.type)
            more = try continues(text, until: UInt8(ascii: "}"))
        } else {
            let type = try lookAheadType(text)
            guard let named = Geometry.Kind(geoJSONName: type) else {
                throw error(.wrongType, start, "the type \"\(type.prefix(40))\" is not a GeoJSON geometry")
            }
            kind = named
            more = try begin(text, until: UInt8(ascii: "}"))
        }
        while more {
            switch try distinctName(text, &seen) {
            case Known.coordinates where kind != .collection: result = try coordinates(text, kind)
            case Known.geometries where kind == .collection:
                result = .collection(try geometries(text, collectionDepth))
            case Known.crs where isRoot: try readCRS(text)
            default: _ = try value(text)
            }
            more = try continues(text, until: UInt8(ascii: "}"))
        }
        guard let result else {
            let member = kind == .collection ? "geometries" : "coordinates"
            throw error(.missingMember, start, "a \(kind.geoJSONName) needs a member \"\(member)\"")
        }
        return result
    }

    private static let plainKinds: [(start: ByteWords, kind: Geometry.Kind)] = Geometry.Kind.allCases.map {
        (ByteWords("{\"type\":\"\($0.geoJSONName)\"".utf8), $0)
    }

    /// Returns the kind of the geometry at the cursor if its type is first and without spaces, and the length of its
    /// start.
    private mutating func plainKind(_ text: Span<UInt8>) -> (kind: Geometry.Kind, count: Int)? {
        let known = Self.plainKinds[lastKind]
        if known.start.stands(in: text, at: position) { return (known.kind, known.start.count) }
        for (number, other) in Self.plainKinds.enumerated() where other.start.stands(in: text, at: position) {
            lastKind = number
            return (other.kind, other.start.count)
        }
        return nil
    }

    private mutating func geometries(_ text: Span<UInt8>, _ collectionDepth: Int) throws(GeoJSONError) -> [Geometry] {
        guard skipSpace(text) == UInt8(ascii: "[") else { throw wrongType(text, "the geometries array") }
        guard collectionDepth < Self.maximumCollectionDepth else {
            throw error(
                .limitExceeded, position, "collections nested deeper than \(Self.maximumCollectionDepth)")
        }
        var children: [Geometry] = []
        var more = try begin(text, until: UInt8(ascii: "]"))
        while more {
            guard skipSpace(text) == UInt8(ascii: "{") else { throw wrongType(text, "a geometry") }
            children.append(try geometry(text, isRoot: false, collectionDepth: collectionDepth + 1))
            more = try continues(text, until: UInt8(ascii: "]"))
        }
        return children
    }

    /// Reads the coordinates of one geometry, nested as its kind requires (RFC 7946, section 3.1).
    private mutating func coordinates(_ text: Span<UInt8>, _ kind: Geometry.Kind) throws(GeoJSONError) -> Geometry {
        coordinates.removeAll(keepingCapacity: true)
        altitudes.removeAll(keepingCapacity: true)
        partEnds.removeAll(keepingCapacity: true)
        polygonEnds.removeAll(keepingCapacity: true)
        guard skipSpace(text) == UInt8(ascii: "[") else { throw wrongType(text, "the coordinates array") }
        let start = position
        isTextOrdinateNoted = false
        switch kind {
        case .point: try point(text)
        case .multiPoint: try line(text)
        case .lineString:
            try line(text)
            checkLine(from: 0, start)
        case .multiLineString:
            var more = try begin(text, until: UInt8(ascii: "]"))
            while more {
                try part(text, isRing: false, of: "a MultiLineString")
                more = try continues(text, until: UInt8(ascii: "]"))
            }
        case .polygon: try polygon(text, of: "a Polygon")
        case .multiPolygon:
            var more = try begin(text, until: UInt8(ascii: "]"))
            while more {
                guard skipSpace(text) == UInt8(ascii: "[") else {
                    throw wrongNesting(text, "a polygon of a MultiPolygon must be an array of rings")
                }
                try polygon(text, of: "a MultiPolygon")
                more = try continues(text, until: UInt8(ascii: "]"))
            }
        case .collection: break
        }
        coordinateCount += coordinates.count
        guard coordinateCount <= limits.maximumCoordinateCount else {
            throw error(.limitExceeded, start, "more than \(limits.maximumCoordinateCount) coordinates")
        }
        // Complete runs of coordinates have already been charged. An array has additional overhead.
        try charge(
            MemoryLayout<Geometry>.stride + (coordinates.count & 0xFFFF) * MemoryLayout<Coordinate>.stride
                + (partEnds.count + 1) * 32 + altitudes.count * MemoryLayout<Double?>.stride)
        try lookForRoom(coordinates.count)
        // `Array` of a whole slice would keep the buffer with the capacity of the largest geometry so far.
        return Geometry(
            kind: kind, coordinates: coordinates.map(\.self), partEnds: partEnds.count > 1 ? partEnds.map(\.self) : [],
            polygonEnds: kind == .multiPolygon ? polygonEnds.map(\.self) : [],
            altitudes: altitudes.isEmpty ? [] : altitudes.map(\.self))
    }

    private mutating func point(_ text: Span<UInt8>) throws(GeoJSONError) {
        let start = position
        let depthBefore = depth
        // RFC 7946, section 3.1, allows an empty array for a geometry without coordinates.
        guard try begin(text, until: UInt8(ascii: "]")) else { return }
        position = start
        depth = depthBefore
        try self.position(text)
    }

    private mutating func polygon(_ text: Span<UInt8>, of owner: StaticString) throws(GeoJSONError) {
        let before = partEnds.count
        var more = try begin(text, until: UInt8(ascii: "]"))
        while more {
            try part(text, isRing: true, of: owner)
            more = try continues(text, until: UInt8(ascii: "]"))
        }
        if partEnds.count > before { polygonEnds.append(partEnds.count) }
    }

    private mutating func part(_ text: Span<UInt8>, isRing: Bool, of owner: StaticString) throws(GeoJSONError) {
        guard skipSpace(text) == UInt8(ascii: "[") else {
            throw wrongNesting(text, "the coordinates of \(owner) must be an array of arrays of positions")
        }
        let start = position
        let first = coordinates.count
        try line(text)
        guard coordinates.count > first else {
            warn("a part without coordinates; left out", key: "coordinates", at: start)
            return
        }
        if isRing { closeRing(from: first, start) } else { checkLine(from: first, start) }
        partEnds.append(coordinates.count)
    }

    private mutating func checkLine(from first: Int, _ offset: Int) {
        if coordinates.count - first == 1 { warn("a line with a single position", key: "coordinates", at: offset) }
    }

    private mutating func closeRing(from first: Int, _ offset: Int) {
        if coordinates[first] != coordinates[coordinates.count - 1] {
            warn("the ring is not closed; its first position is repeated", key: "coordinates", at: offset)
            coordinates.append(coordinates[first])
            if !altitudes.isEmpty { altitudes.append(altitudes[first]) }
        }
        if coordinates.count - first < 4 {
            warn("a ring with fewer than four positions has no area", key: "coordinates", at: offset)
        }
    }

    /// Reads an array of positions.
    private mutating func line(_ text: Span<UInt8>) throws(GeoJSONError) {
        var more = try begin(text, until: UInt8(ascii: "]"))
        while more {
            switch skipSpace(text) {
            case UInt8(ascii: "["):
                plainPositions(text)
                try position(text)
            case UInt8(ascii: "n"):
                warn("null instead of a position; left out", key: "coordinates", at: position, effect: .omitted)
                try literal(text, "null")
            default:
                throw wrongNesting(text, "positions must be arrays of numbers, as in [[24.9, 60.2], [25.0, 60.2]]")
            }
            more = try continues(text, until: UInt8(ascii: "]"))
        }
    }

    /// Reads consecutive positions of two numbers without spaces, as programs write them, except the last one of the
    /// array.
    ///
    /// Other forms are left to ``position(_:)``. The cursor is at the bracket of a position.
    private mutating func plainPositions(_ text: Span<UInt8>) {
        guard altitudes.isEmpty, depth < limits.maximumDepth else { return }
        let comma = UInt8(ascii: ","), end = UInt8(ascii: "]")
        var run: [Coordinate] = [], next = position
        swap(&run, &coordinates)
        defer { swap(&run, &coordinates) }
        // Complete runs are charged at their end.
        while run.count & 0xFFFF != 0xFFFF {
            var place = next &+ 1
            guard let x = text.plainDecimal(at: &place), text[place] == comma else { return }
            place &+= 1
            guard let y = text.plainDecimal(at: &place), place &+ 2 < text.count, text[place] == end,
                text[place &+ 1] == comma, text[place &+ 2] == UInt8(ascii: "[")
            else { return }
            run.append(Coordinate(x: x, y: y))
            next = place &+ 2
            position = next
        }
    }

    /// Reads one position: east, north, and optionally an altitude.
    @inline(__always)
    private mutating func position(_ text: Span<UInt8>) throws(GeoJSONError) {
        let start = position
        try open()
        let x = try ordinate(text)
        guard try continues(text, until: UInt8(ascii: "]")) else {
            throw error(.wrongNesting, position - 1, "a position needs two numbers, east and north")
        }
        let y = try ordinate(text)
        guard x.isFinite, y.isFinite else {
            return try leaveOutPosition(text, at: start, isEmpty: x.isNaN && y.isNaN)
        }
        coordinates.append(Coordinate(x: x, y: y))
        if coordinates.count & 0xFFFF == 0 { try chargeCoordinates(0x10000) }
        if try continues(text, until: UInt8(ascii: "]")) {
            try altitude(text)
        } else if !altitudes.isEmpty {
            altitudes.append(nil)
        }
    }

    private mutating func altitude(_ text: Span<UInt8>) throws(GeoJSONError) {
        if altitudes.isEmpty {
            altitudes.append(contentsOf: repeatElement(nil, count: coordinates.count - 1))
        }
        let height = try ordinate(text)
        altitudes.append(height.isFinite ? height : nil)
        var isWarned = false
        while try continues(text, until: UInt8(ascii: "]")) {
            if !isWarned { warn("numbers after the altitude are ignored", key: "coordinates", at: position) }
            isWarned = true
            _ = try ordinate(text)
        }
    }

    /// Reads a number of a position.
    ///
    /// `null` and Python's special values become NaN.
    @inline(__always)
    private mutating func ordinate(_ text: Span<UInt8>) throws(GeoJSONError) -> Double {
        let first = skipSpace(text)
        guard
            first &- UInt8(ascii: "0") <= 9
                || first == UInt8(ascii: "-") && byte(text, position + 1) != UInt8(ascii: "I")
        else { return try oddOrdinate(text, first) }
        return try number(text).value
    }

    /// Reads a non-standard number of a position: `null`, `NaN`, or a number in quotes.
    private mutating func oddOrdinate(_ text: Span<UInt8>, _ first: UInt8) throws(GeoJSONError) -> Double {
        let start = position
        let word: StaticString? =
            switch first {
            case UInt8(ascii: "n"): "null"
            case UInt8(ascii: "N"): "NaN"
            case UInt8(ascii: "I"): "Infinity"
            case UInt8(ascii: "-"): "-Infinity"
            default: nil
            }
        if let word {
            try literal(text, word)
            return first == UInt8(ascii: "n") || first == UInt8(ascii: "N") ? .nan : .infinity
        }
        guard first == UInt8(ascii: "\"") else {
            throw wrongNesting(text, "a position must be an array of numbers, as in [24.9, 60.2]")
        }
        let found = try string(text)
        guard let number = Double(found.filter { $0 != " " }), number.isFinite else {
            position = start
            throw wrongType(text, "a number in 'coordinates'")
        }
        if !isTextOrdinateNoted {
            isTextOrdinateNoted = true
            warn("numbers written as strings; read as numbers", key: "coordinates", at: start, effect: .repaired)
        }
        return number
    }

    /// Skips the rest of a position without coordinates.
    ///
    /// - Parameter isEmpty: whether it is an empty point as some programs write it.
    private mutating func leaveOutPosition(
        _ text: Span<UInt8>, at start: Int, isEmpty: Bool
    ) throws(GeoJSONError) {
        while try continues(text, until: UInt8(ascii: "]")) { _ = try ordinate(text) }
        let effect: MapWarning.Effect = isEmpty ? .repaired : .omitted
        warn("a position without numbers; left out", key: "coordinates", at: start, effect: effect)
    }

    /// Returns the error for a wrong nesting of arrays at the cursor.
    private func wrongNesting(_ text: Span<UInt8>, _ rule: String) -> GeoJSONError {
        switch byte(text, position) {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            error(.wrongNesting, position, "\(found(text)) does not match the geometry's type: \(rule)")
        default: wrongType(text, "an array or number of the coordinates")
        }
    }
}
