/// The systems with tabulated parameters: those of NAD83 and NAD27, mainly State Plane, and those of WGS 84 in feet.
enum EPSGZones {
    /// Returns the system of a code, or `nil` if it is not in the table.
    static func system(_ code: Int) -> EPSGSystem? {
        guard let row = row(of: code) else { return nil }
        let zone = Int(zones[row]), start = starts[zone]
        let (datum, unit) = (kinds[3 * zone + 1], kinds[3 * zone + 2])
        return system(
            method: kinds[3 * zone],
            datum: datum == UInt8(ascii: "n") ? .nad27 : datum == UInt8(ascii: "w") ? .wgs84 : .grs80,
            metersPerUnit: unit == UInt8(ascii: "f") ? 0.3048 : unit == UInt8(ascii: "u") ? 1200.0 / 3937.0 : 1,
            numbers: numbers[start..<starts[zone + 1]],
            falseOrigin: Coordinate(x: falseOrigins[2 * zone], y: falseOrigins[2 * zone + 1]))
    }

    private static func system(
        method: UInt8, datum: Datum, metersPerUnit: Double, numbers: ArraySlice<Double>, falseOrigin: Coordinate
    ) -> EPSGSystem {
        let n = Array(numbers), origin = Coordinate(longitude: n[1], latitude: n[0])
        // A projection in feet uses an ellipsoid measured in feet. Method 1051, for Michigan in NAD27, enlarges it by
        // the elevation of the state.
        let scale = method == UInt8(ascii: "k") ? n[4] : 1
        let ellipsoid = Ellipsoid(
            semiMajorAxis: datum.ellipsoid.semiMajorAxis * scale / metersPerUnit,
            inverseFlattening: 1 / datum.ellipsoid.flattening)
        let projection: any MapProjection =
            switch UnicodeScalar(method) {
            case "t":
                TransverseMercator(
                    ellipsoid: ellipsoid, centralMeridian: n[1], latitudeOfOrigin: n[0], scaleFactor: n[2],
                    falseEasting: falseOrigin.x, falseNorthing: falseOrigin.y)
            case "l":
                LambertConformalConic(
                    ellipsoid: ellipsoid, origin: origin, scaleFactor: n[2], falseOrigin: falseOrigin)
            case "a":
                AlbersEqualArea(
                    ellipsoid: ellipsoid, origin: origin, standardParallels: (n[2], n[3]), falseOrigin: falseOrigin)
            case "o", "p":
                HotineObliqueMercator(
                    ellipsoid: ellipsoid, center: origin, azimuth: n[2], gridAngle: n[3], scaleFactor: n[4],
                    falseOrigin: falseOrigin, isOriginAtCenter: method == UInt8(ascii: "p"))
            default:
                LambertConformalConic(
                    ellipsoid: ellipsoid, origin: origin, standardParallels: (n[2], n[3]), falseOrigin: falseOrigin)
            }
        return EPSGSystem(projection: projection, datum: datum)
    }

    /// The start of the parameters of each zone, and the end of the last.
    private static let starts: [Int] = stride(from: 0, to: kinds.count, by: 3).reduce(into: [0]) { starts, index in
        let count =
            switch UnicodeScalar(kinds[index]) {
            case "t", "l": 3
            case "c", "a": 4
            default: 5
            }
        starts.append((starts.last ?? 0) + count)
    }

    private static func row(of code: Int) -> Int? {
        var low = 0, high = codes.count
        while low < high {
            let middle = (low + high) / 2
            if Int(codes[middle]) < code { low = middle + 1 } else { high = middle }
        }
        return low < codes.count && Int(codes[low]) == code ? low : nil
    }
}
