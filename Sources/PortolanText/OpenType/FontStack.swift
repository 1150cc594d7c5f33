#if !canImport(CoreText) && canImport(CFreeType)
/// The faces for one request, preferred first, and which of them each character takes.
struct FontStack {
    /// The given fonts' faces, ordered for the request.
    let given: [FontFace]
    /// The installed fonts, or `nil` when they may not be used.
    let system: SystemFonts?
    /// The font for characters that no font has, and of empty lines.
    let primary: FontFace

    /// What was found for clusters of one visible scalar.
    private var choices: [Unicode.Scalar: FontFace] = [:]

    init(given: [FontFace], system: SystemFonts?, primary: FontFace) {
        self.given = given
        self.system = system
        self.primary = primary
    }

    /// The first face with glyphs for the whole cluster, else for its first scalar, else the primary one.
    mutating func face(
        for cluster: ArraySlice<Unicode.Scalar>, opening open: (SystemFonts.Location) -> FontFace?
    ) -> FontFace {
        let visible = cluster.filter { !$0.properties.isDefaultIgnorableCodePoint }
        guard let first = visible.first else { return primary }
        if visible.count == 1, let known = choices[first] { return known }
        let face = find(visible, opening: open) ?? (visible.count > 1 ? find([first], opening: open) : nil) ?? primary
        if visible.count == 1 {
            // Bounds what a stream of odd characters can make the book keep.
            if choices.count >= 8192 { choices.removeAll() }
            choices[first] = face
        }
        return face
    }

    private func find(_ scalars: [Unicode.Scalar], opening open: (SystemFonts.Location) -> FontFace?) -> FontFace? {
        func hasAll(_ face: FontFace) -> Bool { scalars.allSatisfy { face.hasGlyph(for: $0) } }
        if let face = given.first(where: hasAll) { return face }
        guard let system else { return nil }
        for index in 0..<system.count where system.covers(scalars, at: index) {
            guard let location = system.location(at: index), let face = open(location), hasAll(face) else { continue }
            return face
        }
        return nil
    }

    /// The given faces in the order for `request`: those of requested families in the request's order, then the other
    /// families as given; within a family those of the right weight and slope first, then as given.
    static func ordered(_ faces: [FontFace], for request: FontRequest) -> [FontFace] {
        var families = request.families.map { $0.lowercased() }
        for face in faces where !families.contains(face.family.lowercased()) {
            families.append(face.family.lowercased())
        }
        let ranked = faces.enumerated().map { offset, face in
            let family = families.firstIndex(of: face.family.lowercased()) ?? families.count
            let style = (face.isBold == (request.weight == .bold) ? 0 : 2) + (face.isItalic == request.isItalic ? 0 : 1)
            return (rank: (family, style, offset), face: face)
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.face)
    }
}
#endif
