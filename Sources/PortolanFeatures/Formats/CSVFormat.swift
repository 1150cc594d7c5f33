import PortolanGeo
import PortolanWeb

/// Tables in text: values with commas, semicolons, tabs or bars between (RFC 4180), the first line their names, columns among
/// them that say where things are.
///
/// The place is in columns named `lon`, `lng`, `long`, `longitude` or `x` and `lat`, `latitude` or `y`, or as well-known text or
/// binary digits in one named `wkt`, `geom`, `geometry`, `the_geom` or `wkb`, whatever the letters' case. A comma in a number is a
/// decimal point where semicolons stand between the values. A name whose every value is a number has numbers.
///
/// Coordinates are longitude and latitude on WGS 84, unless the shapes say otherwise.
public struct CSVFormat: FeatureFormat {
    /// Makes the format.
    public init() {}

    /// `CSV`.
    public var name: String { "CSV" }

    private static let eastNames: Set<String> = ["lon", "lng", "long", "longitude", "x"]
    private static let northNames: Set<String> = ["lat", "latitude", "y"]
    private static let shapeNames: Set<String> = ["wkt", "geom", "geometry", "the_geom", "wkb", "wkb_geometry"]

    /// Whether the first line names columns that say where things are.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let text = start.withoutByteOrderMark
        guard let first = text.first, ![0x3C, 0x7B, 0x5B].contains(first),
            !text.contains(where: { $0 < 0x09 })
        else { return false }
        return Columns(Array(text), isStart: true) != nil
    }

    /// Which columns say what.
    private struct Columns {
        let mark: UInt8
        let names: [String]
        let east: Int?, north: Int?, shape: Int?

        init?(_ bytes: [UInt8], isStart: Bool) {
            guard let line = CSVRows.header(of: bytes) else { return nil }
            let marks = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
            let counts = marks.map { mark in line.count { $0 == mark } }
            guard let most = counts.max(), let place = counts.firstIndex(of: most) else { return nil }
            mark = marks[place]
            var rows = CSVRows(bytes, mark: mark)
            guard let names = rows.next() else { return nil }
            self.names = names
            let lower = names.map { $0.lowercased().filter { !$0.isWhitespace } }
            func find(_ wanted: Set<String>) -> Int? { lower.firstIndex { wanted.contains($0) } }
            let east = find(CSVFormat.eastNames), north = find(CSVFormat.northNames)
            let hasPlace = east != nil && north != nil
            (self.east, self.north) = hasPlace ? (east, north) : (nil, nil)
            shape = hasPlace ? nil : find(CSVFormat.shapeNames)
            guard hasPlace || shape != nil else { return nil }
        }
    }

    /// Reads a document.
    ///
    /// A row without a place is a feature without a shape, and told.
    ///
    /// - Throws: ``FeatureFileError`` with the line.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        let bytes = document.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(document.dropFirst(3)) : document
        guard let columns = Columns(bytes, isStart: false) else {
            throw FeatureFileError(
                .otherFormat, in: name, at: .line(1), "no columns are named lon and lat, or wkt")
        }
        let names = Self.distinct(columns.names)
        let places = Set([columns.east, columns.north, columns.shape].compactMap(\.self))
        let isDecimalComma = columns.mark == UInt8(ascii: ";")
        func number(_ text: String) -> Double? {
            text.decimalValue ?? (isDecimalComma ? text.replacing(",", with: ".").decimalValue : nil)
        }
        var rows = CSVRows(bytes, mark: columns.mark), system = CommonSystem(), types = ValueTypes(), lostCount = 0
        _ = rows.next()
        while let row = rows.next() {
            if rows.isBlank { continue }
            var elements: [Properties.Element] = []
            for (index, value) in row.enumerated() where index < names.count && !places.contains(index) {
                elements.append(Properties.Element(name: names[index], value: .string(value)))
            }
            var feature = Feature(geometry: nil, properties: Properties(distinct: elements))
            func value(_ column: Int?) -> String { column.flatMap { $0 < row.count ? row[$0] : nil } ?? "" }
            if columns.shape != nil {
                let text = value(columns.shape)
                let shape = (try? WKT.read(text, limits: limits)) ?? WKBFormat.shape(ofDigits: text, limits: limits)
                if let shape {
                    feature.geometry = system.geometry(shape.geometry, in: shape.srid.flatMap { CRS.epsg($0) })
                }
            } else if let x = number(value(columns.east)), let y = number(value(columns.north)) {
                feature.geometry = .point(Coordinate(x: x, y: y))
            }
            if feature.geometry == nil {
                lostCount += 1
                let line = rows.line
                if lostCount <= 10 { gathering.warn(.omitted, "line \(line) has no place that can be read") }
            }
            types.note(feature.properties)
            try gathering.add(feature, at: .line(rows.line))
        }
        if lostCount > 10 { gathering.warn(.omitted, "\(lostCount - 10) more lines have no place that can be read") }
        gathering.update { types.apply(to: &$0) }
        return gathering.collection(crs: system.crs)
    }

    /// Names that differ; one that is there twice or empty gets its number.
    private static func distinct(_ names: [String]) -> [String] {
        var known: Set<String> = []
        return names.enumerated().map { index, name in
            let free = name.isEmpty || known.contains(name) ? "\(name)_\(index + 1)" : name
            known.insert(free)
            return free
        }
    }
}

/// The rows of a table in text (RFC 4180): values in quotes may hold marks, line ends, and quotes twice.
struct CSVRows {
    private let bytes: [UInt8]
    private let mark: UInt8
    private var index = 0
    private var nextLine = 1
    /// The line on which the last row begins, from 1.
    private(set) var line = 1
    /// Whether the last row is a line without anything in it.
    private(set) var isBlank = false

    init(_ bytes: [UInt8], mark: UInt8) {
        self.bytes = bytes
        self.mark = mark
    }

    /// The first line, its quoted parts aside; `nil` where there is none.
    static func header(of bytes: [UInt8]) -> [UInt8]? {
        var line: [UInt8] = []
        var isQuoted = false
        for byte in bytes.prefix(1 << 16) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D { break }
            line.append(byte)
        }
        return line.isEmpty ? nil : line
    }

    /// The values of the next row, or `nil` behind the last.
    mutating func next() -> [String]? {
        guard index < bytes.count else { return nil }
        line = nextLine
        var values: [String] = []
        var value: [UInt8] = []
        var isQuoted = false, hasQuotes = false
        defer { isBlank = !hasQuotes && values.count == 1 && values[0].isEmpty }
        func add() { values.append(String(decoding: value, as: UTF8.self)) }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A { nextLine += 1 }
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    value.append(byte)
                    continue
                }
                if index < bytes.count, bytes[index] == byte {
                    value.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), value.isEmpty {
                (isQuoted, hasQuotes) = (true, true)
            } else if byte == mark {
                add()
                value.removeAll(keepingCapacity: true)
            } else if byte == 0x0A {
                if value.last == 0x0D { value.removeLast() }
                add()
                return values
            } else {
                value.append(byte)
            }
        }
        add()
        return values
    }
}
