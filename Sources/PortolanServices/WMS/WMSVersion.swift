/// A version of the Web Map Service interface.
public enum WMSVersion: String, Hashable, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// Version 1.0.0 (OGC 00-028).
    case v1_0_0 = "1.0.0"
    /// Version 1.1.0 (OGC 01-047r2).
    case v1_1_0 = "1.1.0"
    /// Version 1.1.1 (OGC 01-068r3).
    case v1_1_1 = "1.1.1"
    /// Version 1.3.0 (OGC 06-042, ISO 19128:2005).
    case v1_3_0 = "1.3.0"

    /// Reads a version; of one that is none of the four, as 1.0.7 or 1.2.0, the highest below it is taken.
    ///
    /// `nil` when the text is no version at all or one before 1.0.0.
    public init?(_ text: String) {
        let parts = text.trimmingSpace().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...4).contains(parts.count), !parts.contains(nil) else { return nil }
        let numbers = parts.compactMap(\.self) + [0, 0, 0]
        guard numbers.allSatisfy({ (0...9999).contains($0) }) else { return nil }
        let number = numbers[0] * 100_000_000 + numbers[1] * 10_000 + numbers[2]
        switch number {
        case ..<100_000_000: return nil
        case ..<100_010_000: self = .v1_0_0
        case 100_010_000: self = .v1_1_0
        case ..<100_030_000: self = .v1_1_1
        default: self = .v1_3_0
        }
    }

    /// The three numbers.
    public var description: String { rawValue }

    /// Older versions come first.
    public static func < (left: WMSVersion, right: WMSVersion) -> Bool { left.rawValue < right.rawValue }

    /// The name of the parameter with the coordinate reference system.
    package var crsParameter: String { self >= .v1_3_0 ? "CRS" : "SRS" }

    /// The value of `EXCEPTIONS` that asks for XML.
    package var xmlExceptions: String {
        switch self {
        case .v1_0_0: "WMS_XML"
        case .v1_1_0, .v1_1_1: "application/vnd.ogc.se_xml"
        case .v1_3_0: "XML"
        }
    }
}
