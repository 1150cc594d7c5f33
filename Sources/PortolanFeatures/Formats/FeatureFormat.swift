public import PortolanRaster
import PortolanWeb

/// A format of documents with features: the seam for reading more than GeoJSON.
///
/// A format recognises its documents by their first bytes, whatever the name of the file or the header of the answer
/// says, and keeps to limits, since documents come from strangers. Put formats of your own into a ``FeatureFormats``.
public protocol FeatureFormat: Sendable {
    /// The short name, such as `GeoJSON`, for messages.
    var name: String { get }

    /// Whether a document may be of the format.
    ///
    /// - Parameter start: the first bytes, at most ``FeatureFormats/startLength``.
    func recognizes(_ start: ArraySlice<UInt8>) -> Bool

    /// Whether a whole document may be of the format.
    ///
    /// Unless implemented, its first bytes decide.
    func recognizes(document: [UInt8]) -> Bool

    /// Reads a whole document.
    ///
    /// One feature that cannot be read is best left out with a warning of the collection.
    ///
    /// - Throws: an error that names the byte or line and the cause, when nothing can be read or a limit is exceeded.
    func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection

    /// Writes a collection, or returns `nil` when the format is read only.
    func write(_ collection: FeatureCollection) -> [UInt8]?
}

extension FeatureFormat {
    /// Whether the first bytes are recognised.
    public func recognizes(document: [UInt8]) -> Bool { recognizes(document.prefix(FeatureFormats.startLength)) }

    /// The format is read only.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { nil }
}

/// GeoJSON (RFC 7946), by ``GeoJSONReader`` and ``GeoJSONWriter``.
public struct GeoJSONFormat: FeatureFormat {
    /// Makes the format.
    public init() {}

    /// `GeoJSON`.
    public var name: String { "GeoJSON" }

    /// Whether the first character, after a byte order mark and blanks, is one that JSON begins with.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let first = DecodedText.start(start).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads a document as ``GeoJSONReader`` does; one in UTF-16, or in a code page in spite of RFC 8259, with a warning.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let first = Result { () throws(GeoJSONError) in try GeoJSONReader.read(bytes: document, limits: limits) }
        let isOdd =
            switch first {
            case .success(let collection): collection.warnings.contains { $0.effect == .repaired }
            case .failure(let error): [.invalidText, .syntax].contains(error.code)
            }
        guard isOdd else { return try first.get() }
        // Bytes that are not UTF-8 are mended one by one; in their own encoding they are letters.
        let text = DecodedText(document)
        guard text.guessed != nil || document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF]),
            var collection = try? GeoJSONReader.read(bytes: text.bytes, limits: limits)
        else { return try first.get() }
        collection.warnings.insert(
            MapWarning(
                feature: nil, message: "its bytes are not UTF-8; they are read as \(text.guessed ?? "UTF-16")",
                effect: .repaired), at: 0)
        return collection
    }

    /// Writes a collection as ``GeoJSONWriter`` does.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { GeoJSONWriter.write(collection) }
}

/// The formats of features that are read, the first that recognises a document reads it.
public struct FeatureFormats: Sendable {
    /// How many bytes of a document a format is shown to recognise it.
    public static let startLength = 1024

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
    /// - Throws: what the format throws, such as ``GeoJSONError``; for what no format recognises, and for JSON of another kind,
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

/// How much a document with features may hold before reading it is refused.
public struct FeatureLimits: Hashable, Sendable {
    /// The longest document, in bytes; 1 GiB by default.
    public var maximumByteCount: Int
    /// How many objects and arrays may be open at once; 64 by default, and never more than 128.
    ///
    /// Each takes stack, of which threads of apps have half a megabyte.
    public var maximumDepth: Int
    /// The most features; ten million by default.
    public var maximumFeatureCount: Int
    /// The most coordinates in the whole document; a hundred million by default.
    public var maximumCoordinateCount: Int
    /// How many warnings are kept; 100 by default.
    ///
    /// One more then says how many were not.
    public var maximumWarningCount: Int
    /// The budget that the features are charged to, for as long as their collection or a source of it is held, and the
    /// document while it is read; `nil` by default, for none.
    public var memory: MemoryBudget?

    /// Makes limits.
    public init(
        maximumByteCount: Int = 1 << 30, maximumDepth: Int = 64, maximumFeatureCount: Int = 10_000_000,
        maximumCoordinateCount: Int = 100_000_000, maximumWarningCount: Int = 100, memory: MemoryBudget? = nil
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumDepth = min(maximumDepth, 128)
        self.maximumFeatureCount = maximumFeatureCount
        self.maximumCoordinateCount = maximumCoordinateCount
        self.maximumWarningCount = maximumWarningCount
        self.memory = memory
    }

    /// Throws if the budget has no room for bytes that are about to be unpacked.
    func lookForRoom(_ byteCount: Int, in format: String) throws(FeatureFileError) {
        do { _ = try memory?.charge(byteCount) } catch {
            throw FeatureFileError(.memory, in: format, "too large to be read: \(error)")
        }
    }
}
