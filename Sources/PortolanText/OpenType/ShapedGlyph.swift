#if !canImport(CoreText) && canImport(CFreeType)
/// A glyph as HarfBuzz placed it, in font units with y up.
struct ShapedGlyph {
    let index: UInt32
    /// The first scalar of the cluster that the glyph belongs to.
    let cluster: UInt32
    /// How far right of the pen the glyph stands.
    let x: Int
    /// How far above the pen the glyph stands.
    let y: Int
    /// How far the pen moves on.
    let advance: Int
}
#endif
