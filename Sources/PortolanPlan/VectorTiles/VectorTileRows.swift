import PortolanFeatures
import PortolanVectorTiles

/// The distinct attribute sets of features.
///
/// Most features of a layer share theirs with others.
struct VectorTileRows {
    /// The properties of each set.
    private(set) var properties: [Properties] = []
    private var numbers: [Key: Int32] = [:]
    private var keys: [String: Int32] = [:], names: [String] = []
    private var values: [VectorTileValue: Int32] = [:], converted: [PropertyValue] = []

    /// Alternating keys and values.
    private struct Key: Hashable {
        let entries: [Int32]
    }

    /// Returns the index of the set of each feature of a layer.
    ///
    /// - Complexity: O(features · columns).
    mutating func numbers(of layer: VectorTileLayer) -> [Int32] {
        let columns = layer.columns.map { column in
            (column: column, key: key(column.key), table: ObjectIdentifier(column.values))
        }
        .sorted { $0.key < $1.key }
        // The numbers assigned to the values of a table so far.
        var tables: [ObjectIdentifier: [Int32]] = [:]
        for column in columns where tables[column.table] == nil {
            tables[column.table] = [Int32](repeating: -1, count: column.column.values.count)
        }
        var numbers = [Int32](repeating: 0, count: layer.featureCount), entries: [Int32] = []
        for feature in 0..<layer.featureCount {
            entries.removeAll(keepingCapacity: true)
            for (column, key, table) in columns {
                guard let index = column.valueIndex(of: feature) else { continue }
                var value = tables[table]?[index] ?? -1
                if value < 0 {
                    value = number(of: column.values[index])
                    tables[table]?[index] = value
                }
                entries.append(key)
                entries.append(value)
            }
            numbers[feature] = number(of: entries)
        }
        return numbers
    }

    private mutating func key(_ name: String) -> Int32 {
        if let known = keys[name] { return known }
        let number = Int32(names.count)
        keys[name] = number
        names.append(name)
        return number
    }

    private mutating func number(of value: VectorTileValue) -> Int32 {
        if let known = values[value] { return known }
        let number = Int32(converted.count)
        values[value] = number
        converted.append(PropertyValue(value))
        return number
    }

    private mutating func number(of entries: [Int32]) -> Int32 {
        let key = Key(entries: entries)
        if let known = numbers[key] { return known }
        let number = Int32(properties.count)
        numbers[key] = number
        properties.append(
            Properties(
                distinct: stride(from: 0, to: entries.count, by: 2).map { place in
                    Properties.Element(
                        name: names[Int(entries[place])], value: converted[Int(entries[place + 1])])
                }))
        return number
    }
}

extension PropertyValue {
    /// Converts an attribute value.
    ///
    /// Whole numbers beyond 63 bits lose precision.
    init(_ value: VectorTileValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .float(let number): .number(Double(number))
            case .double(let number): .number(number)
            case .int(let number): .integer(Int(number))
            case .uint(let number): Int(exactly: number).map(PropertyValue.integer) ?? .number(Double(number))
            case .bool(let flag): .bool(flag)
            case .list(let items): .array(items.map { PropertyValue($0) })
            case .map(let members):
                .object(
                    Properties(
                        lastOf: members.map { Properties.Element(name: $0.name, value: PropertyValue($0.value)) }))
            }
    }
}

extension Feature.ID {
    /// Converts the identifier of a tile feature.
    init(_ number: UInt64) {
        self = Int(exactly: number).map(Feature.ID.integer) ?? .string(String(number))
    }
}
