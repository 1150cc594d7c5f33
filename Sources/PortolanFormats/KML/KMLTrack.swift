import PortolanFeatures
import PortolanGeo
import PortolanXML

/// A `gx:Track`: places and the times at which something was there, in two lists of equal length.
struct KMLTrack {
    /// The line, a point where there is one place alone, or `nil` where there is none.
    let geometry: Geometry?
    /// The time of each place, `null` where one has none; `nil` where none has one.
    let times: PropertyValue?
    /// What was left out.
    let faults: [String]

    /// Reads a track (KML extension namespace `gx`, *gx:Track*): the n-th `when` is the time of the n-th `coord`.
    ///
    /// An empty `coord` is a moment without a place and is left out with its time.
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
