package import PortolanRaster

/// The values of a table that belong to features: those of the row with the same key.
///
/// ```swift
/// let table = try CSVTable(bytes: document)
/// if let join = table.join(property: "iso_a3", column: "code", named: "population.csv") { countries.join(join) }
/// ```
///
/// Values become properties, which replace those of the same name, and the feature state of styles. Keys are compared
/// as texts, and whole numbers also as numbers: `7` is `007` unless the table has both.
public struct FeatureJoin: Sendable {
    /// The name of the table in messages.
    public let name: String
    /// The property with the key of features, or `nil` for their identifier.
    public let property: String?
    private let table: Table

    private final class Table: Sendable {
        let rows: [Properties]
        let keys: [String]
        let places: [String: Int]
        /// The rows of whole numbers, or -1 for numbers that several rows have.
        let numbers: [Int: Int]
        let charge: MemoryCharge?

        init(_ keys: [String], _ rows: [Properties], _ charge: MemoryCharge?) {
            var places: [String: Int] = [:], numbers: [Int: Int] = [:]
            places.reserveCapacity(rows.count)
            for (row, key) in keys.enumerated() where places[key] == nil {
                places[key] = row
                if let number = FeatureJoin.number(key) { numbers[number] = numbers[number] == nil ? row : -1 }
            }
            (self.keys, self.rows, self.places, self.numbers, self.charge) = (keys, rows, places, numbers, charge)
        }
    }

    /// Creates a join from the rows of a table.
    ///
    /// Of rows with one key, the first is used.
    ///
    /// - Parameters:
    ///   - name: the name of the table in messages.
    ///   - property: the property with the key of features, or `nil` for their identifier.
    ///   - rows: the key and the values of each row.
    /// - Complexity: O(rows).
    public init(_ name: String, property: String?, rows: [(key: String, values: Properties)]) {
        self.init(name, property: property, keys: rows.map(\.key), rows: rows.map(\.values), charge: nil)
    }

    package init(_ name: String, property: String?, keys: [String], rows: [Properties], charge: MemoryCharge?) {
        self.name = name
        self.property = property
        table = Table(keys.map(Self.trimmed), rows, charge)
    }

    /// The number of distinct keys.
    public var rowCount: Int { table.places.count }

    /// The number of rows that repeat the key of an earlier one, and are not used.
    package var repeatedCount: Int { table.rows.count - table.places.count }

    /// The values of all rows.
    package var rows: [Properties] { table.rows }

    /// The key of the first row, for messages.
    package var firstKey: String? { table.keys.first }

    private static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        let start = text.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }

    /// The whole number in a text of digits, or `nil`.
    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// The key of a feature, or `nil` if it has none.
    ///
    /// Without a property, it is the identifier, or else the property `id`.
    package func key(of id: Feature.ID?, _ properties: Properties) -> String? {
        let value = property.map { properties[$0] } ?? id?.propertyValue ?? properties["id"]
        guard let value else { return nil }
        let text = value.integerValue.map(String.init) ?? value.displayText
        return text.map(Self.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The row of a key, or `nil`.
    ///
    /// - Complexity: O(1).
    package func row(ofKey key: String) -> Int? {
        if let row = table.places[key] { return row }
        guard let row = Self.number(key).flatMap({ table.numbers[$0] }), row >= 0 else { return nil }
        return row
    }

    /// The values of a row.
    package func values(ofRow row: Int) -> Properties { table.rows[row] }

    /// Returns the values for a feature, or `nil` if it has no row.
    ///
    /// - Complexity: O(1).
    public func values(for feature: Feature) -> Properties? {
        key(of: feature.id, feature.properties).flatMap { row(ofKey: $0) }.map { table.rows[$0] }
    }
}

extension FeatureJoin: Hashable {
    /// Returns whether two joins give features the same values.
    public static func == (one: FeatureJoin, other: FeatureJoin) -> Bool {
        one.property == other.property && one.name == other.name
            && (one.table === other.table || one.table.keys == other.table.keys && one.table.rows == other.table.rows)
    }

    /// Hashes the key property, and the number of rows.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(property)
        hasher.combine(rowCount)
    }
}

extension Properties {
    /// Adds the values of a row, which replace those of the same name.
    package mutating func add(_ row: Properties) {
        for element in row { self[element.name] = element.value }
    }
}
