import PortolanFeatures

/// What a symbolizer of a Styled Layer Descriptor says that styles of MapLibre have no words for.
///
/// The reader of descriptors makes layers of MapLibre's language; this goes along in their `metadata`.
package struct SymbolizerTraits: Hashable, Sendable {
    /// How the geometry that is drawn is made of the feature's; nothing for the feature's own.
    package internal(set) var geometry: [GeometryChange]
    /// Whether texts along lines are so far apart as the gap between them is to be, rather than their middles.
    package internal(set) var repeatsByGap: Bool
    /// Whether texts that the picture's border cuts are drawn.
    package internal(set) var mayBeCut: Bool

    private static let geometryName = "portolan:geometry"
    private static let gapName = "portolan:repeats-by-gap"
    private static let cutName = "portolan:may-be-cut"

    init(geometry: [GeometryChange] = [], repeatsByGap: Bool = false, mayBeCut: Bool = false) {
        self.geometry = geometry
        self.repeatsByGap = repeatsByGap
        self.mayBeCut = mayBeCut
    }

    /// Reads what ``write(to:)`` has written.
    init(_ metadata: Properties) {
        self.init(
            geometry: (metadata[Self.geometryName]?.arrayValue ?? []).compactMap { GeometryChange($0) },
            repeatsByGap: metadata[Self.gapName] == true, mayBeCut: metadata[Self.cutName] == true)
    }

    /// Adds what is not as usual to the `metadata` of a layer.
    func write(to metadata: inout Properties) {
        if !geometry.isEmpty { metadata[Self.geometryName] = .array(geometry.map(\.value)) }
        if repeatsByGap { metadata[Self.gapName] = true }
        if mayBeCut { metadata[Self.cutName] = true }
    }
}
