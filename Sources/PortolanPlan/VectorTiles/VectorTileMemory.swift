import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanVectorTiles
import Synchronization

/// The joined features of the tiles of recent views, by layers; within a budget of bytes, the oldest go first.
final class VectorTileMemory: TrimmableCache {
    fileprivate struct Key: Hashable {
        let layer: String
        let pieces: [VectorTilePiece.Key]
        let level: String
        let bends: Bool
        let idName: String?
        let style: StyleDeclaration?
    }

    fileprivate struct State {
        var known: [(key: Key, source: FeatureSource, byteCount: Int)] = []
        var byteCount = 0
    }

    private static let byteBudget = 96 << 20

    private let state = Mutex(State())

    /// The features of a layer of the tiles that arrived.
    ///
    /// - Parameters:
    ///   - bends: whether the view has another system than the tiles.
    ///   - style: the look of features that no style draws, or `nil`.
    /// - Complexity: O(vertices · log), unless the same tiles were seen in a recent view.
    func features(
        of layer: String, in view: VectorTileView, _ source: VectorTileSource, bends: Bool, _ style: StyleDeclaration?
    ) -> FeatureSource {
        let key = Key(
            layer: layer, pieces: view.pieces.map(\.key), level: view.matrix.id, bends: bends,
            idName: source.promotedIDs[layer], style: style)
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
        let (features, classes, places) = shapes.places()
        let made = FeatureSource(
            features: features, classes: classes, places: places, crs: view.crs, style: style)
        state.withLock { state in
            state.known.append((key, made, byteCount))
            state.byteCount += byteCount
            state.trim(to: Self.byteBudget)
        }
        return made
    }

    /// The features that have a content number, or `nil` if they are not kept.
    func features(ofContent number: UInt64) -> FeatureSource? {
        state.withLock { $0.known.first { $0.source.contentID == number }?.source }
    }

    /// About how many bytes are kept.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Forgets features, the oldest first, until at most so many bytes are kept.
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
