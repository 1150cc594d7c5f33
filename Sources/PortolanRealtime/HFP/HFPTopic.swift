import Foundation
import PortolanGeo

/// The topics of high-frequency positions (HFP, version 2): filters for an interest, and parsing of topics.
///
/// The form is
/// `/hfp/v2/journey/ongoing/vp/MODE/OPERATOR/VEHICLE/ROUTE/DIRECTION/HEADSIGN/START/NEXT STOP/LEVEL/LAT;LON/d1/d2/d3/…`.
/// The leading slash creates an empty first level; d1 contains the first decimals of latitude and longitude, and so on.
enum HFPTopic {
    /// The maximum number of subscribed filters.
    static let mostFilters = 20

    /// The width or height in degrees above which only significant position changes are requested.
    static let thinningWidth = 0.5

    private static let prefix = "/hfp/v2/journey/ongoing/vp"

    /// Returns the filters for an interest, or an empty array if nothing can match.
    ///
    /// Filters end with `#`, because topics may get longer. Filters may match more than the interest. They match less
    /// only for wide extents, where positions of level 5 are left out: these differ by less than a hundred metres from
    /// the previous one.
    static func filters(for interest: VehicleInterest) -> [String] {
        var lines = interest.lines.map { lines in lines.filter(isLevel).sorted() }
        if let names = lines, names.isEmpty { return [] }
        if let names = lines, names.count > mostFilters { lines = nil }
        let routes = lines ?? ["+"]
        guard let extent = interest.extent else { return routes.map { "\(prefix)/+/+/+/\($0)/#" } }
        let isThinned = extent.width > thinningWidth || extent.height > thinningWidth
        let levels = isThinned ? ["0", "1", "2", "3", "4"] : ["+"]
        func filters(levels: [String]) -> [String]? {
            let most = mostFilters / (routes.count * levels.count)
            guard most > 0, let cells = cells(covering: extent, most: most) else { return nil }
            return routes.flatMap { route in
                levels.flatMap { level in
                    cells.map { "\(prefix)/+/+/+/\(route)/+/+/+/+/\(level)/\($0)/#" }
                }
            }
        }
        return filters(levels: levels) ?? filters(levels: ["+"]) ?? routes.map { "\(prefix)/+/+/+/\($0)/#" }
    }

    /// Returns whether a name is valid as a topic level without special characters (MQTT 3.1.1, section 4.7).
    private static func isLevel(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && !name.utf8.contains { "+#/\0".utf8.contains($0) }
    }

    /// Returns the smallest cells of which at most `most` cover an extent, as topic levels.
    private static func cells(covering extent: Extent, most: Int) -> [String]? {
        for digits in [3, 2, 1, 0] {
            let scale = [1.0, 10, 100, 1000][digits]
            let west = (extent.minX * scale).rounded(.down), east = (extent.maxX * scale).rounded(.down)
            let south = (extent.minY * scale).rounded(.down), north = (extent.maxY * scale).rounded(.down)
            guard max(abs(west), abs(east), abs(south), abs(north)) <= 360_000 else { continue }
            guard (east - west + 1) * (north - south + 1) <= Double(most) else { continue }
            let columns = Int(west)...Int(east), rows = Int(south)...Int(north)
            var cells: [String] = []
            for row in rows {
                for column in columns {
                    let cell = Self.cell(latitude: row, longitude: column, digits: digits)
                    if !cells.contains(cell) { cells.append(cell) }
                }
            }
            return cells
        }
        return nil
    }

    /// Returns the topic levels of a cell.
    ///
    /// Its south-west corner is given in units of the cell size.
    private static func cell(latitude: Int, longitude: Int, digits: Int) -> String {
        let scale = [1, 10, 100, 1000][digits]
        // Digits are truncated rather than rounded, so a negative number has the digits of its upper end.
        func parts(_ value: Int) -> (whole: String, decimals: [Character]) {
            let size = value < 0 ? -value - 1 : value, text = String(size % scale + scale).dropFirst()
            return ((value < 0 ? "-" : "") + String(size / scale), Array(text))
        }
        let (lat, lon) = (parts(latitude), parts(longitude))
        return "\(lat.whole);\(lon.whole)" + zip(lat.decimals, lon.decimals).map { "/\($0)\($1)" }.joined()
    }

    /// The parts of a topic that the message itself does not contain.
    struct Parts {
        /// The mode of transport, such as "tram".
        var mode: Substring
        /// The headsign.
        var headsign: String
        /// The identifier of the next stop, or an empty string at the end of a line.
        var nextStop: Substring
        /// The integer degrees of latitude and longitude, or `nil` if the vehicle has no position.
        var degrees: (latitude: Int, longitude: Int)?
    }

    /// Parses a position topic.
    ///
    /// Returns `nil` for other topics.
    static func parts(of topic: String) -> Parts? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        // The first level is empty. Later versions may append levels.
        guard levels.count >= 15, levels[0].isEmpty, levels[1] == "hfp", levels[2] == "v2", levels[5] == "vp" else {
            return nil
        }
        // A slash in the headsign adds levels, so the headsign extends to the next time of day.
        guard let start = levels[12...].firstIndex(where: isTime), start + 2 < levels.count else { return nil }
        var parts = Parts(
            mode: levels[6], headsign: levels[11..<start].joined(separator: "/"),
            nextStop: levels[start + 1] == "EOL" ? "" : levels[start + 1])
        if start + 3 < levels.count {
            let halves = levels[start + 3].split(separator: ";").compactMap { Int($0) }
            if halves.count == 2 { parts.degrees = (halves[0], halves[1]) }
        }
        return parts
    }

    private static func isTime(_ level: Substring) -> Bool {
        let bytes = Array(level.utf8)
        return bytes.count == 5 && bytes[2] == UInt8(ascii: ":")
            && [0, 1, 3, 4].allSatisfy { (0x30...0x39).contains(bytes[$0]) }
    }
}
