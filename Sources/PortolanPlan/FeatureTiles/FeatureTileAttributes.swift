package import PortolanFeatures
import PortolanVectorTiles

/// The attributes and identifiers of the features of a layer, as tiles have them.
package struct FeatureTileAttributes: Sendable {
    /// The names of the attributes, and their types: `Number`, `String`, `Boolean` or `Mixed`.
    package private(set) var fields: [(name: String, type: String)] = []
    /// The number of identifiers that tiles cannot have: texts, negative numbers and fractions.
    package private(set) var lostIdentifierCount = 0
    private(set) var vocabulary = MVTVocabulary()
    private var ids: [UInt64?] = []
    private var hasIDs = false
    /// The numbers of keys and values by turns, and their end for each feature.
    private var tags: [UInt32] = []
    private var tagEnds: [Int] = []

    /// Reads the attributes of features.
    ///
    /// Lists and objects become JSON texts; null is left out.
    package init(_ features: [Feature], _ choice: FeatureTileSettings.Attributes) {
        var fieldOfKey: [UInt32: Int] = [:], types: [String?] = []
        tagEnds.reserveCapacity(features.count)
        ids.reserveCapacity(features.count)
        for feature in features {
            var id: UInt64?
            if let own = feature.id {
                if case .integer(let number) = own { id = UInt64(exactly: number) }
                if id == nil { lostIdentifierCount += 1 }
            }
            hasIDs = hasIDs || id != nil
            ids.append(id)
            for property in feature.properties where choice.contains(property.name) {
                guard let value = Self.value(property.value), let type = Self.type(of: property.value) else { continue }
                let key = vocabulary.key(property.name)
                guard let number = vocabulary.value(value) else { continue }
                tags.append(key)
                tags.append(number)
                if let field = fieldOfKey[key] {
                    if types[field] != type { types[field] = nil }
                } else {
                    fieldOfKey[key] = types.count
                    types.append(type)
                }
            }
            tagEnds.append(tags.count)
        }
        if !hasIDs { ids = [] }
        fields = zip(vocabulary.keys, types).map { ($0, $1 ?? "Mixed") }
    }

    /// The number of features.
    var featureCount: Int { tagEnds.count }

    /// About how many bytes they take.
    package var byteCount: Int { vocabulary.byteCount + 4 * tags.count + 8 * tagEnds.count + 16 * ids.count }

    func id(of feature: Int) -> UInt64? { ids.isEmpty ? nil : ids[feature] }

    func tags(of feature: Int) -> ArraySlice<UInt32> {
        tags[(feature == 0 ? 0 : tagEnds[feature - 1])..<tagEnds[feature]]
    }

    /// Returns the names and types of the attributes of features, without preparing them for tiles.
    package static func fields(of features: some Sequence<Feature>) -> [(name: String, type: String)] {
        var numbers: [String: Int] = [:], fields: [(name: String, type: String)] = []
        for feature in features {
            for property in feature.properties {
                guard let type = type(of: property.value) else { continue }
                if let number = numbers[property.name] {
                    if fields[number].type != type { fields[number].type = "Mixed" }
                } else {
                    numbers[property.name] = fields.count
                    fields.append((property.name, type))
                }
            }
        }
        return fields
    }

    /// The type of a value in metadata, or `nil` if tiles do not have it.
    private static func type(of value: PropertyValue) -> String? {
        switch value {
        case .null: nil
        case .bool: "Boolean"
        case .integer: "Number"
        case .number(let number): number.isFinite ? "Number" : nil
        case .string, .array, .object: "String"
        }
    }

    private static func value(_ value: PropertyValue) -> VectorTileValue? {
        switch value {
        case .null: nil
        case .bool(let flag): .bool(flag)
        case .integer(let number): .int(Int64(number))
        case .number(let number) where !number.isFinite: nil
        case .number(let number): Double(Float(number)) == number ? .float(Float(number)) : .double(number)
        case .string(let text): .string(text)
        case .array, .object: .string(String(decoding: GeoJSONWriter.json(value), as: UTF8.self))
        }
    }
}
