import PortolanFeatures

/// Determines the kind of a text from its first lines.
struct TextOutline {
    private let lines: [String]
    private let rows: [ArraySlice<UInt8>]

    /// Scans the start of a text, without byte order mark and leading white space.
    init(_ head: ArraySlice<UInt8>) {
        rows = head.split(maxSplits: 50, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }.prefix(50).map {
            $0
        }
        lines = rows.map { row in String(decoding: row.prefix(1000), as: UTF8.self) }
    }

    /// The kind of the text.
    var kind: FeatureFileError.FileKind {
        guard let first = lines.first else { return .empty }
        let upper = first.uppercased()
        let systems = [
            "GEOGCS[", "PROJCS[", "GEOGCRS[", "PROJCRS[", "COMPD_CS[", "COMPOUNDCRS[", "GEODCRS[", "LOCAL_CS[",
        ]
        if systems.contains(where: upper.hasPrefix) { return .projection }
        if upper.hasPrefix("!TABLE") { return .mapInfoTable }
        if upper.hasPrefix("VERSION "), lines.dropFirst().contains(where: isMapInfo) { return .mapInfoInterchange }
        if upper.hasPrefix("NCOLS ") { return .asciiGrid }
        // DXF has pairs of a code and a value on separate lines; comments have the code 999.
        if ["0", "999"].contains(trimmed(first)), lines.contains(where: { trimmed($0) == "SECTION" }) { return .dxf }
        if first.hasPrefix("A"), lines.contains(where: { $0.hasPrefix("HFDTE") || $0.hasPrefix("HFPLT") }) {
            return .igc
        }
        if lines.contains(where: isSentence) { return .nmea }
        if lines.filter({ !$0.hasPrefix("#") }).prefix(5).contains(where: isVehicle) { return .vehicleRecording }
        return table ?? .text
    }

    private func trimmed(_ line: String) -> String { line.filter { $0 != " " && $0 != "\t" } }

    private func isMapInfo(_ line: String) -> Bool {
        ["charset", "delimiter", "coordsys", "columns"].contains { line.lowercased().hasPrefix($0) }
    }

    private func isSentence(_ line: String) -> Bool {
        guard line.hasPrefix("$"), let comma = line.firstIndex(of: ",") else { return false }
        return ["RMC", "GGA", "GLL", "GSV", "GSA", "VTG"].contains { line[..<comma].hasSuffix($0) }
    }

    /// Returns whether a line has the form of a vehicle recording: `[seconds ]id;line;lon;lat;bearing`, and more.
    private func isVehicle(_ line: String) -> Bool {
        let fields = line.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.count >= 5, let x = Double(fields[2]), let y = Double(fields[3]) else { return false }
        return abs(x) <= 180 && abs(y) <= 90
    }

    /// A table, whose first lines have the same number of separators.
    private var table: FeatureFileError.FileKind? {
        guard let header = rows.first else { return nil }
        let marks = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
        guard let mark = marks.max(by: { a, b in header.count { $0 == a } < header.count { $0 == b } }) else {
            return nil
        }
        func count(_ row: ArraySlice<UInt8>) -> Int {
            var reader = CSVRows(Array(row), mark: mark)
            return reader.next()?.count ?? 0
        }
        var reader = CSVRows(Array(header), mark: mark)
        guard let names = reader.next(), names.count > 1,
            rows.dropFirst().prefix(3).allSatisfy({ count($0) == names.count })
        else { return nil }
        let known: Set<String> = ["stop_id", "route_id", "trip_id", "service_id", "agency_id", "shape_id"]
        if names.contains(where: known.contains) { return .timetableTable }
        return .table(columns: names)
    }
}
