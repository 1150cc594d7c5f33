import PortolanFeatures

/// Content of the map that a viewer page draws itself, so that pictures leave it out.
enum ViewerContent: String, Hashable, Sendable, CaseIterable {
    /// The published layers, from blocks of the map (``GroundBlock``).
    case ground
    /// The vehicles of public transport, from their positions.
    case vehicles
    /// The user's position.
    case position

    /// Parses the key `draws` of a page that opens a viewer; without it, pictures have all content.
    ///
    /// - Throws: ``Problem`` with the key.
    static func all(_ reader: ViewerReader) throws(Problem) -> Set<ViewerContent> {
        guard let value = reader.members["draws"] else { return [] }
        let contents = value.arrayValue?.map { $0.stringValue.flatMap(ViewerContent.init) }
        guard let contents, !contents.contains(nil) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, "'draws' must be a list of: \(known)", key: "draws")
        }
        return Set(contents.compactMap(\.self))
    }
}
