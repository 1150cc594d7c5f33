/// Shapefiles that are put together by hand.
enum ShapefileSample {
    static func big(_ value: Int) -> [UInt8] { stride(from: 24, through: 0, by: -8).map { UInt8(value >> $0 & 255) } }
    static func little(_ value: Int) -> [UInt8] { big(value).reversed() }
    static func little(_ value: Double) -> [UInt8] {
        stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: value.bitPattern >> $0) }
    }

    static func header(_ type: Int, length: Int) -> [UInt8] {
        big(9994) + [UInt8](repeating: 0, count: 20) + big(length / 2) + little(1000) + little(type)
            + [UInt8](repeating: 0, count: 64)
    }

    /// Points and their index, with a number of unused bytes before one of the records.
    static func points(
        _ places: [(Double, Double)], gap: (before: Int, count: Int)? = nil
    ) -> (shapes: [UInt8], index: [UInt8]) {
        var records: [UInt8] = [], index: [UInt8] = []
        for (number, place) in places.enumerated() {
            if let gap, gap.before == number { records += [UInt8](repeating: 0xFF, count: gap.count) }
            index += big((100 + records.count) / 2) + big(10)
            records += big(number + 1) + big(10) + little(1) + little(place.0) + little(place.1)
        }
        return (
            header(1, length: 100 + records.count) + records, header(1, length: 100 + index.count) + index
        )
    }

    /// A multipatch of parts of some kinds.
    static func patch(_ parts: [(kind: Int, places: [(Double, Double)])]) -> [UInt8] {
        let places = parts.flatMap(\.places)
        var content = little(31) + [0.0, 0, 10, 10].flatMap { little($0) } + little(parts.count) + little(places.count)
        var start = 0
        for part in parts {
            content += little(start)
            start += part.places.count
        }
        for part in parts { content += little(part.kind) }
        for place in places { content += little(place.0) + little(place.1) }
        content += [UInt8](repeating: 0, count: 16 + 8 * places.count)
        let record = big(1) + big(content.count / 2) + content
        return header(31, length: 100 + record.count) + record
    }
}
