#if Text && !canImport(CoreText)
import CFreeType
import CHarfBuzz
import PortolanRaster

/// Subsets for documents that embed fonts, made by HarfBuzz.
extension FontFace {
    /// The licence flags that forbid embedding, subsetting, or outlines (OpenType, table `OS/2`, field `fsType`).
    private static let forbidden =
        FT_FSTYPE_RESTRICTED_LICENSE_EMBEDDING | FT_FSTYPE_NO_SUBSETTING
        | FT_FSTYPE_BITMAP_EMBEDDING_ONLY

    /// The tables that documents need for TrueType outlines; all others are dropped.
    private static let kept: Set<String> = ["glyf", "head", "hhea", "hmtx", "loca", "maxp", "CFF "]

    private var flags: Int { unsafe Int(handle.pointee.face_flags) }

    /// The properties of the face for documents, or `nil` if it cannot or must not be embedded.
    var embeddable: EmbeddableFont? {
        guard program.index >> 16 == 0, flags & Int(FT_FACE_FLAG_SCALABLE) != 0 else { return nil }
        let permissions = unsafe Int32(FT_Get_FSType_Flags(handle))
        guard permissions & Int32(Self.forbidden) == 0 else { return nil }
        let face = unsafe hb_font_get_face(shaper)
        let outlines: EmbeddableFont.Outlines
        if unsafe Self.hasTable("glyf", in: face) {
            outlines = .trueType
        } else if unsafe Self.hasTable("CFF ", in: face) {
            outlines = .cff
        } else {
            return nil
        }
        let name = unsafe FT_Get_Postscript_Name(handle).map { unsafe String(cString: $0) } ?? family
        let box = unsafe handle.pointee.bbox, scale = 1000 / Double(unitsPerEm)
        return EmbeddableFont(
            name: name, outlines: outlines,
            bounds: Rectangle(
                minX: Double(box.xMin) * scale, minY: Double(box.yMin) * scale, maxX: Double(box.xMax) * scale,
                maxY: Double(box.yMax) * scale),
            ascent: Double(ascent) * scale, descent: Double(descent) * scale, isItalic: isItalic, isBold: isBold,
            isFixedPitch: flags & Int(FT_FACE_FLAG_FIXED_WIDTH) != 0)
    }

    /// Returns the identifier of a glyph in a subset, and its advance in thousandths of an em.
    ///
    /// It is the index of the glyph, except in CFF fonts that have identifiers of their own (Adobe Technical Note 5176,
    /// section 18).
    func identifier(of glyph: UInt32) -> (code: UInt32, advance: Double)? {
        guard glyph <= 0xFFFF else { return nil }
        let advance = unsafe Double(hb_font_get_glyph_h_advance(shaper, glyph)) * 1000 / Double(unitsPerEm)
        guard flags & Int(FT_FACE_FLAG_CID_KEYED) != 0 else { return (glyph, advance) }
        var code: FT_UInt = 0
        guard unsafe FT_Get_CID_From_Glyph_Index(handle, glyph, &code) == 0, code <= 0xFFFF else { return nil }
        return (code, advance)
    }

    /// Returns the font file, or its table `CFF`, with the given glyphs at their indices, or `nil` for a damaged font.
    func subset(_ glyphs: [UInt32]) -> [UInt8]? {
        let face = unsafe hb_font_get_face(shaper)
        guard let input = unsafe hb_subset_input_create_or_fail() else { return nil }
        defer { unsafe hb_subset_input_destroy(input) }
        let wanted = unsafe hb_subset_input_glyph_set(input)
        for glyph in glyphs { unsafe hb_set_add(wanted, glyph) }
        unsafe hb_subset_input_set_flags(
            input,
            HB_SUBSET_FLAGS_RETAIN_GIDS.rawValue | HB_SUBSET_FLAGS_NO_HINTING.rawValue
                | HB_SUBSET_FLAGS_NOTDEF_OUTLINE.rawValue)
        let dropped = unsafe hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG)
        // A face has far fewer tables.
        var tags = [hb_tag_t](repeating: 0, count: 256), count = UInt32(tags.count)
        _ = unsafe tags.withUnsafeMutableBufferPointer { tags in
            unsafe hb_face_get_table_tags(face, 0, &count, tags.baseAddress)
        }
        for tag in tags.prefix(Int(min(count, 256))) where !Self.kept.contains(Self.name(of: tag)) {
            unsafe hb_set_add(dropped, tag)
        }
        guard let subset = unsafe hb_subset_or_fail(face, input) else { return nil }
        defer { unsafe hb_face_destroy(subset) }
        let isTrueType = unsafe Self.hasTable("glyf", in: face)
        let blob =
            isTrueType
            ? unsafe hb_face_reference_blob(subset) : unsafe hb_face_reference_table(subset, Self.tag("CFF "))
        defer { unsafe hb_blob_destroy(blob) }
        var length: UInt32 = 0
        // HarfBuzz returns `length` bytes, which are valid as long as the blob.
        guard let bytes = unsafe hb_blob_get_data(blob, &length), length > 0 else { return nil }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(length)))
    }

    private static func hasTable(_ name: String, in face: OpaquePointer?) -> Bool {
        let blob = unsafe hb_face_reference_table(face, tag(name))
        defer { unsafe hb_blob_destroy(blob) }
        return unsafe hb_blob_get_length(blob) > 0
    }

    private static func tag(_ name: String) -> hb_tag_t { name.utf8.reduce(0) { $0 << 8 | hb_tag_t($1) } }

    private static func name(of tag: hb_tag_t) -> String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> UInt32($0)) }, as: UTF8.self)
    }
}
#endif
