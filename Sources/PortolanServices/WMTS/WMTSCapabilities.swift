/// What a Web Map Tile Service offers, as its capabilities document tells.
///
/// Follows OGC 07-057r7 (WMTS 1.0.0) clause 7.1 and OGC 06-121r3 (OWS Common 1.1.0).
public struct WMTSCapabilities: Hashable, Sendable {
    /// The version as the document writes it.
    public var versionText: String
    /// What changes when the document does, or `nil`.
    public var updateSequence: String?
    /// Who offers the service and under what terms.
    public var service: WMTSService
    /// The operations, in the order of the document; a service by path alone may list none.
    public var operations: [WMTSOperation]
    /// The layers, in the order of the document.
    public var layers: [WMTSLayer]
    /// The pyramids that the layers are cut by.
    public var matrixSets: [WMTSMatrixSet]
    /// Where the document itself can be had by path, or `nil`.
    public var documentURL: String?
    /// What was odd in the document, a line each.
    public var warnings: [String]

    /// The operation with a name, whatever the case, or `nil`.
    public func operation(named name: String) -> WMTSOperation? {
        operations.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The layer with an identifier, letter for letter, or `nil`.
    ///
    /// - Complexity: linear in the number of layers.
    public func layer(named name: String) -> WMTSLayer? { layers.first { $0.identifier == name } }

    /// The matrix set with an identifier, letter for letter, or `nil`.
    public func matrixSet(named name: String) -> WMTSMatrixSet? { matrixSets.first { $0.identifier == name } }
}
