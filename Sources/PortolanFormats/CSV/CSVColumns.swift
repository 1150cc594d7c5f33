import PortolanFeatures
import PortolanGeo

/// The columns of a text table that contain positions or geometries.
struct CSVColumns {
    /// The kinds of position columns.
    private enum Form {
        /// Two numeric columns.
        case numbers(east: Int, north: Int)
        /// One column of geometries, or of pairs of numbers with latitude first unless its name says otherwise.
        case shapes(Int, isEastFirst: Bool)
    }

    /// The separator and the names of all columns.
    let header: CSVHeader
    private let form: Form

    /// The names of longitude and latitude columns, without separators, and the words for them in longer names.
    private static let eastNames: Set<String> = [
        "lon", "lng", "long", "longitude", "x", "easting", "eastings", "east", "xcoord", "xcoordinate", "coordx",
        "lond",
        "posx", "pointx", "geox", "longitud", "longitudine", "longitudew", "laenge", "länge", "längengrad",
        "laengengrad",
        "lengtegraad", "pituuspiiri", "долгота", "经度", "經度", "経度", "경도",
    ]
    private static let northNames: Set<String> = [
        "lat", "latitude", "y", "northing", "northings", "north", "ycoord", "ycoordinate", "coordy", "latd", "posy",
        "pointy", "geoy", "latitud", "latitudine", "breite", "breitengrad", "breedtegraad", "leveyspiiri", "широта",
        "纬度", "緯度", "위도",
    ]
    private static let eastWords: Set<String> = ["lon", "lng", "long", "longitude", "longitud", "easting", "x"]
    private static let northWords: Set<String> = ["lat", "latitude", "latitud", "northing", "y"]
    private static let shapeNames: Set<String> = [
        "wkt", "geom", "geometry", "thegeom", "wkb", "wkbgeometry", "wktgeom", "geomwkt", "geojson", "stasgeojson",
        "stastext", "geomjson", "geometrie", "wktgeometry", "geometrywkt",
    ]
    /// Names that are also used for other data, so that the first value decides.
    private static let weakNames: Set<String> = [
        "location", "position", "point", "coordinates", "coordinate", "coords", "coord", "latlon", "latlng", "latlong",
        "lonlat", "lnglat", "longlat", "geopoint", "geopoint2d", "geoshape", "shape", "gps", "geo", "geolocation",
        "way",
        "latitudelongitude", "longitudelatitude", "koordinaten", "coordenadas", "place",
    ]

    /// Finds the position columns of a table, or returns `nil` if none exist.
    ///
    /// - Parameters:
    ///   - bytes: the table, or its start, in UTF-8.
    ///   - named: the columns that the caller names.
    init?(_ bytes: [UInt8], named: CSVFormat.Columns) {
        guard let header = CSVHeader(bytes) else { return nil }
        self.header = header
        var rows = header.rows(of: bytes)
        guard let form = Self.form(header.names, named, first: rows.next()) else { return nil }
        self.form = form
    }

