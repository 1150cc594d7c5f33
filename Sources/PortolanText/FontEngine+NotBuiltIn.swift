#if !Text && !canImport(CoreText)
/// The replacement for an engine in a build without the trait `Text`.
///
/// It draws no text.
struct FontEngine {
    let outlineSegmentCount = 0

    init(sources: [FontSource], usesSystemFonts: Bool, limits: FontBook.Limits) {}

    func trimOutlines(to count: Int) {}

    func line(
        _ text: LineText, request: FontRequest, size: Double, glyphs: GlyphSource?
    ) throws(TextError) -> TextLine {
        throw .notBuiltIn
    }

    func uncovered(_ scalars: Set<Unicode.Scalar>) throws(TextError) -> Set<Unicode.Scalar> { throw .notBuiltIn }

    func advance(of text: LineText, request: FontRequest, size: Double) throws(TextError) -> Double {
        throw .notBuiltIn
    }

    func load() throws(TextError) { throw .notBuiltIn }

    func faceNames() -> [String] { [] }

    func glyphs(
        of range: ClosedRange<UInt32>, inFaceNamed name: FaceName
    ) throws(TextError) -> [FontBook.FaceGlyph]? { throw .notBuiltIn }

    func glyphs(of range: ClosedRange<UInt32>, for request: FontRequest) throws(TextError) -> [FontBook.FaceGlyph] {
        throw .notBuiltIn
    }
}
#endif
