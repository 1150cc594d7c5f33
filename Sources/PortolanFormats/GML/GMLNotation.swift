import PortolanFeatures
import PortolanGeo
import PortolanXML

/// The notation of coordinates in a GML geometry.
struct GMLNotation {
    /// The number of values per position.
    var dimension = 2
    /// Whether the first value is north.
    var isNorthFirst = false

    /// Returns the `srsDimension` of an element, or `nil` if it is absent.
    static func dimension(_ element: XMLElement) -> Int? {
        guard element.hasAttributes else { return nil }
        return (element.attribute("srsDimension") ?? element.attribute("dimension")).flatMap { Int($0) }
            .flatMap { (2...4).contains($0) ? $0 : nil }
    }

    /// Returns the notation inside an element, which may set the dimension.
    func inside(_ element: XMLElement) -> GMLNotation {
        GMLNotation(dimension: Self.dimension(element) ?? dimension, isNorthFirst: isNorthFirst)
    }

    /// Adds the positions in `pos`, `posList`, `coordinates` and `coord` elements, in order.
    ///
    /// - Parameter limit: the maximum number of positions.
    func add(_ element: XMLElement, to builder: inout GeometryBuilder, limit: Int = .max) {
        for child in element.children {
            switch child.word {
            case .pos, .lowerCorner, .upperCorner:
                // The length of a single position gives the dimension.
                child.withText { addList($0, dimension: nil, to: &builder) }
            case .posList:
                let dimension = Self.dimension(child) ?? dimension
                child.withText { addList($0, dimension: dimension, to: &builder) }
            case .coordinates: addTuples(child, to: &builder)
            case .coord:
                let numbers = ["X", "Y", "Z"].compactMap { child.text(of: $0)?.decimalValue }
                if numbers.count >= 2 {
                    add(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : nil, to: &builder)
                }
            case .pointProperty, .pointRep, .point: add(child.child("Point") ?? child, to: &builder, limit: limit)
            default: break
            }
            if builder.openCount >= limit { return }
        }
    }

    private func add(_ first: Double, _ second: Double, _ height: Double?, to builder: inout GeometryBuilder) {
        builder.add(isNorthFirst ? Coordinate(x: second, y: first) : Coordinate(x: first, y: second), altitude: height)
    }

    private func addList(_ span: Span<UInt8>, dimension: Int?, to builder: inout GeometryBuilder) {
        if dimension == 2, addPairs(span, to: &builder) { return }
        var numbers: [Double] = []
        numbers.reserveCapacity(span.count / 8)
        var index = 0
        while index < span.count {
            if span[index] <= 0x20 || span[index] == UInt8(ascii: ",") {
                index += 1
                continue
            }
            let number = DecimalScanner.number(in: span, at: &index)
            let isWhole = index == span.count || span[index] <= 0x20 || span[index] == UInt8(ascii: ",")
            // An invalid number becomes NaN, so that the others keep their positions.
            numbers.append(isWhole ? number ?? .nan : .nan)
            while index < span.count, span[index] > 0x20, span[index] != UInt8(ascii: ",") { index += 1 }
        }
        var count = dimension ?? max(numbers.count, 2)
        // A list that does not consist of pairs may consist of triples without a declared dimension.
        if count == 2, !numbers.count.isMultiple(of: 2), numbers.count.isMultiple(of: 3) { count = 3 }
        builder.reserve(numbers.count / count)
        var place = 0
        while place + count <= numbers.count {
            add(numbers[place], numbers[place + 1], count > 2 ? numbers[place + 2] : nil, to: &builder)
            place += count
        }
    }

    /// Adds the positions of a list of pairs separated by spaces only, the most common form.
    ///
    /// Returns `false` without a change for other lists.
    private func addPairs(_ span: Span<UInt8>, to builder: inout GeometryBuilder) -> Bool {
        let before = builder.count
        // The approximate size of a pair in bytes.
        builder.reserve(span.count / 18 + 1)
        var index = 0, first = 0.0, isSecond = false
        while true {
            while index < span.count, span[index] <= 0x20 { index += 1 }
            guard index < span.count else { break }
            guard let number = DecimalScanner.number(in: span, at: &index), index == span.count || span[index] <= 0x20
            else {
                builder.drop(to: before)
                return false
            }
            if isSecond {
                builder.add(isNorthFirst ? Coordinate(x: number, y: first) : Coordinate(x: first, y: number))
            } else {
                first = number
            }
            isSecond.toggle()
        }
        // An odd number of values may be triples without a declared dimension.
        if isSecond { builder.drop(to: before) }
        return !isSecond
    }

    /// Adds the tuples of a `coordinates` element, which may declare other separators.
    private func addTuples(_ element: XMLElement, to builder: inout GeometryBuilder) {
        func mark(_ name: String, _ usual: Character) -> Character {
            guard let text = element.attribute(name), text.count == 1, let mark = text.first else { return usual }
            return mark
        }
        let between = mark("cs", ","), after = mark("ts", " "), point = mark("decimal", ".")
        if between == ",", point == ".", after.isWhitespace {
            // The default separators are those of KML.
            if !isNorthFirst {
                element.withText { _ = KMLCoordinates.add($0, to: &builder) }
                return
            }
            var places = GeometryBuilder()
            element.withText { _ = KMLCoordinates.add($0, to: &places) }
            let line = places.geometry(.multiPoint)
            for (index, place) in line.coordinates.enumerated() {
                add(place.x, place.y, line.altitude(at: index), to: &builder)
            }
            return
        }
        for tuple in element.text.split(whereSeparator: { $0 == after || (after.isWhitespace && $0.isWhitespace) }) {
            let numbers = tuple.split(whereSeparator: { $0 == between || $0.isWhitespace }).compactMap { number in
                (point == "." ? String(number) : String(number).replacing(String(point), with: ".")).decimalValue
            }
            if numbers.count >= 2 { add(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : nil, to: &builder) }
        }
    }
}
