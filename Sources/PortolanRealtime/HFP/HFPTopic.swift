import Foundation
import PortolanGeo

/// Topics of the high-frequency positions of Helsinki's vehicles (HFP, version 2): which filters bring what is wanted, and what a
/// topic tells.
///
/// `/hfp/v2/journey/ongoing/vp/MODE/OPERATOR/VEHICLE/ROUTE/DIRECTION/HEADSIGN/START/NEXT STOP/LEVEL/LAT;LON/d1/d2/d3/…`, where
/// the leading slash makes an empty first level, and d1 holds the first decimals of latitude and longitude, and so on.
enum HFPTopic {
    /// The most filters that are subscribed to at once.
    static let mostFilters = 20

    /// In a view wider or higher than this, in degrees, only those positions are asked for that are news there.
    static let thinningWidth = 0.5

    private static let prefix = "/hfp/v2/journey/ongoing/vp"

    /// The filters for an interest, each ending with `#` since topics may grow at their end; none when nothing can match.
    ///
    /// They may bring more than what is wanted, never less but for what a view too wide to tell them apart does not show: at
    /// level 5 a position differs from the one before by less than a hundred metres.
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

    /// Whether a name can stand as a level: nothing in it is a part of the language of filters (MQTT 3.1.1, section 4.7).
    private static func isLevel(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && !name.utf8.contains { "+#/\0".utf8.contains($0) }
    }

    /// The cells of the finest size of which no more than so many cover an extent, as levels of a topic.
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

    /// The levels of a cell, whose south-west corner is told in units of its size.
    private static func cell(latitude: Int, longitude: Int, digits: Int) -> String {
        let scale = [1, 10, 100, 1000][digits]
        // Digits are cut, not rounded: those of a negative number are those of its other end.
        func parts(_ value: Int) -> (whole: String, decimals: [Character]) {
            let size = value < 0 ? -value - 1 : value, text = String(size % scale + scale).dropFirst()
            return ((value < 0 ? "-" : "") + String(size / scale), Array(text))
        }
        let (lat, lon) = (parts(latitude), parts(longitude))
        return "\(lat.whole);\(lon.whole)" + zip(lat.decimals, lon.decimals).map { "/\($0)\($1)" }.joined()
    }

    /// What a topic tells that the message itself does not.
    struct Parts {
        /// The means of transport, as "tram".
        var mode: Substring
        /// Where it goes, as it shows.
        var headsign: String
        /// The identifier of the next stop; nothing at the end of a line.
        var nextStop: Substring
        /// Whole degrees of latitude and longitude, or `nil` where the vehicle does not know its place.
        var degrees: (latitude: Int, longitude: Int)?
    }

    /// The parts of the topic of a position; `nil` when it is another topic.
    static func parts(of topic: String) -> Parts? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        // An empty level first; at the end there may be more than is known.
        guard levels.count >= 15, levels[0].isEmpty, levels[1] == "hfp", levels[2] == "v2", levels[5] == "vp" else {
            return nil
        }
        // A slash in what a vehicle shows would make levels of its own: the next time of day ends it.
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
