import PortolanFeatures
import PortolanGeo
import PortolanXML

/// A `gx:Track`: positions and times in two lists of equal length.
struct KMLTrack {
    /// The line, a point for a single position, or `nil` without positions.
    let geometry: Geometry?
    /// The time of each position, `null` if it has none; `nil` without times.
    let times: PropertyValue?
    /// Messages about omitted content.
    let faults: [String]

    /// Reads a track (KML extension namespace `gx`, *gx:Track*).
    ///
    /// The n-th `when` is the time of the n-th `coord`.
    ///
    /// An empty `coord` is a time without a position, and both are omitted.
    init(_ element: XMLElement) {
        var faults: [String] = []
        let whens = element.children("when").map(\.text)
        var builder = GeometryBuilder()
        var times: [PropertyValue] = []
        for (number, coord) in element.children("coord").enumerated() {
            let numbers = coord.text.split { $0.isWhitespace || $0 == "," }.map { $0.decimalValue }
            guard numbers.count >= 2, let x = numbers[0], let y = numbers[1] else {
                if !coord.text.isEmpty {
                    faults.append("line \(coord.line): an invalid position of a track is left out")
                }
                continue
            }
            builder.add(Coordinate(x: x, y: y), altitude: numbers.count > 2 ? numbers[2] : nil)
            let when = number < whens.count ? whens[number] : ""
            times.append(when.isEmpty ? .null : .string(when))
        }
        self.faults = faults
        switch builder.count {
        case 0: geometry = nil
        case 1: geometry = builder.geometry(.point)
        default: geometry = builder.geometry(.lineString).continuedOverAntimeridian()
        }
        self.times = builder.count > 1 && times.contains { $0 != .null } ? .array(times) : nil
    }
}
