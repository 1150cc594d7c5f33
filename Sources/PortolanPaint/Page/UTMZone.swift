package import PortolanGeo

/// A zone of Universal Transverse Mercator on WGS 84.
package struct UTMZone: Hashable, Sendable {
    /// The number of the zone, 1 to 60.
    let number: Int
    /// Whether it is the northern half.
    let isNorth: Bool
    /// The letter of the latitude band.
    let band: Character

    /// Finds the zone of a place in degrees, with the exceptions around Norway and Svalbard.
    package init(containing place: Coordinate) {
        var number = Int(((place.x + 180).truncatingRemainder(dividingBy: 360) / 6).rounded(.down)) + 1
        if number < 1 { number += 60 }
        let x = place.x, y = place.y
        if (56..<64).contains(y), (3..<12).contains(x) { number = 32 }
        if (72...84).contains(y), (0..<42).contains(x) { number = x < 9 ? 31 : x < 21 ? 33 : x < 33 ? 35 : 37 }
        self.number = min(max(number, 1), 60)
        isNorth = y >= 0
        let bands = Array("CDEFGHJKLMNPQRSTUVWX")
        band = bands[min(max(Int(((y + 80) / 8).rounded(.down)), 0), bands.count - 1)]
    }

    /// The EPSG code.
    package var code: Int { (isNorth ? 32600 : 32700) + number }

    /// The number with the letter of the hemisphere.
    var name: String { "\(number)\(isNorth ? "N" : "S")" }

    /// Returns the 100 km square of a place in metres, such as `35V LG` (NGA.STND.0037, appendix B).
    package func square(of place: Coordinate) -> String {
        let sets = [Array("ABCDEFGH"), Array("JKLMNPQR"), Array("STUVWXYZ")], rows = Array("ABCDEFGHJKLMNPQRSTUV")
        let columns = sets[(number - 1) % 3]
        let column = min(max(Int((place.x / 100_000).rounded(.down)) - 1, 0), columns.count - 1)
        let row = Int((place.y / 100_000).rounded(.down)) + (number % 2 == 0 ? 5 : 0)
        return "\(number)\(band) \(columns[column])\(rows[(row % 20 + 20) % 20])"
    }
}
