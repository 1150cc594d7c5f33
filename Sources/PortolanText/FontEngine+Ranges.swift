#if Text && !canImport(CoreText)
import PortolanRaster

extension FontEngine {
    /// The maximum number of segments in the outline of a glyph; larger ones are left out.
    ///
    /// The largest of Noto Sans CJK has about 600.
    private static let segmentLimit = 8192

    /// Returns the sorted names of the given and the installed faces.
    mutating func faceNames() -> [String] {
        var names: Set<FaceName> = []
        for face in givenFaces() { names.insert(FaceName(family: face.family, style: face.style)) }
        names.formUnion(installed().keys)
        return names.map(\.text).sorted()
    }

    /// Returns the glyphs of a face that has a name, or `nil` without such a face.
    mutating func glyphs(
        of range: ClosedRange<UInt32>, inFaceNamed name: FaceName
    ) throws(TextError) -> [FontBook.FaceGlyph]? {
        let given = givenFaces().first { FaceName(family: $0.family, style: $0.style) == name }
        guard let face = given ?? installed()[name].flatMap({ installedFace(at: $0) }) else { return nil }
        return try glyphs(of: range, in: face)
    }

    /// Returns the glyphs of the first face that draws the text of a request.
    mutating func glyphs(
        of range: ClosedRange<UInt32>, for request: FontRequest
    ) throws(TextError) -> [FontBook.FaceGlyph] {
        guard let face = try stack(for: request).primary else { return [] }
        return try glyphs(of: range, in: face)
    }

    private mutating func glyphs(
        of range: ClosedRange<UInt32>, in face: FontFace
    ) throws(TextError) -> [FontBook.FaceGlyph] {
        var glyphs: [FontBook.FaceGlyph] = []
        for scalar in range.lazy.compactMap({ Unicode.Scalar($0) }) {
            // Distance fields have no colours.
            guard face.pixelsPerEm == nil, let glyph = face.glyph(of: scalar) else { continue }
            let outline = try outline(of: glyph.index, in: face)
            guard outline.path.elementCount <= Self.segmentLimit else { continue }
            glyphs.append(
                FontBook.FaceGlyph(
                    scalar: scalar, outline: outline, advance: glyph.advance, ascent: face.ascent,
                    unitsPerEm: face.unitsPerEm))
        }
        return glyphs
    }

    /// Returns the faces of the given files; the renderer reports those that cannot be used.
    private mutating func givenFaces() -> [FontFace] {
        var faces: [FontFace] = []
        for case .file(let path) in sources { faces += (try? self.faces(of: path)) ?? [] }
        return faces
    }

    /// Returns the installed faces that may be used, by their names.
    private mutating func installed() -> [FaceName: SystemFonts.Location] {
        if let known = installedNames { return known }
        var found: [FaceName: SystemFonts.Location] = usesSystemFonts ? SystemFonts.names() : [:]
        if !usesSystemFonts {
            for case .family(let name) in sources {
                found.merge(SystemFonts.names(ofFamily: name)) { first, _ in first }
            }
        }
        installedNames = found
        return found
    }
}
#endif
