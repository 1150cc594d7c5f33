import PortolanGeo

extension FeatureCollection {
    /// Returns the features with fewer vertices, so that areas beside each other remain so.
    ///
    /// ```swift
    /// let coarse = countries.simplified(.meters(1000))
    /// ```
    ///
    /// A border that areas share is simplified once, so that neighbours neither overlap nor separate. Borders are shared
    /// if they have the same vertices. Vertices are chosen by the Douglas–Peucker algorithm, and more are kept where
    /// rings would cross each other or themselves, or pass over another ring. Rings that do not cross before do not
    /// cross afterwards. If borders cross each other so often that this would take too long, rings stay as they are.
    ///
    /// No polygon and no hole disappears: the smallest ring is a triangle. Points, ends of lines, and vertices where
    /// borders part are unchanged. Rings of fewer than three different vertices and altitudes are removed.
    ///
    /// Distances are on the ground for degrees, and otherwise in units of the CRS without regard to the local scale.
    ///
    /// - Complexity: O(*n* log *n*) as a rule.
    public func simplified(_ simplification: Simplification) -> FeatureCollection {
        let topology = ArcTopology(features.flatMap { $0.geometry?.arcPaths ?? [] })
        let ranks = ArcRanks(topology, in: effectiveCRS)
        let tolerance: Double =
            switch simplification {
            case .meters(let meters): meters
            case .share(let share): ranks.tolerance(keeping: min(max(share, 0), 1))
            }
        let simplifier = ArcSimplifier(topology, ranks, tolerance: tolerance)
        var simplified = self, next = 0
        simplified.declaredBounds = nil
        for index in features.indices {
            simplified.features[index].declaredBounds = nil
            simplified.features[index].geometry = features[index].geometry?.replacingPaths { part, isRing in
                defer { next += 1 }
                return topology.path(next, keeping: simplifier.isKept) ?? (isRing ? [] : Array(part))
            }
        }
        return simplified
    }
}

extension Geometry {
    /// The lines and rings of the geometry and its children.
    fileprivate var arcPaths: [ArcTopology.Path] {
        switch kind {
        case .point, .multiPoint: []
        case .lineString, .multiLineString: parts.map { ArcTopology.Path(coordinates: $0, isRing: false) }
        case .polygon, .multiPolygon: parts.map { ArcTopology.Path(coordinates: $0, isRing: true) }
        case .collection: children.flatMap(\.arcPaths)
        }
    }

    /// Returns the geometry with other lines and rings, which are requested in the order of ``arcPaths``.
    ///
    /// A polygon without its outer ring is removed.
    fileprivate func replacingPaths(_ body: (ArraySlice<Coordinate>, _ isRing: Bool) -> [Coordinate]) -> Geometry {
        switch kind {
        case .point, .multiPoint: return self
        case .lineString: return parts.first.map { .lineString(body($0, false)) } ?? self
        case .multiLineString: return .multiLineString(parts.map { body($0, false) })
        case .polygon, .multiPolygon:
            let changed = polygons.map { polygon in
                let rings = polygon.map { body($0, true) }
                return rings.first?.isEmpty == true ? [] : rings
            }
            return kind == .polygon ? .polygon(changed.first ?? []) : .multiPolygon(changed)
        case .collection: return .collection(children.map { $0.replacingPaths(body) })
        }
    }
}
