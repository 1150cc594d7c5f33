/// The axis order and unit of each geographic and projected system of the EPSG dataset, by its code.
enum EPSGAxes {
    /// The axes of `code`, or `nil` when the dataset has no such system, or one whose axes point elsewhere than east and
    /// north, or are in units other than degrees, metres and feet.
    static func axes(of code: Int) -> (AxisOrder, CoordinateUnit)? {
        guard let first = starts.first, code >= Int(first), code <= lastCode else { return nil }
        var low = 0, high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= code { low = middle } else { high = middle }
        }
        let usSurveyFoot = CoordinateUnit.length(meters: 1200.0 / 3937.0)
        let foot = CoordinateUnit.length(meters: 0.3048)
        return switch UnicodeScalar(kinds[low]) {
        case "n": (.northEast, .meter)
        case "e": (.eastNorth, .meter)
        case "N": (.northEast, usSurveyFoot)
        case "E": (.eastNorth, usSurveyFoot)
        case "M": (.northEast, foot)
        case "F": (.eastNorth, foot)
        case "g": (.northEast, .degree)
        case "h": (.eastNorth, .degree)
        default: nil
        }
    }
}