    private static func form(_ names: [String], _ named: CSVFormat.Columns, first: [String]?) -> Form? {
        func find(_ name: String?) -> Int? {
            name.flatMap { name in
                names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name.lowercased() }
            }
        }
        if named != CSVFormat.Columns() {
            if let shape = find(named.geometry) { return .shapes(shape, isEastFirst: isEastFirst(names[shape])) }
            guard let east = find(named.x), let north = find(named.y) else { return nil }
            return .numbers(east: east, north: north)
        }
        let plain = names.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        func any(_ wanted: Set<String>) -> Int? { plain.firstIndex { wanted.contains($0) } }
        if let east = any(eastNames), let north = any(northNames) { return .numbers(east: east, north: north) }
        if let shape = any(shapeNames) { return .shapes(shape, isEastFirst: isEastFirst(names[shape])) }
        if let pair = pair(names) { return pair }
        if let weak = plain.firstIndex(where: { weakNames.contains($0) }), let first, weak < first.count,
            isPlace(first[weak])
        {
            return .shapes(weak, isEastFirst: isEastFirst(names[weak]))
        }
        return nil
    }

    /// Returns two columns whose names only differ in the words for east and north, such as `stop_lon` and `stop_lat`.
    private static func pair(_ names: [String]) -> Form? {
        let all = names.prefix(1000).map { name in
            name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        func rest(_ parts: [String], _ known: Set<String>) -> [String]? {
            guard let place = parts.firstIndex(where: { known.contains($0) }) else { return nil }
            var rest = parts
            rest[place] = ""
            return rest
        }
        var easts: [[String]: Int] = [:], loneEast: Int?, loneNorth: Int?
        for (index, parts) in all.enumerated() {
            guard let rest = rest(parts, eastWords) else { continue }
            if easts[rest] == nil { easts[rest] = index }
            if !parts.contains("x") { loneEast = loneEast ?? index }
        }
        for (index, parts) in all.enumerated() {
            guard let rest = rest(parts, northWords) else { continue }
            if let east = easts[rest], east != index { return .numbers(east: east, north: index) }
            if !parts.contains("y") { loneNorth = loneNorth ?? index }
        }
        guard let loneEast, let loneNorth, loneEast != loneNorth else { return nil }
        return .numbers(east: loneEast, north: loneNorth)
    }

    private static func isEastFirst(_ name: String) -> Bool {
        let plain = name.lowercased().filter(\.isLetter)
        return ["lonlat", "lnglat", "longlat", "longitudelatitude"].contains(plain)
    }

    /// Returns whether a value starts like a geometry, or is two numbers.
    private static func isPlace(_ text: String) -> Bool {
        let start = text.prefix(40).trimmingPrefix { $0.isWhitespace }.lowercased()
        let kinds = ["point", "linestring", "polygon", "multi", "geometrycollection", "srid="]
        return kinds.contains { start.hasPrefix($0) && text.utf8.contains { $0 == UInt8(ascii: "(") } }
            || start.hasPrefix("{\"") || numbers(text) != nil
    }

    /// The indices of the position columns, which are not properties.
    var places: Set<Int> {
        switch form {
        case .numbers(let east, let north): [east, north]
        case .shapes(let column, _): [column]
        }
    }

    /// Returns the values of the position columns of a row, for a warning.
    func description(of row: [String]) -> String {
        places.sorted().map { column in
            let value = column < row.count ? row[column].prefix(40) : ""
            return "'\(header.names[column].prefix(40))' ('\(value)')"
        }.joined(separator: " and ")
    }

    /// Returns the geometry of a row, or `nil` if it has no readable one.
    func shape(in row: [String], limits: FeatureLimits) -> EncodedGeometry? {
        func value(_ column: Int) -> String { column < row.count ? row[column] : "" }
        switch form {
        case .numbers(let east, let north):
            guard let x = number(value(east)), let y = number(value(north)) else { return nil }
            return EncodedGeometry(.point(Coordinate(x: x, y: y)))
        case .shapes(let column, let isEastFirst):
            let text = value(column)
            if let shape = try? WKT.read(text, limits: limits) { return shape }
            if let shape = WKB.Format.shape(ofDigits: text, limits: limits) { return shape }
            if text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                var own = limits
                own.memory = nil
                let read = try? GeoJSONReader.read(Array(text.utf8), limits: own)
                return read?.features.first?.geometry.map { EncodedGeometry($0) }
            }
            guard let (one, other) = Self.numbers(text) else { return nil }
            return EncodedGeometry(
                .point(isEastFirst ? Coordinate(x: one, y: other) : Coordinate(x: other, y: one)))
        }
    }

    /// Parses a number or degrees.
    ///
    /// A comma is a decimal point.
    private func number(_ text: String) -> Double? {
        if let number = text.decimalValue { return number }
        if text.utf8.contains(UInt8(ascii: ",")), !text.utf8.contains(UInt8(ascii: ".")),
            let number = text.replacing(",", with: ".", maxReplacements: 1).decimalValue
        {
            return number
        }
        return DegreesText.value(of: text)
    }

    /// Parses two numbers in a text such as `50.94, 6.96`, `(50.94 6.96)` or `49°7'9"N 10°14'23"E`.
    private static func numbers(_ text: String) -> (Double, Double)? {
        let inner = text.prefix(100).drop { $0.isWhitespace || $0 == "(" || $0 == "[" }
        let marks: [(Character) -> Bool] = [{ $0 == ";" || $0 == "|" }, { $0 == "," }, { $0.isWhitespace }]
        for mark in marks {
            let parts = inner.split(omittingEmptySubsequences: true, whereSeparator: mark)
            guard parts.count >= 2 else { continue }
            func value(_ part: Substring) -> Double? {
                let text = String(part.filter { !["(", ")", "[", "]"].contains($0) })
                return text.decimalValue ?? text.replacing(",", with: ".").decimalValue ?? DegreesText.value(of: text)
            }
            // Decimal commas: `50,94 6,96` and `50,94, 6,96`.
            if parts.count == 4, let one = value(parts[0] + "." + parts[1].filter { !$0.isWhitespace }),
                let other = value(parts[2] + "." + parts[3].filter { !$0.isWhitespace })
            {
                return (one, other)
            }
            if parts.count <= 3, let one = value(parts[0]), let other = value(parts[1]) { return (one, other) }
        }
        return nil
    }
}
