public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// Text tables with comma-, semicolon-, tab- or bar-separated values (RFC 4180), a header line, and columns for
/// positions.
///
/// Positions are in two columns, such as `lon` and `lat`, `x` and `y`, `stop_lon` and `stop_lat` or `Longitude (WGS84)`
/// and `Latitude (WGS84)`; in one column of well-known text, hexadecimal well-known binary or GeoJSON, such as `wkt`,
/// `geometry` or `geojson`; or in one column of both numbers, such as `location`. Case is ignored. Other names can be
/// set in ``columns``. Numbers may be degrees, minutes and seconds, and may have a decimal comma. A column of numbers
/// only becomes numeric.
///
/// A first line `sep=;` states the separator. Texts are UTF-8, UTF-16 with a byte order mark, or the most likely
/// encoding of their bytes, with a warning; ``encoding`` overrides this. Coordinates are longitude and latitude on WGS
/// 84, unless the geometries state another CRS.
public struct CSVFormat: FeatureFormat {
    /// The names of the position columns, if they are unusual.
    public struct Columns: Hashable, Sendable {
        /// The column of longitudes or eastings.
        public var x: String?
        /// The column of latitudes or northings.
        public var y: String?
        /// The column of geometries.
        public var geometry: String?

        /// Creates a list of column names.
        public init(x: String? = nil, y: String? = nil, geometry: String? = nil) {
            self.x = x
            self.y = y
            self.geometry = geometry
        }
    }

    /// The position columns; found by their usual names if none is set.
    public var columns: Columns
    /// The text encoding, such as `windows-1251`, or `nil` to detect it.
    public var encoding: String?

    /// Creates the format.
    public init(columns: Columns = Columns(), encoding: String? = nil) {
        self.columns = columns
        self.encoding = encoding
    }

    /// `CSV`.
    public var name: String { "CSV" }

    /// Returns whether the header line names position columns.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let text = DecodedText.start(start)
        guard let first = text.first, ![0x3C, 0x7B, 0x5B].contains(first),
            !text.contains(where: { $0 < 0x09 })
        else { return false }
        return CSVColumns(Array(text), named: columns) != nil
    }

    /// Reads a document.
    ///
    /// A row without a position becomes a feature without geometry, with a warning.
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
        let names = columns.header.distinctNames
        var rows = columns.header.rows(of: text.bytes), system = CommonSystem(), types = ValueTypes(), lostCount = 0
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

    func decoded(_ document: [UInt8]) throws(FeatureFileError) -> DecodedText {
        guard let encoding else { return DecodedText(document) }
        guard let page = CodePage(name: encoding), let known = TextEncoding(page) else {
            throw FeatureFileError(.unsupported, in: name, "unknown encoding '\(encoding.prefix(40))'")
        }
        return DecodedText(document, in: known)
    }
}
