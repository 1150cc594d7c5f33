package import PortolanGeo

/// Gathers the coordinates of a shape in the flat form of ``Geometry``, as readers come upon them.
///
/// Coordinates that are not finite are left out and counted. What is called for each coordinate can be inlined into the readers, which
/// are in another module.
package struct GeometryBuilder {
    @usableFromInline var coordinates: [Coordinate] = []
    /// Empty until a coordinate has a height.
    @usableFromInline var altitudes: [Double?] = []
    /// Where the first part ends, 0 before it does: most shapes have one, for which an array is not worth while.
    @usableFromInline var firstEnd = 0
    /// Where the parts behind the first end.
    @usableFromInline var furtherEnds: [Int] = []
    @usableFromInline var polygonEnds: [Int] = []

    /// How many coordinates were left out, since they are not finite.
    @usableFromInline package internal(set) var lostCount = 0

    @inlinable package init() {}

    /// How many coordinates there are.
    @inlinable package var count: Int { coordinates.count }

    /// The coordinate added last to the part that is open, or `nil` where that has none.
    @inlinable package var last: Coordinate? { coordinates.count > openStart ? coordinates.last : nil }

    /// How many coordinates the part that is open has.
    @inlinable package var openCount: Int { coordinates.count - openStart }

    @inlinable var openStart: Int { furtherEnds.last ?? firstEnd }

    @inlinable var partCount: Int { firstEnd == 0 ? 0 : furtherEnds.count + 1 }

    @inlinable mutating func endPart() {
        if firstEnd == 0 { firstEnd = coordinates.count } else { furtherEnds.append(coordinates.count) }
    }

    /// Makes room for more coordinates.
    @inlinable package mutating func reserve(_ count: Int) {
        let least = coordinates.count + count
        guard least > coordinates.capacity else { return }
        // Room for part after part is made by doubling, or all would be copied for each.
        coordinates.reserveCapacity(coordinates.isEmpty ? least : max(least, 2 * coordinates.capacity))
    }

    /// Adds a coordinate to the part that is open.
    @inlinable @inline(__always)
    package mutating func add(_ coordinate: Coordinate, altitude: Double? = nil) {
        guard coordinate.isFinite else {
            lostCount += 1
            return
        }
        if altitude != nil || !altitudes.isEmpty { add(altitude: altitude) }
        coordinates.append(coordinate)
    }

    /// Adds coordinates to the part that is open, of two doubles each, their least significant bytes first.
    package mutating func add(pairs bytes: Span<UInt8>) {
        let first = coordinates.count, count = bytes.count / 16
        reserve(count)
        // They are written where zeros were, which is faster than to append each.
        coordinates.append(contentsOf: repeatElement(Coordinate(x: 0, y: 0), count: count))
        var places = coordinates.mutableSpan
        // The bits of the largest number without its sign: those of infinity and of what is no number are above all others.
        var largest: UInt64 = 0
        for index in 0..<count {
            let pair = bytes.extracting(16 &* index..<16 &* index &+ 16)
            let x = pair.eight(from: 0), y = pair.eight(from: 8)
            largest = max(largest, x &<< 1, y &<< 1)
            places[first &+ index] = Coordinate(x: Double(bitPattern: x), y: Double(bitPattern: y))
        }
        // Most shapes are finite as a whole.
        if largest >= Double.infinity.bitPattern << 1 { dropUnfit(from: first) }
        if !altitudes.isEmpty { altitudes += repeatElement(nil, count: coordinates.count - altitudes.count) }
    }

    /// Leaves out those from a place on that are not finite.
    @usableFromInline mutating func dropUnfit(from first: Int) {
        let count = coordinates.count, fit = coordinates[first...].filter(\.isFinite)
        coordinates.replaceSubrange(first..., with: fit)
        lostCount += count - coordinates.count
    }

    @usableFromInline mutating func add(altitude: Double?) {
        if let altitude, altitude.isFinite {
            if altitudes.isEmpty { altitudes = Array(repeating: nil, count: coordinates.count) }
            altitudes.append(altitude)
        } else if !altitudes.isEmpty {
            altitudes.append(nil)
        }
    }

    /// Ends a line; one without coordinates is none.
    @inlinable package mutating func endLine() {
        if openCount > 0 { endPart() }
    }

    /// Ends a ring, closing it where it is open.
    @inlinable package mutating func endRing() {
        guard openCount > 0 else { return }
        let first = openStart
        if coordinates[first] != coordinates[coordinates.count - 1] {
            add(coordinates[first], altitude: altitudes.isEmpty ? nil : altitudes[first])
        }
        endPart()
    }

    /// Ends a polygon; one without rings is none.
    @inlinable package mutating func endPolygon() {
        if partCount > polygonEnds.last ?? 0 { polygonEnds.append(partCount) }
    }

    /// Forgets the coordinate added last.
    package mutating func dropLast() {
        guard openCount > 0 else { return }
        coordinates.removeLast()
        if !altitudes.isEmpty { altitudes.removeLast() }
    }

    /// Forgets the coordinates behind the first ones, which must be of the part that is open.
    package mutating func drop(to count: Int) {
        guard coordinates.count > count else { return }
        coordinates.removeSubrange(count...)
        if altitudes.count > count { altitudes.removeSubrange(count...) }
    }

    /// Forgets the coordinates of the part that is open.
    package mutating func dropPart() {
        let start = openStart
        coordinates.removeSubrange(start...)
        if !altitudes.isEmpty { altitudes.removeSubrange(start...) }
    }

    /// The shape made of what was added.
    package func geometry(_ kind: Geometry.Kind) -> Geometry {
        let isInParts = kind != .point && kind != .multiPoint
        return Geometry(
            kind: kind, coordinates: coordinates,
            partEnds: isInParts && !furtherEnds.isEmpty ? [firstEnd] + furtherEnds : [],
            polygonEnds: kind == .multiPolygon ? polygonEnds : [],
            altitudes: altitudes.isEmpty || altitudes.allSatisfy { $0 == nil } ? [] : altitudes)
    }
}

extension Span<UInt8> {
    /// The number that eight bytes are, the least significant first; 0 where there are not so many.
    @inlinable @inline(__always)
    package func eight(from place: Int) -> UInt64 {
        // In this form one look at the bounds is left of it, and one load.
        guard place >= 0, place < count - 7 else { return 0 }
        let eight = extracting(place..<(place &+ 8))
        guard eight.count >= 8 else { return 0 }
        return UInt64(eight[0]) | UInt64(eight[1]) << 8 | UInt64(eight[2]) << 16 | UInt64(eight[3]) << 24
            | UInt64(eight[4]) << 32 | UInt64(eight[5]) << 40 | UInt64(eight[6]) << 48 | UInt64(eight[7]) << 56
    }
}
