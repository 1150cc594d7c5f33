/// Why a coordinate reference system cannot be had or used.
public enum CRSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is no spelling of a CRS.
    case malformed(String)
    /// The text is well formed but names a system that is not in the catalogue.
    case unknown(String)
    /// Coordinates cannot be transformed to or from the system named.
    case noProjection(String)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .malformed(let text):
            "'\(text)' is not the name of a CRS; write it as "
                + (!text.isEmpty && text.utf8.count < 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    ? "EPSG:\(text)" : "EPSG:3857 or CRS:84")
        case .unknown(let text): "the CRS '\(text)' is not known"
        case .noProjection(let name):
            "coordinates cannot be transformed to or from \(name): its projection is not built in"
        }
    }
}
