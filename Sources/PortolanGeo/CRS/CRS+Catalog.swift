import Synchronization

extension CRS {
    /// A catalogue of coordinate reference systems in addition to the built-in one, such as that of PROJ.
    ///
    /// It is consulted for systems that the built-in catalogue lacks, and for projections that it does not support. Since
    /// server documents can contain any CRS text, a catalogue must open no files other than its own data, and no URLs.
    public protocol Catalog: Sendable {
        /// Returns the CRS of an authority's code, such as `ESRI` and `54029`, or `nil` if not found.
        ///
        /// - Parameters:
        ///   - authority: the authority in upper case.
        ///   - code: the code in upper case.
        /// - Throws: ``CRSError/unsupported(_:reason:)`` if the system is not suitable for maps.
        func crs(authority: String, code: String) throws(CRSError) -> CRS?

        /// Returns the CRS that well-known text describes, or `nil` if the text is invalid.
        ///
        /// - Parameter text: at most 65,536 bytes.
        /// - Throws: ``CRSError/unsupported(_:reason:)``.
        func crs(wellKnownText text: String) throws(CRSError) -> CRS?
    }
}

extension CRS {
    private static let consulted = Mutex<(any CRS.Catalog)?>(nil)

    /// Sets the catalogue for systems that the built-in one lacks, for the whole process, or none with `nil`.
    ///
    /// Call it once at program start. Existing systems do not change.
    public static func consult(_ catalog: (any CRS.Catalog)?) {
        consulted.withLock { $0 = catalog }
    }

    /// The consulted catalogue.
    static var catalog: (any CRS.Catalog)? { consulted.withLock { $0 } }
}
