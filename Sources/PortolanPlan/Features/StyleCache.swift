import PortolanFeatures
import PortolanRaster
import PortolanStyles
import Synchronization

/// The looks that a style gave features, kept from picture to picture: those of a layer as long as the features, the sprites
/// and, where it makes a difference, the zoom are the same.
///
/// What is painted does not depend on what is kept. A layer of which something could not be computed is computed anew each
/// time, so that each picture tells it.
final class StyleCache: TrimmableCache {
    /// What the looks of a layer depend on.
    struct Key: Equatable {
        let content: UInt64
        /// The zoom, or `nil` where the layer looks the same at all.
        let zoom: Double?
        let sprites: [String]
        /// Whether pictures may still come.
        let isWaiting: Bool
        let pixelRatio: Double
        /// How far texts are turned with the map.
        let turn: Double
    }

    /// What is to be known of a look to put a feature in its place.
    struct Traits {
        let sortKey: Double
        let drawsBelow: Bool
        let drawsAbove: Bool
    }

    /// Features that are drawn one after the other, and their looks, each once.
    struct Pass {
        let shown: [Scene.FeatureStep.Shown]
        let table: StyleTable
    }

    /// What was drawn of some places: a picture is planned again when its sprites have come, and where the view stays.
    struct Passes {
        let places: [Int]
        let selection: Feature.ID?
        let passes: [Pass]
    }

    /// The looks of a layer's features.
    struct Looks {
        fileprivate static let unknown: Int32 = -2
        static let none: Int32 = -1

        let key: Key
        /// What was drawn last.
        var last: Passes?
        /// The number of each feature's look, as far as they are known.
        private var numbers: [Int32]
        private var known: [FeatureStyler.Look: Int32] = [:]
        /// The looks, each once.
        private(set) var table: [FeatureStyler.Look] = []
        /// What is asked of each look for every feature; the looks themselves are large.
        private(set) var traits: [Traits] = []

        fileprivate init(_ key: Key, count: Int) {
            self.key = key
            numbers = [Int32](repeating: Self.unknown, count: count)
        }

        /// The number of a feature's look, or ``none`` where it is not drawn.
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
                            sortKey: look.sortKey, drawsBelow: look.style.drawsSomething, drawsAbove: look.above != nil)
                    )
                }
            }
            numbers[place] = number
            return number
        }

        /// What a look takes: it is in the table and, with room to spare, a key; texts lie outside of it.
        private static let lookByteCount = 4 * MemoryLayout<FeatureStyler.Look>.stride + 1024

        /// About how many bytes they take.
        fileprivate var byteCount: Int {
            let passes = last.map { last in
                last.places.count * 8
                    + last.passes.reduce(0) {
                        $0 + $1.shown.count * 16 + $1.table.styles.count * 2 * MemoryLayout<StyleSet>.stride
                    }
            }
            return numbers.count * 4 + table.count * Self.lookByteCount + (passes ?? 0)
        }
    }

    private static let byteBudget = 128 << 20
    /// For how many keys the looks of a layer are kept: a few zooms, before the sprites have come and after that.
    private static let keptCount = 8

    private struct State {
        /// Those of each layer, the oldest first.
        var layers: [Int: [Looks]] = [:]
        var points: [Int: (key: Key, table: PointTable)] = [:]
        var changed: [Int: (content: UInt64, source: FeatureSource)] = [:]
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The sprites that the style was drawn with.
    let sprites = SpriteCache()

    /// Takes out what is known of a layer: nothing where something else is known.
    func looks(ofLayer number: Int, _ key: Key, featureCount: Int) -> Looks {
        let known = state.withLock { state in
            let place = state.layers[number]?.firstIndex { $0.key == key }
            let known = place.flatMap { state.layers[number]?.remove(at: $0) }
            state.byteCount -= known?.byteCount ?? 0
            return known
        }
        return known ?? Looks(key, count: featureCount)
    }

    /// The points of a layer that draws their density, made anew where they are others now.
    func points(ofLayer number: Int, _ key: Key, _ make: () -> PointTable) -> PointTable {
        if let known = state.withLock({ $0.points[number] }), known.key == key { return known.table }
        let table = make()
        state.withLock { $0.points[number] = (key, table) }
        return table
    }

    /// What a layer makes of the features, made anew where they are others now.
    func changed(ofLayer number: Int, content: UInt64, _ make: () -> FeatureSource) -> FeatureSource {
        if let known = state.withLock({ $0.changed[number] }), known.content == content { return known.source }
        let source = make()
        state.withLock { $0.changed[number] = (content, source) }
        return source
    }

    /// About how many bytes are kept.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Forgets looks, of each layer the oldest first, until at most so many bytes are kept.
    func trim(to byteCount: Int) {
        state.withLock { state in
            // One of each layer at a time.
            for _ in 0..<Self.keptCount {
                for number in state.layers.keys.sorted() where state.byteCount > byteCount {
                    guard let oldest = state.layers[number]?.first else { continue }
                    state.byteCount -= oldest.byteCount
                    state.layers[number]?.removeFirst()
                }
            }
        }
    }

    /// Keeps what is known of a layer, where there is room, beside what was used last before.
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
    /// Whether there is anything to draw.
    fileprivate var drawsSomething: Bool { fill != nil || stroke != nil || marker != nil || label != nil }
}

/// The indexes of sprites that were read last, kept from picture to picture: the same bytes are read once.
///
/// It holds at most eight, and of their documents 2 MiB; an index takes a few times as much as its document.
final class SpriteCache: Sendable {
    private static let maximumCount = 8
    private static let byteLimit = 2 << 20

    /// What was read, the oldest first.
    private let known = Mutex<[(bytes: [UInt8], index: SpriteIndex, number: Int)]>([])
    /// The images that came last, the oldest first.
    private let images = Mutex<[(image: PixelBuffer, number: Int)]>([])
    private static let lastNumber = Atomic<Int>(0)

    private func nextNumber() -> Int { Self.lastNumber.add(1, ordering: .relaxed).newValue }

    /// A number that an image has for as long as it stays the same: a sprite that was changed has another one.
    ///
    /// - Complexity: O(1) for an image that was seen last, otherwise O(pixels).
    func number(of image: PixelBuffer) -> Int {
        images.withLock { images in
            if let known = images.first(where: { $0.image == image }) { return known.number }
            let number = nextNumber()
            images = images.suffix(Self.maximumCount - 1) + [(image, number)]
            return number
        }
    }

    /// The index that a document holds, and a number that it has for as long as the document stays the same.
    ///
    /// - Throws: ``/PortolanStyles/SpriteError`` when it is none; that is found anew each time.
    /// - Complexity: O(bytes).
    func index(of bytes: [UInt8]) throws(SpriteError) -> (index: SpriteIndex, number: Int) {
        if let known = known.withLock({ known in known.first { $0.bytes == bytes } }) {
            return (known.index, known.number)
        }
        let index = try SpriteIndex(bytes: bytes), number = nextNumber()
        guard bytes.count <= Self.byteLimit else { return (index, number) }
        known.withLock { known in
            known.append((bytes, index, number))
            while known.count > Self.maximumCount || known.reduce(0, { $0 + $1.bytes.count }) > Self.byteLimit {
                known.removeFirst()
            }
        }
        return (index, number)
    }
}
