import PortolanFeatures
import PortolanRaster
import PortolanStyles
import Synchronization

/// The feature styles that a style sheet produced, cached between pictures while the features, the sprites and, where
/// it matters, the zoom stay the same.
///
/// The drawing does not depend on the cache. A layer with a fault is computed again for other features, so that each
/// picture reports the faults of its own.
final class StyleCache: TrimmableCache {
    /// The inputs that determine the styles of a layer.
    struct Key: Equatable {
        let content: UInt64
        /// The zoom, or `nil` if the layer does not depend on it.
        let zoom: Double?
        let sprites: [String]
        /// Whether pictures may still arrive.
        let isWaiting: Bool
        let pixelRatio: Double
        /// The rotation of texts with the map.
        let turn: Double
    }

    /// The traits of a style that decide how a feature is placed in a pass.
    struct Traits {
        let sortKey: Double
        let drawsBelow: Bool
        let drawsAbove: Bool
        /// Whether it may be visible although its line or area is far from the view.
        let reachesFar: Bool
    }

    /// Features that are drawn consecutively, and their distinct styles.
    struct Pass {
        let shown: [Scene.FeatureStep.Shown]
        let table: StyleTable
    }

    /// The passes over a feature range.
    ///
    /// A picture is planned again after its sprites arrive, or with the same view.
    struct Passes {
        let places: [Int]
        /// Whether each of them is near the view.
        let areNear: [Bool]
        let selection: Feature.ID?
        let passes: [Pass]
        /// The characters of the labels.
        let letters: StyleLetters
        /// The evaluation failures and the faults about images of the features, by property.
        let failures: [StyleSheet.Key: EvaluationError]
        let pictureFindings: [StyleSheet.Key: StyleFault]
    }

    /// The styles of a layer's features.
    struct Looks {
        fileprivate static let unknown: Int32 = -2
        static let none: Int32 = -1

        let key: Key
        /// The most recent passes.
        var last: Passes?
        /// The style index of each feature, as far as known.
        private var numbers: [Int32]
        private var known: [FeatureStyler.Look: Int32] = [:]
        /// The distinct styles.
        private(set) var table: [FeatureStyler.Look] = []
        /// The style traits that are needed for every feature; the styles themselves are large.
        private(set) var traits: [Traits] = []

        fileprivate init(_ key: Key, count: Int) {
            self.key = key
            numbers = [Int32](repeating: Self.unknown, count: count)
        }

        /// Returns the styles for other features than those of the most recent passes: empty if these had faults, since
        /// each picture reports those of its own features.
        var forOthers: Looks {
            guard let last, !last.failures.isEmpty || !last.pictureFindings.isEmpty else { return self }
            return Looks(key, count: numbers.count)
        }

        /// The style index of a feature, or ``none`` if it is not drawn.
        mutating func number(of place: Int, _ look: () -> FeatureStyler.Look?) -> Int32 {
            if numbers[place] != Self.unknown { return numbers[place] }
            var number = Self.none
            if let look = look() {
                number = known[look] ?? Int32(table.count)
                if number == table.count {
                    known[look] = number
                    table.append(look)
                    traits.append(
                        Traits(
                            sortKey: look.sortKey, drawsBelow: look.style.drawsSomething, drawsAbove: look.above != nil,
                            reachesFar: look.style.reachesFar || look.above?.reachesFar ?? false))
                }
            }
            numbers[place] = number
            return number
        }

        /// The size of a style: its table entry and, generously, a key.
        ///
        /// Texts are allocated separately.
        private static let lookByteCount = 4 * MemoryLayout<FeatureStyler.Look>.stride + 1024

        /// The approximate number of bytes.
        fileprivate var byteCount: Int {
            let passes = last.map { last in
                last.places.count * 9
                    + last.passes.reduce(0) {
                        $0 + $1.shown.count * 16 + $1.table.styles.count * 2 * MemoryLayout<StyleSet>.stride
                    }
            }
            return numbers.count * 4 + table.count * Self.lookByteCount + (passes ?? 0)
        }
    }

    private static let byteBudget = 128 << 20
    /// The number of keys for which the styles of a layer are kept: a few zooms, before and after the sprites arrive.
    private static let keptCount = 8

    private struct State {
        /// The styles of each layer, the oldest first.
        var layers: [Int: [Looks]] = [:]
        var points: [Int: (key: Key, table: PointTable)] = [:]
        var changed: [Int: (content: UInt64, source: FeatureSource)] = [:]
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The sprites with which the style was drawn.
    let sprites = SpriteCache()
    /// The glyph ranges with which the style was drawn.
    let glyphs = GlyphRangeCache()

    /// Removes and returns the known styles of a layer; empty if the key differs.
    func looks(ofLayer number: Int, _ key: Key, featureCount: Int) -> Looks {
        let known = state.withLock { state in
            let place = state.layers[number]?.firstIndex { $0.key == key }
            let known = place.flatMap { state.layers[number]?.remove(at: $0) }
            state.byteCount -= known?.byteCount ?? 0
            return known
        }
        return known ?? Looks(key, count: featureCount)
    }

    /// The points of a density layer, recreated if they changed.
    func points(ofLayer number: Int, _ key: Key, _ make: () -> PointTable) -> PointTable {
        if let known = state.withLock({ $0.points[number] }), known.key == key { return known.table }
        let table = make()
        state.withLock { $0.points[number] = (key, table) }
        return table
    }

    /// The features that a layer derives, recreated if their source changed.
    func changed(ofLayer number: Int, content: UInt64, _ make: () -> FeatureSource) -> FeatureSource {
        if let known = state.withLock({ $0.changed[number] }), known.content == content { return known.source }
        let source = make()
        state.withLock { $0.changed[number] = (content, source) }
        return source
    }

    /// The approximate number of bytes that are kept.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Removes styles, the oldest of each layer first, until at most `byteCount` bytes are kept.
    func trim(to byteCount: Int) {
        state.withLock { state in
            // Removes one of each layer at a time.
            for _ in 0..<Self.keptCount {
                for number in state.layers.keys.sorted() where state.byteCount > byteCount {
                    guard let oldest = state.layers[number]?.first else { continue }
                    state.byteCount -= oldest.byteCount
                    state.layers[number]?.removeFirst()
                }
            }
        }
    }

    /// Keeps the styles of a layer, if there is room, in addition to the most recent ones.
    func keep(_ looks: Looks, ofLayer number: Int) {
        state.withLock { state in
            while let oldest = state.layers[number]?.first,
                state.layers[number]?.count == Self.keptCount
                    || state.byteCount + looks.byteCount > Self.byteBudget
            {
                state.byteCount -= oldest.byteCount
                state.layers[number]?.removeFirst()
            }
            guard state.byteCount + looks.byteCount <= Self.byteBudget else { return }
            state.byteCount += looks.byteCount
            state.layers[number, default: []].append(looks)
        }
    }
}

extension Style {
    /// Whether it draws anything.
    fileprivate var drawsSomething: Bool { fill != nil || stroke != nil || marker != nil || label != nil }

    /// Whether it may be visible farther from a line or an area than usual lines.
    fileprivate var reachesFar: Bool {
        marker != nil || label != nil || (stroke?.reach ?? 0) > Scene.FeatureStep.lineReach
    }
}
