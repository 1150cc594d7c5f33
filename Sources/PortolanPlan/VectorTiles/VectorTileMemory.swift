import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanVectorTiles
import Synchronization

/// A cache of the joined features of recent views, by layer.
///
/// Within a budget of bytes, the oldest are removed first.
final class VectorTileMemory: TrimmableCache {
    fileprivate struct Key: Hashable {
        let layer: String
        let pieces: [VectorTilePiece.Key]
        let level: String
        let bends: Bool
        let idName: String?
        let style: StyleDeclaration?
        let join: FeatureJoin?
    }

    fileprivate struct State {
        var known: [(key: Key, source: FeatureSource, byteCount: Int)] = []
        var byteCount = 0
    }

    private static let byteBudget = 96 << 20

    private let state = Mutex(State())

    /// Returns the features of a layer of the tiles that have arrived.
    ///
    /// - Parameters:
    ///   - bends: whether the view has another CRS than the tiles.
    ///   - style: the style of features that no style sheet draws, or `nil`.
    /// - Complexity: O(vertices · log), unless a recent view had the same tiles.
    func features(
        of layer: String, in view: VectorTileView, _ source: VectorTileSource, bends: Bool, _ style: StyleDeclaration?
    ) -> FeatureSource {
        let key = Key(
            layer: layer, pieces: view.pieces.map(\.key), level: view.matrix.id, bends: bends,
            idName: source.promotedIDs[layer], style: style, join: source.join)
        let known = state.withLock { state in
            guard let place = state.known.firstIndex(where: { $0.key == key }) else { return nil as FeatureSource? }
            state.known.append(state.known.remove(at: place))
            return state.known.last?.source
        }
        if let known { return known }
        var joiner = VectorTileJoiner(view, bendsBorders: bends, idName: key.idName)
        for piece in view.pieces {
            if let own = piece.tile.tile[layer] { joiner.add(own, of: piece) }
        }
        let shapes = joiner.joined()
        let byteCount = shapes.byteCount
        var (features, classes, places) = shapes.places(), outcome = JoinOutcome()
        if let join = source.join {
            for place in features.indices {
                // Parts that were joined to others are empty.
                let location = places.locations[place], isShown = location.hasPoints || location.first < location.end
                guard isShown, let row = outcome.row(of: features[place].id, features[place].properties, in: join)
                else { continue }
                features[place].properties.add(join.values(ofRow: row))
            }
        }
        var made = FeatureSource(features: features, classes: classes, places: places, crs: view.crs, style: style)
        made.join = source.join
        made.joinOutcome = outcome
        made.tileZoom = view.crs == .webMercator ? Int(view.matrix.id) : nil
        state.withLock { state in
            state.known.append((key, made, byteCount))
            state.byteCount += byteCount
            state.trim(to: Self.byteBudget)
        }
        return made
    }

    /// Returns the features with a content number, or `nil` if they are no longer cached.
    func features(ofContent number: UInt64) -> FeatureSource? {
        state.withLock { $0.known.first { $0.source.contentID == number }?.source }
    }

    /// The approximate number of cached bytes.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Removes features, the oldest first, until at most `byteCount` bytes are kept.
    func trim(to byteCount: Int) { state.withLock { $0.trim(to: byteCount) } }
}

extension VectorTileMemory.State {
    fileprivate mutating func trim(to limit: Int) {
        while byteCount > limit, let oldest = known.first {
            byteCount -= oldest.byteCount
            known.removeFirst()
        }
    }
}
