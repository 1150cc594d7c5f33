import PortolanFeatures
import PortolanGeo

/// Parses well-known text.
struct WKTParser {
    private struct Dimensions {
        var hasHeights = false
        var hasMeasures = false
        /// Whether the dimensions are declared, and not derived from the number of values.
        var areTold = false
    }

    private let bytes: [UInt8]
    private let offset: Int
    private let limits: FeatureLimits
    private var index = 0
    private var coordinateCount = 0
    private var hasMeasures = false

    /// Creates a parser of a text.
    ///
    /// - Parameter offset: the start of the text in the document, for errors.
    init(_ bytes: [UInt8], offset: Int = 0, limits: FeatureLimits) {
        self.bytes = bytes
        self.offset = offset
        self.limits = limits
    }

    /// Parses a geometry with an optional SRID, up to the end.
    mutating func shape() throws(FeatureFileError) -> EncodedGeometry {
        var srid: Int?
        var word = try word()
        if word == "SRID" {
            try expect("=")
            skipBlanks()
            guard let number = scanNumber(), let whole = Int(exactly: number)
            else {
                throw fault("SRID must be a whole number")
            }
            srid = whole > 0 ? whole : nil
            try expect(";")
            word = try self.word()
        }
        let geometry = try geometry(word, depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw fault("unexpected text after the geometry") }
        var shape = EncodedGeometry(geometry, srid: srid)
        shape.hasMeasures = hasMeasures
        return shape
    }

    // MARK: Shapes

    private mutating func geometry(_ word: String, depth: Int) throws(FeatureFileError) -> Geometry {
        guard depth < limits.maximumDepth else {
            throw fault("collections are nested deeper than \(limits.maximumDepth)", .limitExceeded)
        }
        let (kind, dimensions) = try self.kind(word)
        if try isEmpty() { return .empty(kind.geometryKind) }
        var builder = GeometryBuilder()
        switch kind {
        case .point:
            try expect("(")
            try place(dimensions, &builder)
            try expect(")")
        case .geometryCollection:
            var children: [Geometry] = []
            try list { parser throws(FeatureFileError) in
                children.append(try parser.geometry(try parser.word(), depth: depth + 1))
            }
            return .collection(children)
        case .multiPoint:
            try list { parser throws(FeatureFileError) in
                // The points may be in brackets.
                if try parser.isEmpty() { return }
                let isBracketed = parser.take("(")
                try parser.place(dimensions, &builder)
                if isBracketed { try parser.expect(")") }
            }
        case .lineString, .circularString, .compoundCurve: try curve(kind, dimensions, &builder)
        case .multiLineString, .multiCurve:
            try list { parser throws(FeatureFileError) in
                try parser.taggedCurve(dimensions, &builder)
                builder.endLine()
            }
        case .polygon, .triangle, .curvePolygon: try area(dimensions, &builder)
        case .multiPolygon, .multiSurface, .polyhedralSurface, .tin:
            try list { parser throws(FeatureFileError) in
                if parser.isLetter {
                    let word = try parser.word()
                    if word == "EMPTY" { return }
                    let (kind, dimensions) = try parser.kind(word)
                    guard kind.geometryKind == .polygon else { throw parser.fault("a \(word) is not an area") }
                    if try !parser.isEmpty() { try parser.area(dimensions, &builder) }
                } else {
                    try parser.area(dimensions, &builder)
                }
                builder.endPolygon()
            }
        }
        return builder.geometry(kind.geometryKind)
    }

    /// Adds the positions of a curve in brackets to the open part.
    private mutating func curve(
        _ kind: WellKnownKind, _ dimensions: Dimensions, _ builder: inout GeometryBuilder
    ) throws(FeatureFileError) {
        if kind == .compoundCurve {
            return try list { parser throws(FeatureFileError) in try parser.taggedCurve(dimensions, &builder) }
        }
        var arcs = ArcGathering()
        var isFirst = true
        try list { parser throws(FeatureFileError) in
            let (place, height) = try parser.coordinate(dimensions)
            // A segment of a compound curve starts at the end of the previous one.
            let isJoint = isFirst && place == builder.last
            isFirst = false
            if kind == .circularString {
                if isJoint { builder.dropLast() }
                arcs.add(place, height, to: &builder)
            } else if !isJoint {
                builder.add(place, altitude: height)
            }
        }
        arcs.end(to: &builder)
    }

