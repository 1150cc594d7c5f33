public import PortolanGeo
public import PortolanPlan
public import PortolanRaster

/// The limits of the views of a map: extent, scale, zoom levels and rotation.
///
/// While a map is held or moves, the limits are soft: it can be drawn slightly beyond them against increasing
/// resistance, and returns on release. At rest, it moves to the nearest view within the limits, in the direction of the
/// last zoom.
public struct ViewLimits: Hashable, Sendable {
    /// The extent outside of which nothing is shown, in units of the map's CRS, or `nil` for no limit.
    ///
    /// For a rotated view, its bounding box counts.
    public var extent: Extent?
    /// The zoom levels from the coarsest to the finest, as in ``/PortolanGeo/Resolution/init(zoom:in:)``, or `nil` for
    /// no limit.
    public var zoomRange: ClosedRange<Double>?
    /// The scales at which the map rests.
    public var snap = Snap.free
    /// The rotations at which the map rests.
    public var rotation = Rotation.free
    /// The bearing in degrees within which a map that was rotated by hand turns north up on release; 0 to disable this.
    public var northSnap = 7.0

    /// The scales at which a map rests.
    public enum Snap: Hashable, Sendable {
        /// Any scale.
        case free
        /// The scales of whole zoom levels.
        case levels
        /// The scales of a tile grid, aligned to its pixels, so that tiles are copied and not resampled.
        ///
        /// A grid in another CRS than the map's has no effect.
        case grid(TileGrid)
    }

    /// The rotations at which a map rests.
    public enum Rotation: Hashable, Sendable {
        /// Any rotation.
        case free
        /// North up only.
        case north
        /// The given number of steps per turn, including north up.
        case steps(Int)
    }

    /// Creates limits that allow everything.
    public init() {}

    /// The last user motion, which determines the resting view.
    struct Motion: Hashable, Sendable {
        /// The zoomed levels; positive for zooming in.
        var levels = 0.0
        /// The position of the zoom.
        var about: Point?
        /// Whether the map was rotated.
        var turned = false
    }

    /// Returns the view moved, rotated and zoomed to be within the limits.
    ///
    /// - Throws: ``MapError`` if the limits are too narrow to distinguish pixels.
    public func clamped(_ view: Viewport) throws(MapError) -> Viewport {
        do { return try within(view) } catch { throw MapError(error) }
    }

    /// Implements `clamped` with the typed error `ViewportError`.
    func within(_ view: Viewport) throws(Viewport.InvalidError) -> Viewport {
        let turned = try view.with(rotation: rest(of: view.rotation, wasTurned: false))
        let unit = min(max(turned.resolution.unitsPerPixel, finest(turned)), coarsest(turned))
        return try placed(try zoomed(turned, to: unit, about: nil))
    }

    /// Returns the view at which a released map rests; see ``ViewLimits/snap`` and ``ViewLimits/northSnap``.
    ///
    /// - Parameters:
    ///   - levels: the levels it was zoomed in by, so that it continues to the next level in that direction; 0 for the
    ///     nearest.
    ///   - pixel: the view pixel that is fixed when scale or rotation changes; the centre if `nil`.
    ///   - wasTurned: whether it was rotated by hand, so that it may turn north up.
    public func rest(
        of view: Viewport, zoomedBy levels: Double = 0, about pixel: Point? = nil, wasTurned: Bool = false
    ) -> Viewport {
        do {
            let bearing = rest(of: view.rotation, wasTurned: wasTurned)
            let turned = bearing == view.rotation ? view : try view.turned(by: view.rotation - bearing, about: pixel)
            let unit = snapped(turned, direction: levels)
            let placed = try placed(try zoomed(turned, to: unit, about: pixel))
            guard case .grid(let grid) = snap else { return placed }
            return try placed.snapped(to: grid)
        } catch {
            return view
        }
    }

    func rest(of view: Viewport, after motion: Motion) -> Viewport {
        rest(of: view, zoomedBy: motion.levels, about: motion.about, wasTurned: motion.turned)
    }

    // MARK: - Soft limits

    /// Returns the view to show while a map is held beyond its limits.
    func softened(_ view: Viewport) -> Viewport { bent(view, softly: true) }

    /// Returns the view from which a shown view was softened.
    func unsoftened(_ view: Viewport) -> Viewport { bent(view, softly: false) }

