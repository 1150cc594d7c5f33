extension CRS {
    /// The edge of the map of a projection's whole domain, as a closed ring in units of the system, or `nil` if the
    /// domain has no edge: without a projection or limits, or if the world repeats.
    ///
    /// The positions are at most a quarter of a degree apart.
    package var outline: [Coordinate]? {
        guard let projection, projection.worldWidth == nil else { return nil }
        let edge: [Coordinate]
        switch projection.domain {
        case .everywhere: return nil
        case .box(let meridian, let halfWidth, let latitudes):
            guard let meridian else { return nil }
            edge = Self.edge(meridian, halfWidth, latitudes)
        case .cap(let center, let radius):
            let circle = SphereCircle(center: center, radius: radius)
            edge = (0...1440).map { circle.place(bearing: Double($0) / 4) }
        }
        var ring = edge.compactMap { projection.project($0) }
        // Rounding would otherwise leave a gap.
        if let first = ring.first { ring.append(first) }
        return ring.count > 3 ? ring : nil
    }

    /// The extent of the map of a projection's whole domain, or `nil` if the domain has no edge.
    package var outlineExtent: Extent? { outline.flatMap { BoundingBox($0)?.extent } }

    /// Returns the edge of a box in longitude and latitude, counter-clockwise.
    private static func edge(
        _ meridian: Double, _ halfWidth: Double, _ latitudes: ClosedRange<Double>
    ) -> [Coordinate] {
        let west = meridian - halfWidth, south = latitudes.lowerBound, height = latitudes.upperBound - south
        let columns = Int((halfWidth * 8).rounded(.up)), rows = Int((height * 4).rounded(.up))
        func place(_ column: Int, _ row: Int) -> Coordinate {
            Coordinate(
                x: west + 2 * halfWidth * Double(column) / Double(columns),
                y: south + height * Double(row) / Double(rows))
        }
        return (0..<columns).map { place($0, 0) } + (0..<rows).map { place(columns, $0) }
            + (0..<columns).map { place(columns - $0, rows) } + (0..<rows).map { place(0, rows - $0) }
    }
}

extension CRS {
    /// Whether the projection's domain is at least a hemisphere, so that its outline is a sensible view.
    package var coversMostOfTheWorld: Bool {
        switch domain {
        case .box(_?, let halfWidth, let latitudes):
            halfWidth > 90 && latitudes.upperBound - latitudes.lowerBound > 90
        case .cap(_, let radius): radius > 89
        case .box, .everywhere, nil: false
        }
    }
}
