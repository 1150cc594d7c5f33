public import PortolanFeatures
import PortolanRaster
public import PortolanWeb

/// A text table without positions, whose rows are joined to features by a key.
///
/// ```swift
/// let table = try CSVTable(bytes: document)
/// let join = table.join(property: "iso_a3", column: "code", named: "population.csv")
/// ```
///
/// Separators, quotes, encodings and numbers are those of ``CSVFormat``.
public struct CSVTable: Sendable {
    /// The column names; duplicate and empty ones have a number.
    public let columns: [String]
    /// Warnings about content that was repaired or ignored.
    public private(set) var warnings: [MapWarning]
    private let rows: [Feature]
    private let charge: MemoryCharge?

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - limits: ``/PortolanFeatures/FeatureLimits/maximumFeatureCount`` limits the rows.
    ///   - encoding: the text encoding, such as `windows-1251`, or `nil` to detect it.
    /// - Throws: ``FeatureFileError`` with the line.
    /// - Complexity: linear in the length of the document.
    public init(
        bytes: [UInt8], limits: FeatureLimits = FeatureLimits(), encoding: String? = nil
    ) throws(FeatureFileError) {
        let format = CSVFormat(encoding: encoding)
        var gathering = try FeatureGathering(format.name, limits: limits, documentLength: bytes.count)
        let text = try format.decoded(bytes)
        if let guessed = text.guessed { gathering.warn(.repaired, "not UTF-8; read as \(guessed)") }
        guard let header = CSVHeader(text.bytes) else {
            throw FeatureFileError(.otherFormat, in: format.name, at: .line(1), "no table with a line of column names")
        }
        let names = header.distinctNames
        var rows = header.rows(of: text.bytes), types = ValueTypes()
        while let row = rows.next() {
            if rows.isBlank { continue }
            let elements = zip(names, row).map { Properties.Element(name: $0, value: .string($1)) }
            let feature = Feature(geometry: nil, properties: Properties(distinct: elements))
            types.note(feature.properties)
            try gathering.add(feature, at: .line(rows.line))
        }
        gathering.update { types.apply(to: &$0) }
        let collection = gathering.collection()
        columns = names
        warnings = collection.warnings
        self.rows = collection.features
        charge = collection.charge
    }

    /// The number of rows.
    public var rowCount: Int { rows.count }

    /// Returns the join of features with the rows, or `nil` if the table lacks the column.
    ///
    /// Empty cells are left out, so that they do not replace properties, and so are the keys.
    ///
    /// - Parameters:
    ///   - property: the property with the key of features, or `nil` for their identifier.
    ///   - column: the column with the key of rows.
    ///   - name: the name of the table in messages.
    /// - Complexity: O(rows).
    public func join(property: String?, column: String, named name: String) -> FeatureJoin? {
        guard columns.contains(column) else { return nil }
        var keys: [String] = [], values: [Properties] = []
        keys.reserveCapacity(rows.count)
        values.reserveCapacity(rows.count)
        for row in rows {
            // Codes with leading zeros are texts, so that no key loses them.
            guard let key = row.properties[column]?.displayText, !key.isEmpty else { continue }
            keys.append(key)
            values.append(
                Properties(
                    distinct: row.properties.filter {
                        $0.name != column && $0.name != property && $0.value != .string("")
                    }))
        }
        return FeatureJoin(name, property: property, keys: keys, rows: values, charge: charge)
    }
}
