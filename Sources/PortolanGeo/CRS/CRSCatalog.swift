import Synchronization

/// A catalogue of coordinate reference systems beside the one that is built in, as that of PROJ.
///
/// It is asked for what the built-in one does not hold, and for the projection of what that one only names. Documents from
/// servers ask as well: whatever a text says, a catalogue opens no file but its own data for it, and no address.
public protocol CRSCatalog: Sendable {
    /// The system of an authority's code, such as `ESRI` and `54030`, or `nil` where there is none.
    ///
    /// - Parameters:
    ///   - authority: in upper case.
    ///   - code: in upper case.
    /// - Throws: ``CRSError/unsupported(_:reason:)`` where there is one that no map can be drawn in.
    func crs(authority: String, code: String) throws(CRSError) -> CRS?

    /// The system that well-known text describes, or `nil` where the text is none.
    ///
    /// - Parameter text: at most 65,536 bytes.
    /// - Throws: ``CRSError/unsupported(_:reason:)``.
    func crs(wellKnownText text: String) throws(CRSError) -> CRS?
}

extension CRS {
    private static let consulted = Mutex<(any CRSCatalog)?>(nil)

    /// Has a catalogue asked for what the built-in one does not hold, in all of the process from now on; `nil` has none asked.
    ///
    /// A program calls it once as it begins. Systems that were made before stay what they are.
    public static func consult(_ catalog: (any CRSCatalog)?) {
        consulted.withLock { $0 = catalog }
    }

    /// The catalogue that is asked.
    static var catalog: (any CRSCatalog)? { consulted.withLock { $0 } }
}
