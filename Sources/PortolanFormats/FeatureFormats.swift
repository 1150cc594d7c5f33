public import PortolanFeatures
import PortolanWeb

/// The formats of features that are read, the first that recognises a document reads it.
public struct FeatureFormats: Sendable {
    /// How many bytes of a document a format is shown to recognise it.
    public static let startLength = RecognizedStart.byteCount

    /// The formats, the most specific first.
    public var formats: [any FeatureFormat]

    /// Shapefiles in ZIP archives; KML and KMZ; GPX; GML and GeoRSS; OSM XML; FlatGeobuf; well-known text and binary; CSV with places; ESRI JSON,
    /// TopoJSON and OSM JSON; GeoJSON and its sequences,
    /// with record separators (RFC 8142) and one on each line.
    public static let standard = FeatureFormats([
        ZippedShapefileFormat(), KMZFormat(), KMLFormat(), GPXFormat(), GMLFormat(), GeoRSSFormat(), OSMXMLFormat(),
        FlatGeobufFormat(), WKTFormat(), WKBFormat(), CSVFormat(), EsriJSONFormat(), TopoJSONFormat(), OSMJSONFormat(),
        GeoJSONSequenceFormat(), GeoJSONLinesFormat(), GeoJSONFormat(),
    ])

    /// Makes a list of formats.
    public init(_ formats: [any FeatureFormat]) { self.formats = formats }

    /// The same with another reader of tables in text.
    package func readingTables(_ tables: CSVFormat) -> FeatureFormats {
        FeatureFormats(formats.map { $0 is CSVFormat ? tables : $0 })
    }

    /// The first format that recognises a document, or `nil` when none does.
    public func format(recognizing document: [UInt8]) -> (any FeatureFormat)? {
        formats.first { $0.recognizes(document: document) }
    }

    /// Reads a document in the first format that recognises it.
    ///
    /// - Throws: what the format throws, such as ``/PortolanFeatures/GeoJSONError``; for what no format recognises, and for JSON of another kind,
    ///   ``FeatureFileError`` with ``FeatureFileError/kind``.
    public func read(_ document: [UInt8], limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        guard let format = format(recognizing: document) else {
            throw FeatureFileError(FileKind(recognizing: document))
        }
        do { return try format.read(document, limits: limits) } catch let error as GeoJSONError {
            guard error.code != .memory, error.code != .limitExceeded,
                let kind = FileKind(foreignJSON: document)
            else { throw error }
            throw FeatureFileError(kind)
        }
    }

    /// Reads a file as ``read(_:limits:)`` reads a document.
    ///
    /// - Throws: what that throws; ``FeatureFileError`` where there is no file, or one that is longer than the limit.
    public func read(contentsOf path: String, limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: limits.maximumByteCount) } catch {
            throw FeatureFileError(error, in: "features")
        }
        return try read(bytes, limits: limits)
    }
}
