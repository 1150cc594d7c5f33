import PortolanFeatures

/// The properties of a symbolizer that MapLibre styles cannot express.
///
/// The SLD reader produces MapLibre layers and stores these properties in their `metadata`.
package struct SymbolizerTraits: Hashable, Sendable {
    /// The transformations of the drawn geometry; empty for the feature's own geometry.
    package internal(set) var geometry: [GeometryChange]
    /// Whether the repetition distance of texts along lines is measured between their ends rather than their middles.
    package internal(set) var repeatsByGap: Bool
    /// Whether texts that the picture border cuts are drawn.
    package internal(set) var mayBeCut: Bool

    private static let geometryName = "portolan:geometry"
    private static let gapName = "portolan:repeats-by-gap"
    private static let cutName = "portolan:may-be-cut"

    init(geometry: [GeometryChange] = [], repeatsByGap: Bool = false, mayBeCut: Bool = false) {
        self.geometry = geometry
        self.repeatsByGap = repeatsByGap
        self.mayBeCut = mayBeCut
    }

    /// Reads the result of ``write(to:)``.
    init(_ metadata: Properties) {
        self.init(
            geometry: (metadata[Self.geometryName]?.arrayValue ?? []).compactMap { GeometryChange($0) },
            repeatsByGap: metadata[Self.gapName] == true, mayBeCut: metadata[Self.cutName] == true)
    }

    /// Adds the values that differ from the default to the `metadata` of a layer.
    func write(to metadata: inout Properties) {
        if !geometry.isEmpty { metadata[Self.geometryName] = .array(geometry.map(\.value)) }
        if repeatsByGap { metadata[Self.gapName] = true }
        if mayBeCut { metadata[Self.cutName] = true }
    }
}
