import PortolanFeatures
import PortolanVectorTiles

/// The distinct attribute sets of features.
///
/// Most features of a layer share theirs with others.
struct VectorTileRows {
    /// The properties of each set.
    private(set) var properties: [Properties] = []
    /// The number of each set, by its keys and values by turns.
    private var numbers: [[Int32]: Int32] = [:]
    private var keys: [String: Int32] = [:], names: [String] = []
    private var values: [VectorTileValue: Int32] = [:], converted: [PropertyValue] = []

    /// Returns the index of the set of each feature of a layer.
    ///
    /// - Complexity: O(features · columns).
    mutating func numbers(of layer: VectorTileLayer) -> [Int32] {
        // The numbers assigned to the values of each table so far.
        var tables: [[Int32]] = [], tableNumbers: [ObjectIdentifier: Int] = [:]
        var columns: [(column: VectorTileColumn, key: Int32, table: Int)] = []
        for column in layer.columns {
            let table = tableNumbers[ObjectIdentifier(column.values), default: tables.count]
            if table == tables.count {
                tableNumbers[ObjectIdentifier(column.values)] = table
                tables.append([Int32](repeating: -1, count: column.values.count))
            }
            columns.append((column, key(column.key), table))
        }
        columns.sort { $0.key < $1.key }
        var numbers = [Int32](repeating: 0, count: layer.featureCount), entries: [Int32] = []
        for feature in 0..<layer.featureCount {
            entries.removeAll(keepingCapacity: true)
            for place in columns.indices {
                guard let index = columns[place].column.valueIndex(of: feature) else { continue }
                let table = columns[place].table
                var value = tables[table][index]
                if value < 0 {
                    value = number(of: columns[place].column.values[index])
                    tables[table][index] = value
                }
                entries.append(columns[place].key)
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
        if let known = numbers[entries] { return known }
        let number = Int32(properties.count)
        numbers[entries] = number
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
