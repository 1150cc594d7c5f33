/// The names of WMTS parameters.
enum WMTSParameters {
    /// What a request sets itself, and what a base address must therefore not hold.
    static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "ACCEPTVERSIONS", "SECTIONS", "UPDATESEQUENCE", "ACCEPTFORMATS", "LAYER",
        "STYLE", "FORMAT", "TILEMATRIXSET", "TILEMATRIX", "TILEROW", "TILECOL", "INFOFORMAT", "I", "J",
    ]
}
