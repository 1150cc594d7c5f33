#if PROJ
public import PortolanGeo
import Synchronization

/// The coordinate reference systems of PROJ: those of EPSG, ESRI, IGNF and other authorities, and any described by
/// well-known text or a PROJ string, with the grids installed for PROJ.
///
/// ```swift
/// CRS.consult(PROJCatalog())                       // once, as the program begins
/// let circular = try CRS("ESRI:54029")             // what the built-in catalogue does not hold
/// let exact = try PROJCatalog().crs(authority: "EPSG", code: "27700")   // with the grid OSTN15, where it is installed
/// ```
///
/// Coordinates are transformed between WGS 84 and the system by the operation that PROJ considers best at each
/// coordinate; if its grid is not installed, that is a shift by parameters. PROJ's network access is off: install grids
/// with `projsync` or system packages. PROJ may read only its data folders (`PROJ_DATA`, those of the library and of the
/// user), whatever a text names.
///
/// Texts from untrusted documents are supported: authority codes and well-known text result in a system or an error. PROJ
/// strings, which are more powerful, are accepted only from the program (``crs(projString:)``).
///
/// Any number of threads can use a catalogue and its systems; each call uses an exclusive PROJ context. Creating a system
/// takes about 0.2 ms, and its first use 5 to 50 ms, in which PROJ searches for datum operations.
///
/// Follows ISO 19111, and OGC 18-010r7 for well-known text. Needs PROJ 8 or newer.
public struct PROJCatalog: CRS.Catalog {
    private static let definitions = DefinitionCache()

    /// Creates a catalogue; all are equal, and share a cache.
    public init() {}

    /// Returns the CRS of an authority's code from PROJ, even if the built-in catalogue has it.
    ///
    /// - Returns: `nil` if PROJ's database has no such code.
    /// - Throws: ``/PortolanGeo/CRSError/unsupported(_:reason:)`` for systems of heights, three-dimensional systems,
    ///   local systems without a transformation to WGS 84, and systems whose axes point south or west or are measured
    ///   in other angles than degrees.
    public func crs(authority: String, code: String) throws(CRSError) -> CRS? {
        // All names and codes in PROJ's database are within these limits.
        guard [authority, code].allSatisfy({ (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isOfCodes) })
        else { return nil }
        return try Self.definitions.crs(.code(authority: authority, code: code))
    }

    /// Returns the CRS that well-known text of either version describes.
    ///
    /// - Returns: `nil` if the text is invalid, or longer than 65,536 bytes.
    /// - Throws: as ``crs(authority:code:)``.
    public func crs(wellKnownText text: String) throws(CRSError) -> CRS? {
        guard text.utf8.count <= 1 << 16, !text.utf8.contains(0) else { return nil }
        return try Self.definitions.crs(.wellKnownText(text))
    }

    /// Returns the CRS of a PROJ string, such as `+proj=vandg +lon_0=10`.
    ///
    /// - Returns: `nil` if the text does not describe a coordinate reference system.
    /// - Throws: as ``crs(authority:code:)``.
    public func crs(projString text: String) throws(CRSError) -> CRS? {
        // Other text would be interpreted as a code, well-known text or a name.
        guard text.utf8.count <= 4096, text.utf8.first == UInt8(ascii: "+"), !text.utf8.contains(0) else { return nil }
        return try Self.definitions.crs(.projString(text))
    }

    private static func isOfCodes(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
}

/// The source of a system's definition.
enum PROJSource: Hashable, Sendable {
    case code(authority: String, code: String)
    case wellKnownText(String)
    case projString(String)
}

/// A cache of systems, so that a document that names one a thousand times causes only one lookup.
private final class DefinitionCache: Sendable {
    private static let limit = 4096
    private let known = Mutex<[PROJSource: Result<CRS?, CRSError>]>([:])

    func crs(_ source: PROJSource) throws(CRSError) -> CRS? {
        if let found = known.withLock({ $0[source] }) { return try found.get() }
        let made = Result { () throws(CRSError) in try Self.make(source) }
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[source] = made
        }
        return try made.get()
    }

    private static func make(_ source: PROJSource) throws(CRSError) -> CRS? {
        guard let definition = try PROJContext().definition(of: source) else { return nil }
        return CRS(
            CRS(
                name: definition.name, axisOrder: definition.axisOrder, unit: definition.unit,
                projection: PROJProjection(source, definition)),
            wellKnownText: definition.esriText)
    }
}
#endif
