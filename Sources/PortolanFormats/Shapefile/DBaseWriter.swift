import PortolanFeatures

/// Writes the tables of Shapefiles: dBASE III with texts in UTF-8.
struct DBaseWriter {
    private enum FieldType: UInt8 {
        case text = 0x43
        case number = 0x4E
        case truth = 0x4C
    }

    private struct Column {
        let property: String
        /// The name in the table, with at most ten bytes.
        let name: [UInt8]
        var type: FieldType
        var length = 1
        var hasFraction = false
    }

    /// The maximum length of a text, and the maximum number of columns.
    private static let textLimit = 254, columnLimit = 255
    private var columns: [Column] = []
    private var cutTexts: Set<String> = []
    private var renamed: [String] = []
    private var lostColumnCount = 0

    /// Determines the columns of features.
    init(_ features: [Feature]) {
        var numbers: [String: Int] = [:], names: Set<[UInt8]> = []
        for feature in features {
            for (name, value) in Self.values(of: feature) where value != .null {
                if numbers[name] == nil {
                    guard columns.count < Self.columnLimit else {
                        lostColumnCount += 1
                        numbers[name] = -1
                        continue
                    }
                    numbers[name] = columns.count
                    let short = Self.shortName(name, &names)
                    if short != Array(name.utf8) { renamed.append(name) }
                    columns.append(Column(property: name, name: short, type: Self.type(of: value)))
                }
                guard let number = numbers[name], number >= 0 else { continue }
                let type = Self.type(of: value)
                if columns[number].type != type { columns[number].type = .text }
                if case .number(let double) = value, double != double.rounded() || abs(double) >= 1e15 {
                    columns[number].hasFraction = true
                }
                columns[number].length = max(
                    columns[number].length, min(Self.text(of: value).utf8.count, Self.textLimit))
            }
        }
        // A table needs at least one column.
        if columns.isEmpty { columns = [Column(property: "id", name: Array("id".utf8), type: .number)] }
        for index in columns.indices where columns[index].type == .truth { columns[index].length = 1 }
    }

    /// Messages about content that tables cannot express.
    var losses: [String] {
        var losses: [String] = []
        if !renamed.isEmpty {
            losses.append(
                "column names are cut to ten bytes: "
                    + renamed.prefix(10).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
                    + (renamed.count > 10 ? " and \(renamed.count - 10) more" : ""))
        }
        if !cutTexts.isEmpty {
            losses.append(
                "texts are cut to \(Self.textLimit) bytes in "
                    + cutTexts.sorted().prefix(10).map { "'\($0.prefix(40))'" }.joined(separator: ", "))
        }
        if lostColumnCount > 0 { losses.append("\(lostColumnCount) properties left out: a table can have at most 255") }
        return losses
    }

    /// Returns the table of some of the features.
    mutating func table(_ features: [Feature]) -> [UInt8] {
        let rowLength = 1 + columns.reduce(0) { $0 + $1.length }, start = 33 + 32 * columns.count
        var bytes: [UInt8] = [3, 80, 1, 1]
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(features.count >> shift & 255)) }
        bytes += [UInt8(start & 255), UInt8(start >> 8), UInt8(rowLength & 255), UInt8(rowLength >> 8 & 255)]
        bytes += [UInt8](repeating: 0, count: 20)
        for column in columns {
            bytes += column.name + [UInt8](repeating: 0, count: 11 - column.name.count) + [column.type.rawValue]
            let decimals: UInt8 =
                column.type == .number && column.hasFraction ? UInt8(min(max(column.length - 2, 1), 15)) : 0
            bytes += [0, 0, 0, 0, UInt8(column.length), decimals] + [UInt8](repeating: 0, count: 14)
        }
        bytes.append(0x0D)
        for feature in features {
            let values = Dictionary(Self.values(of: feature)) { first, _ in first }
            bytes.append(0x20)
            for column in columns {
                var text = Array(Self.text(of: values[column.property] ?? .null).utf8)
                if text.count > column.length {
                    cutTexts.insert(column.property)
                    // The text is cut between characters.
                    var end = column.length
                    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
                    text.removeSubrange(end...)
                }
                let rest = [UInt8](repeating: 0x20, count: column.length - text.count)
                bytes += column.type == .number ? rest + text : text + rest
            }
        }
        bytes.append(0x1A)
        return bytes
    }

    private static func values(of feature: Feature) -> [(String, PropertyValue)] {
        let id = feature.properties["id"] == nil ? feature.id.map { [("id", $0.propertyValue)] } ?? [] : []
        return id + feature.properties.map { ($0.name, $0.value) }
    }

    private static func type(of value: PropertyValue) -> FieldType {
        switch value {
        case .bool: .truth
        case .integer, .number: .number
        case .null, .string, .array, .object: .text
        }
    }

    private static func text(of value: PropertyValue) -> String {
        switch value {
        case .null: ""
        case .bool(let flag): flag ? "T" : "F"
        case .integer(let number): String(number)
        case .number(let number): JSONNumber.text(number)
        case .string(let text): text
        case .array, .object: String(decoding: GeoJSONWriter.json(value), as: UTF8.self)
        }
    }

    /// Returns a unique column name with at most ten bytes.
    private static func shortName(_ name: String, _ known: inout Set<[UInt8]>) -> [UInt8] {
        let short = name.utf8CutTo(10)
        if known.insert(short).inserted { return short }
        for number in 1...255 {
            let suffix = Array("_\(number)".utf8)
            let other = name.utf8CutTo(10 - suffix.count) + suffix
            if known.insert(other).inserted { return other }
        }
        return short
    }
}

extension String {
    /// Returns the bytes of as many whole characters as fit.
    fileprivate func utf8CutTo(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            let more = Array(String(scalar).utf8)
            guard bytes.count + more.count <= count else { break }
            bytes += more
        }
        return bytes
    }
}
