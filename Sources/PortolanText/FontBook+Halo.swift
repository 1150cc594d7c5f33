package import PortolanRaster
import Synchronization

/// A cache of the stroke outlines around glyphs, by size and width.
struct HaloCache {
    private struct Key: Hashable {
        /// The glyph, which the cached value retains.
        let glyph: ObjectIdentifier
        let scale: Double
        let width: Double
    }

    private static let byteLimit = 4 << 20

    private var known = BoundedCache<Key, (glyph: GlyphOutline, stroke: StrokedOutline)>(limit: byteLimit)

    /// The approximate memory in bytes.
    var byteCount: Int { known.cost }

    /// Evicts the entries unused for the longest time until at most this many bytes remain.
    mutating func trim(to byteCount: Int) { known.trim(to: byteCount) }

    /// Returns the outline of a glyph's stroke relative to its origin.
    mutating func stroke(around glyph: PlacedGlyph, width: Double) -> StrokedOutline {
        let key = Key(glyph: ObjectIdentifier(glyph.outline), scale: glyph.scale, width: width)
        if let known = known.value(for: key) { return known.stroke }
        let stroke = StrokedOutline(
            glyph.outline.path.transformed(by: .scale(x: glyph.scale, y: glyph.scale)),
            style: ShapedText.Halo(width: width, color: .black).style, tolerance: ShapedText.Halo.tolerance)
        known.insert((glyph.outline, stroke), for: key, cost: stroke.byteCount + 128)
        return stroke
    }
}

extension FontBook {
    /// Returns the parts of a line's halo, each cluster transformed, or `nil` if the line does not consist of separate
    /// letters.
    ///
    /// - Parameter width: the width of the stroke around the letters, in pixels.
    /// - Complexity: O(segments) for letters that were not stroked before, otherwise O(letters).
    package func halo(
        of line: TextLine, width: Double, movedBy transform: (_ cluster: Int) -> AffineTransform
    ) -> [(outline: StrokedOutline, transform: AffineTransform)]? {
        guard width > 0, width.isFinite else { return nil }
        let clusters = line.clusters
        var first = 0, cluster = 0
        var pieces: [(outline: StrokedOutline, transform: AffineTransform)] = []
        pieces.reserveCapacity(line.glyphs.count)
        return halos.withLock { halos in
            for glyph in line.glyphs {
                let count = glyph.outline.path.elementCount
                defer { first += count }
                guard count > 0 else { continue }
                while cluster < clusters.count, clusters[cluster].elements.upperBound <= first { cluster += 1 }
                if !clusters.isEmpty {
                    guard cluster < clusters.count, clusters[cluster].elements.lowerBound <= first,
                        clusters[cluster].elements.upperBound >= first + count
                    else { return nil }
                }
                let place = AffineTransform.translation(x: glyph.origin.x, y: glyph.origin.y)
                pieces.append((halos.stroke(around: glyph, width: width), place.then(transform(cluster))))
            }
            return pieces
        }
    }
}
