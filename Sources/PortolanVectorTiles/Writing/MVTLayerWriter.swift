import PortolanProtobuf

/// Writes the tiles of a layer, one after the other (vector-tile-spec 2.1, section 4.1).
///
/// Equal features in the same order give equal bytes. A tile has only the keys and values that its features use, in the
/// order of their first use.
package struct MVTLayerWriter: Sendable {
    /// The number of units along a side of a tile.
    package static let extent = 4096

    private let name: String
    private let vocabulary: MVTVocabulary
    /// The number of each key and value of the vocabulary in the tile, plus 1; 0 if it is not used.
    private var keyNumbers: [UInt32]
    private var valueNumbers: [UInt32]
    private var keys: [UInt32] = []
    private var values: [UInt32] = []
    private var features: [UInt8] = []
    private var feature: [UInt8] = []
    private var tagBytes: [UInt8] = []
    /// The number of features in the tile.
    package private(set) var featureCount = 0

    /// Creates the writer of a layer.
    package init(name: String, vocabulary: MVTVocabulary) {
        self.name = name
        self.vocabulary = vocabulary
        keyNumbers = [UInt32](repeating: 0, count: vocabulary.keys.count)
        valueNumbers = [UInt32](repeating: 0, count: vocabulary.values.count)
    }

    /// Adds a feature.
    ///
    /// - Parameters:
    ///   - tags: the numbers of keys and values in the vocabulary by turns.
    ///   - geometry: the commands of ``MVTGeometryWriter``.
    package mutating func add(
        id: UInt64?, _ kind: VectorTileGeometry.Kind, tags: ArraySlice<UInt32>, geometry: ArraySlice<UInt8>
    ) {
        feature.removeAll(keepingCapacity: true)
        tagBytes.removeAll(keepingCapacity: true)
        if let id {
            feature.append(1 << 3)
            feature.appendVarint(id)
        }
        for (place, tag) in tags.enumerated() {
            let number =
                place.isMultiple(of: 2)
                ? Self.number(of: tag, &keyNumbers, &keys) : Self.number(of: tag, &valueNumbers, &values)
            tagBytes.appendVarint(UInt64(number))
        }
        if !tagBytes.isEmpty {
            feature.append(2 << 3 | 2)
            feature.appendVarint(UInt64(tagBytes.count))
            feature += tagBytes
        }
        feature.append(3 << 3)
        feature.append(kind.rawValue)
        feature.append(4 << 3 | 2)
        feature.appendVarint(UInt64(geometry.count))
        features.append(2 << 3 | 2)
        features.appendVarint(UInt64(feature.count + geometry.count))
        features += feature
        features += geometry
        featureCount += 1
    }

    private static func number(of tag: UInt32, _ numbers: inout [UInt32], _ used: inout [UInt32]) -> UInt32 {
        if numbers[Int(tag)] == 0 {
            used.append(tag)
            numbers[Int(tag)] = UInt32(used.count)
        }
        return numbers[Int(tag)] - 1
    }

    /// Appends the layer to a tile, unless it has no features, and begins the next tile.
    package mutating func finish(into tile: inout [UInt8]) {
        if featureCount > 0 {
            var head = WireWriter(), tables = WireWriter()
            head.write(15, 2 as UInt64?)
            head.write(1, name)
            for key in keys { tables.write(3, vocabulary.keys[Int(key)]) }
            for value in values { tables.write(4, bytes: vocabulary.values[Int(value)]) }
            tables.write(5, UInt64(Self.extent))
            tile.append(3 << 3 | 2)
            tile.appendVarint(UInt64(head.bytes.count + features.count + tables.bytes.count))
            tile += head.bytes
            tile += features
            tile += tables.bytes
        }
        for key in keys { keyNumbers[Int(key)] = 0 }
        for value in values { valueNumbers[Int(value)] = 0 }
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        features.removeAll(keepingCapacity: true)
        featureCount = 0
    }
}