    /// Parses a curve with the type in a keyword, or a line without a keyword.
    private mutating func taggedCurve(
        _ dimensions: Dimensions, _ builder: inout GeometryBuilder
    ) throws(FeatureFileError) {
        guard isLetter else { return try curve(.lineString, dimensions, &builder) }
        let word = try word()
        if word == "EMPTY" { return }
        let (kind, dimensions) = try kind(word)
        guard kind.geometryKind == .lineString else { throw fault("a \(word) is not a curve") }
        if try !isEmpty() { try curve(kind, dimensions, &builder) }
    }

    private mutating func area(_ dimensions: Dimensions, _ builder: inout GeometryBuilder) throws(FeatureFileError) {
        try list { parser throws(FeatureFileError) in
            try parser.taggedCurve(dimensions, &builder)
            builder.endRing()
        }
    }

    private mutating func place(_ dimensions: Dimensions, _ builder: inout GeometryBuilder) throws(FeatureFileError) {
        let (place, height) = try coordinate(dimensions)
        builder.add(place, altitude: height)
    }

    private mutating func coordinate(_ dimensions: Dimensions) throws(FeatureFileError) -> (Coordinate, Double?) {
        coordinateCount += 1
        guard coordinateCount <= limits.maximumCoordinateCount else {
            throw fault("more than \(limits.maximumCoordinateCount) coordinates", .limitExceeded)
        }
        let x = try number(), y = try number()
        var rest: [Double] = []
        while rest.count < 2, let next = nextNumber() { rest.append(next) }
        if dimensions.hasMeasures || rest.count == 2 { hasMeasures = true }
        let hasHeight = dimensions.areTold ? dimensions.hasHeights : !rest.isEmpty
        return (Coordinate(x: x, y: y), hasHeight ? rest.first : nil)
    }

    // MARK: Tokens

    private mutating func kind(_ word: String) throws(FeatureFileError) -> (WellKnownKind, Dimensions) {
        var dimensions = Dimensions()
        if let kind = WellKnownKind.named(word) {
            let start = index
            if isLetter {
                switch try self.word() {
                case "Z": dimensions = Dimensions(hasHeights: true, areTold: true)
                case "M": dimensions = Dimensions(hasMeasures: true, areTold: true)
                case "ZM": dimensions = Dimensions(hasHeights: true, hasMeasures: true, areTold: true)
                default: index = start
                }
            }
            return (kind, dimensions)
        }
        // PostGIS writes the letters without a space.
        for (end, told) in [
            ("ZM", Dimensions(hasHeights: true, hasMeasures: true, areTold: true)),
            ("Z", Dimensions(hasHeights: true, areTold: true)), ("M", Dimensions(hasMeasures: true, areTold: true)),
        ] where word.hasSuffix(end) {
            if let kind = WellKnownKind.named(String(word.dropLast(end.count))) { return (kind, told) }
        }
        throw fault("unknown geometry type '\(word.prefix(40))'")
    }

    private mutating func list(
        _ item: (inout WKTParser) throws(FeatureFileError) -> Void
    ) throws(FeatureFileError) {
        if try isEmpty() { return }
        try expect("(")
        repeat { try item(&self) } while take(",")
        try expect(")")
    }

    /// Consumes the word `EMPTY` if it is next.
    private mutating func isEmpty() throws(FeatureFileError) -> Bool {
        guard isLetter else { return false }
        let start = index
        if try word() == "EMPTY" { return true }
        index = start
        return false
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private var isLetter: Bool {
        mutating get {
            skipBlanks()
            return index < bytes.count && (0x61...0x7A).contains(bytes[index] | 0x20)
        }
    }

    private mutating func word() throws(FeatureFileError) -> String {
        guard isLetter else { throw fault("expected a geometry type") }
        let start = index
        while index < bytes.count, (0x61...0x7A).contains(bytes[index] | 0x20) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self).uppercased()
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ mark: Unicode.Scalar) throws(FeatureFileError) {
        guard take(mark) else { throw fault("expected '\(mark)'") }
    }

    private mutating func nextNumber() -> Double? {
        skipBlanks()
        return scanNumber()
    }

    private mutating func scanNumber() -> Double? {
        var place = index
        defer { index = place }
        return DecimalScanner.number(in: bytes.span, at: &place)
    }

    private mutating func number() throws(FeatureFileError) -> Double {
        guard let number = nextNumber() else { throw fault("expected a number") }
        return number
    }

    private func fault(_ detail: String, _ code: FeatureFileError.Code = .malformed) -> FeatureFileError {
        FeatureFileError(code, in: "WKT", at: .byte(offset + index), detail)
    }
}

extension WellKnownKind {
    /// Returns the type for an uppercase keyword, or `nil`.
    static func named(_ word: String) -> WellKnownKind? { allCases.first { $0.word == word } }
}
