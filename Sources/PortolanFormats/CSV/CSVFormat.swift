public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// Tables in text: values with commas, semicolons, tabs or bars between (RFC 4180), the first line their names, columns among
/// them that say where things are.
///
/// The place is in two columns, such as `lon` and `lat`, `x` and `y`, `stop_lon` and `stop_lat` or `Longitude (WGS84)` and
/// `Latitude (WGS84)`, or in one of shapes in well-known text, well-known binary digits or GeoJSON, such as `wkt`, `geometry` or
/// `geojson`, or of both numbers, such as `location`; whatever the letters' case. Others are named by ``columns``. Numbers may be
/// degrees, minutes and seconds, and have a decimal comma. A name whose every value is a number has numbers.
///
/// A first line `sep=;` says the mark between values. Texts are UTF-8, UTF-16 with a byte order mark, or else the encoding that their
/// bytes are likeliest in, with a warning; ``encoding`` says which. Coordinates are longitude and latitude on WGS 84, unless the shapes say
/// otherwise.
public struct CSVFormat: FeatureFormat {
    /// The names of the columns that say where things are, where they are named otherwise than usual.
    public struct Columns: Hashable, Sendable {
        /// That of longitudes or eastings.
        public var x: String?
        /// That of latitudes or northings.
        public var y: String?
        /// That of shapes.
        public var geometry: String?

        /// Makes a list of names.
        public init(x: String? = nil, y: String? = nil, geometry: String? = nil) {
            self.x = x
            self.y = y
            self.geometry = geometry
        }
    }

    /// The columns that say where things are; found by their usual names where none is named.
    public var columns: Columns
    /// The encoding of texts, such as `windows-1251`, or `nil` to find it.
    public var encoding: String?

    /// Makes the format.
    public init(columns: Columns = Columns(), encoding: String? = nil) {
        self.columns = columns
        self.encoding = encoding
    }

    /// `CSV`.
    public var name: String { "CSV" }

    /// Whether the first line names columns that say where things are.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let text = DecodedText.start(start)
        guard let first = text.first, ![0x3C, 0x7B, 0x5B].contains(first),
            !text.contains(where: { $0 < 0x09 })
        else { return false }
        return CSVColumns(Array(text), named: columns) != nil
    }

    /// Reads a document.
    ///
    /// A row without a place is a feature without a shape, and told.
    ///
    /// - Throws: ``FeatureFileError`` with the line.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        let text = try decoded(document)
        if let guessed = text.guessed {
            gathering.warn(.repaired, "not UTF-8; read as \(guessed)")
        }
        guard let columns = CSVColumns(text.bytes, named: columns) else {
            throw FeatureFileError(
                .otherFormat, in: name, at: .line(1),
                "no columns named lon and lat, x and y, or wkt; set x-column= and y-column=, or geometry-column="
            )
        }
        let names = Self.distinct(columns.names)
        var rows = columns.rows(of: text.bytes), system = CommonSystem(), types = ValueTypes(), lostCount = 0
        while let row = rows.next() {
            if rows.isBlank { continue }
            var elements: [Properties.Element] = []
            for (index, value) in row.enumerated() where index < names.count && !columns.places.contains(index) {
                elements.append(Properties.Element(name: names[index], value: .string(value)))
            }
            var feature = Feature(geometry: nil, properties: Properties(distinct: elements))
            if let shape = columns.shape(in: row, limits: limits) {
                feature.geometry = system.geometry(shape.geometry, in: shape.srid.flatMap { CRS.epsg($0) })
            }
            if feature.geometry == nil {
                lostCount += 1
                let line = rows.line
                if lostCount <= 10 {
                    gathering.warn(
                        .omitted, "line \(line) has no valid coordinates in \(columns.description(of: row))")
                }
            }
            types.note(feature.properties)
            try gathering.add(feature, at: .line(rows.line))
        }
        if lostCount > 10 { gathering.warn(.omitted, "\(lostCount - 10) more lines have no valid coordinates") }
        gathering.update { types.apply(to: &$0) }
        return gathering.collection(crs: system.crs)
    }

    private func decoded(_ document: [UInt8]) throws(FeatureFileError) -> DecodedText {
        guard let encoding else { return DecodedText(document) }
        guard let page = CodePage(name: encoding), let known = TextEncoding(page) else {
            throw FeatureFileError(.unsupported, in: name, "unknown encoding '\(encoding.prefix(40))'")
        }
        return DecodedText(document, in: known)
    }

    /// Names that differ; one that is there twice or empty gets its number.
    private static func distinct(_ names: [String]) -> [String] {
        var known: Set<String> = []
        return names.enumerated().map { index, name in
            let free = name.isEmpty || known.contains(name) ? "\(name)_\(index + 1)" : name
            known.insert(free)
            return free
        }
    }
}
