/// A kind of document, and what must hold for its reader whatever the document is.
///
/// To add a kind, write a file beside those in `Kinds` and name it in ``all``.
struct FuzzKind: Sendable {
    /// The result of reading a document.
    enum Outcome {
        /// A value; the words tell roughly what is in it.
        case value(String)
        /// The words of an error.
        case refused(String)

        /// The outcome without what differs from document to document: numbers and quotations.
        var signature: String {
            guard case .refused(let words) = self else {
                if case .value(let shape) = self { return "value: " + shape }
                return ""
            }
            var result = ""
            var isQuoted = false
            for character in words.prefix(300) {
                if character == "'" || character == "\"" { isQuoted.toggle() }
                if !isQuoted, character.isASCII, !character.isNumber { result.append(character) }
            }
            return String(result.prefix(60))
        }
    }

    /// The limits for reading a document: a fixed part, and a part for each of its bytes.
    struct Bound {
        var any: Int
        var each: Int

        func total(for count: Int) -> Int { any + each * count }
    }

    /// A promise that was broken.
    struct Violation: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// The name on the command line.
    let name: String
    let grammar: Grammar
    /// The files it begins with: `FOLDER/PREFIX*SUFFIX`, from the root of the repository.
    let corpus: [String]
    /// Whether each line of the files is a separate document.
    var isLines = false
    /// Whether each document has an address that leads where none may.
    var misleads = false
    /// The most bytes in a document.
    var largest = 1 << 16
    /// The limit of memory for a document in bytes, while it is read and the result is checked.
    var memory = Bound(any: 1 << 20, each: 100)
    /// The nanoseconds of CPU time that it may take; in debug mode, which is some ten times as slow as what is shipped.
    var time = Bound(any: 60_000_000, each: 6_000)
    /// Reads a document and checks the result.
    let read: @Sendable ([UInt8]) throws -> Outcome

    /// Every kind there is.
    static let all: [FuzzKind] = [
        wmsCapabilities, wmtsCapabilities, tms, wfsCapabilities, ogcAPI, exception, featureInfo, geoJSON,
        geoJSONSequence,
        shapes, cuts, styles, png, jpeg, webp, gif, mbtiles, geoPackage, mapDocument, owsContext, mapState,
        layerSpecification, xyzTemplate,
        wmtsTemplate,
        crsName, gpx, kml, kmz, gml, geoRSS, csv, joinedTable, flatGeobuf, geoParquet, shapefile, zippedShapefile,
        esriJSON,
        topoJSON, osmJSON,
        osmXML, dbase, projectionText, wkt, wkb, polyline,
        points, geoPackageFeatures, featureRows, nmea, expression,
        styleSheet, spriteIndex, svgIcon, styledLayers, remoteWMS, remoteWMTS, remoteTMS, remoteFeatures, remoteContext,
        wholeStyle,
        redirect, routes, geoNames, beacons, gtfsRealtime, siri, vehicleLines, gtfs,
        timetableSnapshot, guide, stomp, mqtt, mapRequest, mvt, mlt, pmtiles, geoTIFF, glyphRange,
    ]

    /// Kinds that break a promise, each of another sort: a run over one that finds nothing is broken itself.
    static let deliberate: [FuzzKind] = [deceivedFeatures, hoarding, dawdling]

    /// An error's words, which a person must be able to read: some, in one line, not endless.
    static func refused(_ words: String) throws -> Outcome {
        guard !words.isEmpty else { throw Violation("an error without words") }
        guard words.utf8.count <= 1 << 14 else { throw Violation("an error of \(words.utf8.count) bytes") }
        guard !words.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Violation("an error with control characters: \(words.debugDescription.prefix(300))")
        }
        return .refused(words)
    }

    /// A rough measure of a number, so that outcomes differ by magnitude alone.
    static func magnitude(_ count: Int) -> Int { count == 0 ? 0 : 1 + count.bitWidth - count.leadingZeroBitCount }
}
