#if PROJ
public import PortolanGeo
import Synchronization

/// The coordinate reference systems that PROJ knows: those of EPSG, ESRI, IGNF and other authorities, and any that well-known
/// text or a PROJ string describes, with the grids that are installed beside PROJ.
///
/// ```swift
/// CRS.consult(PROJCatalog())                       // once, as the program begins
/// let robinson = try CRS("ESRI:54030")             // what the built-in catalogue does not hold
/// let exact = try PROJCatalog().crs(authority: "EPSG", code: "27700")   // with the grid OSTN15, where it is installed
/// ```
///
/// Coordinates go between WGS 84 and the system the way that PROJ holds for the best at each place; where a grid is not installed
/// that is a shift by parameters. PROJ's own network is off: grids are installed by `projsync` or the packages of a system. PROJ may
/// read what lies in its own folders (`PROJ_DATA`, those of the library and of the user) and nothing else, whatever a text names.
///
/// Made for texts from documents as well: authority codes and well-known text come to a system or to an error. PROJ strings, which
/// can say more, are read for the program alone (``crs(projString:)``).
///
/// Any number of threads may use one catalogue and its systems; each call works with a context of PROJ that no other has meanwhile.
/// Making a system takes about 0.2 ms, its first use 5 to 50 ms, in which PROJ looks for the ways between the datums.
///
/// Follows ISO 19111, and OGC 18-010r7 for well-known text. Needs PROJ 8 or newer.
public struct PROJCatalog: CRSCatalog {
    private static let definitions = DefinitionCache()

    /// Makes a catalogue; all are equal, and share what they have read.
    public init() {}

    /// The system of an authority's code, always by PROJ, also where the built-in catalogue holds it.
    ///
    /// - Returns: `nil` where PROJ's database has no such code.
    /// - Throws: ``/PortolanGeo/CRSError/unsupported(_:reason:)`` for systems of heights, of three dimensions or of a place that has no
    ///   way to WGS 84, and for those whose axes point south or west or are measured in other angles than degrees.
    public func crs(authority: String, code: String) throws(CRSError) -> CRS? {
        // No name and no code of PROJ's database is longer, or has other letters.
        guard [authority, code].allSatisfy({ (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isOfCodes) })
        else { return nil }
        return try Self.definitions.crs(.code(authority: authority, code: code))
    }

    /// The system that well-known text of either version describes.
    ///
    /// - Returns: `nil` where the text is none, or longer than 65,536 bytes.
    /// - Throws: as ``crs(authority:code:)``.
    public func crs(wellKnownText text: String) throws(CRSError) -> CRS? {
        guard text.utf8.count <= 1 << 16, !text.utf8.contains(0) else { return nil }
        return try Self.definitions.crs(.wellKnownText(text))
    }

    /// The system of a PROJ string, such as `+proj=robin +lon_0=10`.
    ///
    /// - Returns: `nil` where the text describes no coordinate reference system.
    /// - Throws: as ``crs(authority:code:)``.
    public func crs(projString text: String) throws(CRSError) -> CRS? {
        // Anything else would be read as a code, well-known text or a name.
        guard text.utf8.count <= 4096, text.utf8.first == UInt8(ascii: "+"), !text.utf8.contains(0) else { return nil }
        return try Self.definitions.crs(.projString(text))
    }

    private static func isOfCodes(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
}

/// What a system is described by.
enum PROJSource: Hashable, Sendable {
    case code(authority: String, code: String)
    case wellKnownText(String)
    case projString(String)
}

/// The systems that were asked for, so that a document which names one a thousand times has it read once.
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
            name: definition.name, axisOrder: definition.axisOrder, unit: definition.unit,
            projection: PROJProjection(source, definition))
    }
}
#endif
