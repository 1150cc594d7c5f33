public import PortolanFeatures
import PortolanWeb

/// The supported feature formats.
///
/// The first format that recognizes a document reads it.
///
/// ```swift
/// let collection = try FeatureFormats.standard.read(contentsOf: "route.gpx")
/// ```
public struct FeatureFormats: Sendable {
    /// The number of initial bytes by which a format recognizes a document.
    public static let startLength = RecognizedStart.byteCount

    /// The formats, the most specific first.
    public var formats: [any FeatureFormat]

    /// All built-in formats.
    ///
    /// - Archives: zipped Shapefiles and KMZ.
    /// - XML: KML, GPX, GML, GeoRSS and OSM XML.
    /// - Binary: FlatGeobuf, GeoParquet and well-known binary.
    /// - Text: well-known text, and CSV with positions.
    /// - JSON: ESRI JSON, TopoJSON, OSM JSON, GeoJSON, and GeoJSON sequences with record separators (RFC 8142) or one
    ///   object per line.
    public static let standard = FeatureFormats([
        Shapefile.ZIPFormat(), KMLFormat.KMZ(), KMLFormat(), GPXFormat(), GMLFormat(), GeoRSSFormat(), OSMXMLFormat(),
        FlatGeobuf.Format(), GeoParquet.Format(), WKT.Format(), WKB.Format(), CSVFormat(), EsriJSONFormat(),
        TopoJSONFormat(),
        OSMJSONFormat(),
        GeoJSONFormat.TextSequence(), GeoJSONFormat.Lines(), GeoJSONFormat(),
    ])

    /// Creates a list of formats.
    public init(_ formats: [any FeatureFormat]) { self.formats = formats }

    /// Returns the formats with another reader of text tables.
    package func readingTables(_ tables: CSVFormat) -> FeatureFormats {
        FeatureFormats(formats.map { $0 is CSVFormat ? tables : $0 })
    }

    /// Returns the first format that recognizes a document, or `nil` if none does.
    public func format(recognizing document: [UInt8]) -> (any FeatureFormat)? {
        formats.first { $0.recognizes(document: document) }
    }

    /// Reads a document in the first format that recognizes it.
    ///
    /// - Throws: the errors of the format, such as ``/PortolanFeatures/GeoJSONError``; ``FeatureFileError`` with
    ///   ``FeatureFileError/kind`` for unrecognized documents, and for other kinds of JSON.
    public func read(_ document: [UInt8], limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        guard let format = format(recognizing: document) else {
            throw FeatureFileError(FeatureFileError.FileKind(recognizing: document))
        }
        do { return try format.read(document, limits: limits) } catch let error as GeoJSONError {
            guard error.code != .memory, error.code != .limitExceeded,
                let kind = FeatureFileError.FileKind(foreignJSON: document)
            else { throw error }
            throw FeatureFileError(kind)
        }
    }

    /// Reads a file in the first format that recognizes it.
    ///
    /// - Throws: the errors of ``read(_:limits:)``; ``FeatureFileError`` if the file does not exist, or exceeds the
    ///   limit.
    public func read(contentsOf path: String, limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: limits.maximumByteCount) } catch {
            throw FeatureFileError(error, in: "features")
        }
        return try read(bytes, limits: limits)
    }
}
