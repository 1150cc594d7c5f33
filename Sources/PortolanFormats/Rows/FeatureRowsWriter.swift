import PortolanFeatures

/// Writes the document that ``FeatureRows`` reads.
package struct FeatureRowsWriter: Sendable {
    /// The document so far.
    package private(set) var bytes = FeatureRows.mark
    /// The number of columns.
    package let columnCount: Int

    /// Begins a document; a name of more than 65,535 bytes is cut off.
    package init(_ columns: [(kind: FeatureRows.Column, name: String)]) {
        columnCount = columns.count
        bytes.append(0)
        add(UInt16(clamping: columns.count))
        for column in columns {
            bytes.append(column.kind.rawValue)
            let name = Array(column.name.utf8.prefix(Int(UInt16.max)))
            add(UInt16(name.count))
            bytes += name
        }
    }

    /// States that the table has more rows.
    package mutating func cut() { bytes[FeatureRows.mark.count] = 1 }

    /// Adds rows that are encoded already: for each value its length and its bytes.
    package mutating func add(rows: [UInt8]) { bytes += rows }

    /// Adds a value of the current row; `nil` is NULL.
    package mutating func add(value: [UInt8]?) {
        guard let value else { return add(UInt32.max) }
        add(UInt32(value.count))
        bytes += value
    }

    private mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
        var shift = number.bitWidth
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
