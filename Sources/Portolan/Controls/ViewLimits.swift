public import PortolanGeo
public import PortolanPlan
public import PortolanRaster

/// What views a map may show: how far, how near, at which levels and turned how.
///
/// While a map is held or moves the limits are soft: it can be drawn a little beyond them, ever harder, and returns when it
/// is let go. At rest it goes to the nearest view within them, in the direction in which it was zoomed.
public struct ViewLimits: Hashable, Sendable {
    /// The extent that nothing is seen outside of, in units of the map's CRS, or `nil` for no limit.
    ///
    /// With a rotation the smallest upright extent around the view counts.
    public var extent: Extent?
    /// The zoom levels from the coarsest to the finest, as ``/PortolanGeo/Resolution/init(zoom:in:)`` counts them, or `nil` for no limit.
    public var zoomRange: ClosedRange<Double>?
    /// The scales at which the map rests.
    public var snap = Snap.free
    /// The rotations at which the map rests.
    public var rotation = Rotation.free
    /// From which bearing on, in degrees, a map that was turned by hand is turned north up when it is let go; 0 for none.
    public var northSnap = 7.0

    /// The scales at which a map rests.
    public enum Snap: Hashable, Sendable {
        /// Any.
        case free
        /// Those of whole zoom levels.
        case levels
        /// Those of a tile set, its pixels on the picture's: tiles are then copied and not resampled.
        ///
        /// A grid in another CRS than the map's does nothing.
        case grid(TileGrid)
    }

    /// The rotations at which a map rests.
    public enum Rotation: Hashable, Sendable {
        /// Any.
        case free
        /// North up.
        case north
        /// So many in a turn, north up among them.
        case steps(Int)
    }

    /// Makes limits that allow everything.
    public init() {}

    /// What brought a map to where it is, which decides where it goes to rest.
    struct Motion: Hashable, Sendable {
        /// The levels it was zoomed by: above zero for in.
        var levels = 0.0
        /// Where it was zoomed.
        var about: Point?
        /// Whether it was turned.
        var turned = false
    }

    /// The view moved, turned and zoomed within the limits, at any scale between them.
    ///
    /// - Throws: ``MapError`` where the limits are so narrow that pixels cannot be told apart.
    public func clamped(_ view: Viewport) throws(MapError) -> Viewport {
        do { return try within(view) } catch { throw MapError(error) }
    }

    /// The same, with the closed error of views.
    func within(_ view: Viewport) throws(ViewportError) -> Viewport {
        let turned = try view.with(rotation: rest(of: view.rotation, wasTurned: false))
        let unit = min(max(turned.resolution.unitsPerPixel, finest(turned)), coarsest(turned))
        return try placed(try zoomed(turned, to: unit, about: nil))
    }

    /// The view at which a map rests that was let go at another; see ``ViewLimits/snap`` and ``ViewLimits/northSnap``.
    ///
    /// - Parameters:
    ///   - levels: by how much it was zoomed in, so that it goes on to the next level that way; 0 for the nearest.
    ///   - pixel: the view pixel that stays where it is when the scale or the rotation changes; the middle when `nil`.
    ///   - wasTurned: whether it was turned by hand, so that it may be turned north up.
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

    /// The view that is shown while a map is held where it may not rest.
    func softened(_ view: Viewport) -> Viewport { bent(view, softly: true) }

    /// The view that a shown one was softened from.
    func unsoftened(_ view: Viewport) -> Viewport { bent(view, softly: false) }

    private func bent(_ view: Viewport, softly: Bool) -> Viewport {
        guard extent != nil || zoomRange != nil else { return view }
        // A fiftieth of what is beyond a scale, and past an extent as if drawn by a spring of 30 pixels.
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

    /// The coarsest scale: that of the range, or the one at which the extent fills the view.
    private func coarsest(_ view: Viewport) -> Double {
        let ofRange = zoomRange.flatMap { Resolution(zoom: $0.lowerBound, in: view.crs)?.unitsPerPixel } ?? .infinity
        guard let extent else { return ofRange }
        let seen = view.extent, unit = view.resolution.unitsPerPixel
        return min(ofRange, unit * min(extent.width / seen.width, extent.height / seen.height))
    }

    /// The scale to rest at.
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
        // What is a thousandth of a level off is there.
        let slack = 1.0007
        let allowed = scales.filter { $0 <= coarsest * slack && $0 >= finest / slack }
        let onward =
            direction > 0
            ? allowed.filter { $0 <= unit * slack }.max()
            : direction < 0 ? allowed.filter { $0 >= unit / slack }.min() : nil
        return onward ?? allowed.min { max($0 / unit, unit / $0) < max($1 / unit, unit / $1) } ?? unit
    }

    private func zoomed(_ view: Viewport, to unit: Double, about pixel: Point?) throws(ViewportError) -> Viewport {
        unit == view.resolution.unitsPerPixel
            ? view : try view.zoomed(by: view.resolution.unitsPerPixel / unit, about: pixel)
    }

    /// The view moved within the extent.
    private func placed(_ view: Viewport) throws(ViewportError) -> Viewport {
        guard let free = Self.centers(of: view, in: extent) else { return view }
        let x = min(max(view.center.x, free.x.lowerBound), free.x.upperBound)
        let y = min(max(view.center.y, free.y.lowerBound), free.y.upperBound)
        return x == view.center.x && y == view.center.y ? view : try view.with(center: Coordinate(x: x, y: y))
    }

    /// Where the centre may be so that nothing outside an extent is seen.
    private static func centers(
        of view: Viewport, in extent: Extent?
    ) -> (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        guard let extent else { return nil }
        let seen = view.extent, middle = extent.center
        let x = max(0, (extent.width - seen.width) / 2), y = max(0, (extent.height - seen.height) / 2)
        return (middle.x - x...middle.x + x, middle.y - y...middle.y + y)
    }
}