    private func bent(_ view: Viewport, softly: Bool) -> Viewport {
        guard extent != nil || zoomRange != nil else { return view }
        // Beyond a scale limit, a fiftieth remains; beyond an extent, the resistance is like that of a 30-pixel spring.
        func bend(_ excess: Double, _ stiffness: Double) -> Double {
            softly
                ? Libm.logarithm(1 + stiffness * excess) / stiffness
                : (Libm.exponential(min(stiffness * excess, 50)) - 1) / stiffness
        }
        let unit = view.resolution.unitsPerPixel, coarsest = coarsest(view), finest = finest(view)
        var shown = unit
        if unit > coarsest {
            shown = coarsest * (1 + bend(unit / coarsest - 1, 50))
        } else if unit < finest {
            shown = finest / (1 + bend(finest / unit - 1, 50))
        }
        guard let scaled = try? zoomed(view, to: shown, about: nil) else { return view }
        let free = Self.centers(of: scaled, in: extent)
        func bend(_ value: Double, _ range: ClosedRange<Double>?) -> Double {
            guard let range else { return value }
            let excess = value - min(max(value, range.lowerBound), range.upperBound)
            guard excess != 0 else { return value }
            let pixels = bend(abs(excess) / shown, 1.0 / 30)
            return value - excess + (excess < 0 ? -pixels : pixels) * shown
        }
        let center = Coordinate(x: bend(scaled.center.x, free?.x), y: bend(scaled.center.y, free?.y))
        return (try? scaled.with(center: center)) ?? view
    }

    // MARK: - Single limits

    private func rest(of bearing: Double, wasTurned: Bool) -> Double {
        switch rotation {
        case .north: return 0
        case .steps(let count) where count > 0:
            let step = 360 / Double(count)
            return (bearing / step).rounded() * step
        case .steps, .free:
            return wasTurned && min(bearing, 360 - bearing) <= northSnap ? 0 : bearing
        }
    }

    private func finest(_ view: Viewport) -> Double {
        zoomRange.flatMap { Resolution(zoom: $0.upperBound, in: view.crs)?.unitsPerPixel } ?? 0
    }

    /// Returns the coarsest scale: that of the range, or the one at which the extent fills the view.
    private func coarsest(_ view: Viewport) -> Double {
        let ofRange = zoomRange.flatMap { Resolution(zoom: $0.lowerBound, in: view.crs)?.unitsPerPixel } ?? .infinity
        guard let extent else { return ofRange }
        let seen = view.extent, unit = view.resolution.unitsPerPixel
        return min(ofRange, unit * min(extent.width / seen.width, extent.height / seen.height))
    }

    /// Returns the scale at which the view rests.
    private func snapped(_ view: Viewport, direction: Double) -> Double {
        let finest = finest(view), coarsest = coarsest(view)
        let unit = min(max(view.resolution.unitsPerPixel, finest), coarsest)
        let scales: [Double]
        switch snap {
        case .free: return unit
        case .levels:
            guard let level = Resolution(unitsPerPixel: unit)?.zoom(in: view.crs) else { return unit }
            scales = [level.rounded(.down) - 1, level.rounded(.down), level.rounded(.up), level.rounded(.up) + 1]
                .compactMap { Resolution(zoom: $0, in: view.crs)?.unitsPerPixel }
        case .grid(let grid):
            guard grid.crs == view.crs else { return unit }
            scales = grid.matrices.map { $0.resolution.unitsPerPixel * view.pixelRatio }
        }
        // A scale that differs by less than a thousandth of a level is equal.
        let slack = 1.0007
        let allowed = scales.filter { $0 <= coarsest * slack && $0 >= finest / slack }
        let onward =
            direction > 0
            ? allowed.filter { $0 <= unit * slack }.max()
            : direction < 0 ? allowed.filter { $0 >= unit / slack }.min() : nil
        return onward ?? allowed.min { max($0 / unit, unit / $0) < max($1 / unit, unit / $1) } ?? unit
    }

    private func zoomed(
        _ view: Viewport, to unit: Double, about pixel: Point?
    ) throws(Viewport.InvalidError) -> Viewport {
        unit == view.resolution.unitsPerPixel
            ? view : try view.zoomed(by: view.resolution.unitsPerPixel / unit, about: pixel)
    }

    /// Returns the view moved into the extent.
    private func placed(_ view: Viewport) throws(Viewport.InvalidError) -> Viewport {
        guard let free = Self.centers(of: view, in: extent) else { return view }
        let x = min(max(view.center.x, free.x.lowerBound), free.x.upperBound)
        let y = min(max(view.center.y, free.y.lowerBound), free.y.upperBound)
        return x == view.center.x && y == view.center.y ? view : try view.with(center: Coordinate(x: x, y: y))
    }

    /// Returns the range of the centre in which nothing outside an extent is shown.
    private static func centers(
        of view: Viewport, in extent: Extent?
    ) -> (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        guard let extent else { return nil }
        let seen = view.extent, middle = extent.center
        let x = max(0, (extent.width - seen.width) / 2), y = max(0, (extent.height - seen.height) / 2)
        return (middle.x - x...middle.x + x, middle.y - y...middle.y + y)
    }
}
