package import PortolanGeo

/// Collects the coordinates of a geometry in the flat form of ``Geometry``.
///
/// Coordinates that are not finite are omitted and counted. The functions called for each coordinate can be inlined
/// into readers in other modules.
package struct GeometryBuilder {
    @usableFromInline var coordinates: [Coordinate] = []
    /// Empty until a coordinate has an altitude.
    @usableFromInline var altitudes: [Double?] = []
    /// The end of the first part, or 0 before it ends.
    ///
    /// Most geometries have one part, for which an array would be wasteful.
    @usableFromInline var firstEnd = 0
    /// The ends of the parts after the first.
    @usableFromInline var furtherEnds: [Int] = []
    @usableFromInline var polygonEnds: [Int] = []

    /// The number of coordinates omitted because they are not finite.
    @usableFromInline package internal(set) var lostCount = 0

    @inlinable package init() {}

    /// The number of coordinates.
    @inlinable package var count: Int { coordinates.count }

    /// The last coordinate of the open part, or `nil` if the part is empty.
    @inlinable package var last: Coordinate? { coordinates.count > openStart ? coordinates.last : nil }

    /// The number of coordinates in the open part.
    @inlinable package var openCount: Int { coordinates.count - openStart }

    @inlinable var openStart: Int { furtherEnds.last ?? firstEnd }

    @inlinable var partCount: Int { firstEnd == 0 ? 0 : furtherEnds.count + 1 }

    @inlinable mutating func endPart() {
        if firstEnd == 0 { firstEnd = coordinates.count } else { furtherEnds.append(coordinates.count) }
    }

    /// Reserves space for more coordinates.
    @inlinable package mutating func reserve(_ count: Int) {
        let least = coordinates.count + count
        guard least > coordinates.capacity else { return }
        // The capacity at least doubles, so that repeated calls do not copy all coordinates each time.
        coordinates.reserveCapacity(coordinates.isEmpty ? least : max(least, 2 * coordinates.capacity))
    }

    /// Adds a coordinate to the open part.
    @inlinable @inline(__always)
    package mutating func add(_ coordinate: Coordinate, altitude: Double? = nil) {
        guard coordinate.isFinite else {
            lostCount += 1
            return
        }
        if altitude != nil || !altitudes.isEmpty { add(altitude: altitude) }
        coordinates.append(coordinate)
    }

    /// Adds coordinates to the open part, each of two little-endian doubles.
    package mutating func add(pairs bytes: Span<UInt8>) {
        let first = coordinates.count, count = bytes.count / 16
        reserve(count)
        // The largest bit pattern without the sign: those of infinity and NaN are larger than all others.
        var largest: UInt64 = 0
        coordinates.append(addingCapacity: count) { places in
            for index in 0..<count {
                let pair = bytes.extracting(16 &* index..<16 &* index &+ 16)
                let x = pair.eight(from: 0), y = pair.eight(from: 8)
                largest = max(largest, x &<< 1, y &<< 1)
                places.append(Coordinate(x: Double(bitPattern: x), y: Double(bitPattern: y)))
            }
        }
        // Most geometries are completely finite.
        if largest >= Double.infinity.bitPattern << 1 { dropUnfit(from: first) }
        if !altitudes.isEmpty { altitudes += repeatElement(nil, count: coordinates.count - altitudes.count) }
    }

    /// Removes the coordinates from an index on that are not finite.
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

    /// Ends a line.
    ///
    /// A line without coordinates is ignored.
    @inlinable package mutating func endLine() {
        if openCount > 0 { endPart() }
    }

    /// Ends a ring, and closes it if it is open.
    @inlinable package mutating func endRing() {
        guard openCount > 0 else { return }
        let first = openStart
        if coordinates[first] != coordinates[coordinates.count - 1] {
            add(coordinates[first], altitude: altitudes.isEmpty ? nil : altitudes[first])
        }
        endPart()
    }

    /// Ends a polygon.
    ///
    /// A polygon without rings is ignored.
    @inlinable package mutating func endPolygon() {
        if partCount > polygonEnds.last ?? 0 { polygonEnds.append(partCount) }
    }

    /// Removes the last coordinate.
    package mutating func dropLast() {
        guard openCount > 0 else { return }
        coordinates.removeLast()
        if !altitudes.isEmpty { altitudes.removeLast() }
    }

    /// Removes the coordinates after the first `count`.
    ///
    /// They must be in the open part.
    package mutating func drop(to count: Int) {
        guard coordinates.count > count else { return }
        coordinates.removeSubrange(count...)
        if altitudes.count > count { altitudes.removeSubrange(count...) }
    }

    /// Removes the coordinates of the open part.
    package mutating func dropPart() {
        let start = openStart
        coordinates.removeSubrange(start...)
        if !altitudes.isEmpty { altitudes.removeSubrange(start...) }
    }

    /// Returns the geometry of the added coordinates.
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
    /// Returns eight bytes as a little-endian integer, or 0 if there are fewer.
    @inlinable @inline(__always)
    package func eight(from place: Int) -> UInt64 {
        // In this form the compiler emits a single bounds check and one load.
        guard place >= 0, place < count - 7 else { return 0 }
        let eight = extracting(place..<(place &+ 8))
        guard eight.count >= 8 else { return 0 }
        return UInt64(eight[0]) | UInt64(eight[1]) << 8 | UInt64(eight[2]) << 16 | UInt64(eight[3]) << 24
            | UInt64(eight[4]) << 32 | UInt64(eight[5]) << 40 | UInt64(eight[6]) << 48 | UInt64(eight[7]) << 56
    }
}
