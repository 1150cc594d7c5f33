/// The names of WMS parameters, all versions together.
enum WMSParameters {
    /// What a request sets itself, and what a base address must therefore not hold.
    static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "WMTVER", "LAYERS", "STYLES", "SRS", "CRS", "BBOX", "WIDTH", "HEIGHT",
        "FORMAT", "TRANSPARENT", "BGCOLOR", "EXCEPTIONS", "TILED", "UPDATESEQUENCE", "QUERY_LAYERS", "INFO_FORMAT",
        "FEATURE_COUNT",
    ]

    /// The parameters that each request begins with.
    ///
    /// Version 1.0.0 has no `SERVICE`, but servers ask for it.
    static func opening(version: WMSVersion?, request: String) -> [(name: String, value: String)] {
        switch version {
        case .v1_0_0?: [("SERVICE", "WMS"), ("WMTVER", "1.0.0"), ("REQUEST", request)]
        case let version?: [("SERVICE", "WMS"), ("VERSION", version.rawValue), ("REQUEST", request)]
        case nil: [("SERVICE", "WMS"), ("REQUEST", request)]
        }
    }
}
