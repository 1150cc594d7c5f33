#if Text && !canImport(CoreText)
import CFreeType
import CHarfBuzz
import PortolanRaster
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A face of a font file: HarfBuzz's font for shaping and FreeType's face for outlines, both in font units.
///
/// Not `Sendable`: a FreeType face has one user at a time, the engine inside the font book's lock.
@safe final class FontFace {
    let file: FontFile
    /// The identity of the face in documents.
    let program: ShapedText.FontProgram
    /// The number of faces in the file.
    let faceCount: Int
    let family: String
    /// The name of the style, such as `Bold Italic`.
    let style: String
    let isBold: Bool
    let isItalic: Bool
    /// The font units per em, from 16 to 16384.
    let unitsPerEm: Int
    /// The font units above the baseline.
    let ascent: Int
    /// The font units below the baseline, positive.
    let descent: Int
    /// Whether it has colour glyphs.
    let isColored: Bool
    /// The pixels per em of bitmap glyphs, or `nil` if all glyphs are outlines.
    let pixelsPerEm: Int?

    private let library: FontLibrary
    /// The FreeType face; valid as long as this object lives.
    let handle: FT_Face
    /// HarfBuzz's font; valid as long as this object lives.
    let shaper: OpaquePointer

    /// Opens face `index` of `file`; the upper 16 bits select a named instance of a variable font, starting at 1.
    init(file: FontFile, index: Int, library: FontLibrary) throws(TextError) {
        func refusal(_ detail: String) -> TextError { .unreadableFont(file: file.path, detail: detail) }
        // Both libraries receive the file's true length, and keep their pointers no longer than `self` retains `file`.
        let bytes = unsafe file.bytes.assumingMemoryBound(to: UInt8.self)
        var handle: FT_Face?
        let code = unsafe FT_New_Memory_Face(
            library.handle, bytes.baseAddress, FT_Long(bytes.count), FT_Long(index), &handle)
        guard code == 0, let face = unsafe handle else {
            throw refusal("not a TrueType or OpenType font (FreeType error \(code))")
        }
        let flags = unsafe Int(face.pointee.face_flags)
        let isColored = flags & Int(FT_FACE_FLAG_COLOR) != 0
        let pixelsPerEm = isColored ? unsafe Self.selectPixels(of: face) : nil
        guard flags & Int(FT_FACE_FLAG_SCALABLE) != 0 || pixelsPerEm != nil, flags & Int(FT_FACE_FLAG_SFNT) != 0 else {
            unsafe FT_Done_Face(face)
            throw refusal("no scalable TrueType or OpenType outlines")
        }
        guard let shaper = unsafe Self.makeShaper(bytes: bytes, index: index) else {
            unsafe FT_Done_Face(face)
            throw refusal("not enough memory to open it")
        }
        let shapes = unsafe hb_font_get_face(shaper)
        guard unsafe hb_face_get_glyph_count(shapes) > 0 else {
            unsafe hb_font_destroy(shaper)
            unsafe FT_Done_Face(face)
            throw refusal("no glyphs")
        }
        var extents = hb_font_extents_t()
        let hasExtents = unsafe hb_font_get_h_extents(shaper, &extents) != 0
        self.file = file
        program = ShapedText.FontProgram(file: file.path, index: index)
        self.library = library
        self.isColored = isColored
        self.pixelsPerEm = pixelsPerEm
        unsafe self.handle = face
        unsafe self.shaper = shaper
        faceCount = unsafe Int(clamping: face.pointee.num_faces)
        family = unsafe face.pointee.family_name.map { unsafe String(cString: $0) } ?? ""
        style = unsafe face.pointee.style_name.map { unsafe String(cString: $0) } ?? ""
        isBold = unsafe Int(face.pointee.style_flags) & Int(FT_STYLE_FLAG_BOLD) != 0
        isItalic = unsafe Int(face.pointee.style_flags) & Int(FT_STYLE_FLAG_ITALIC) != 0
        unitsPerEm = unsafe Int(hb_face_get_upem(shapes))
        ascent = hasExtents ? max(0, Int(extents.ascender)) : unitsPerEm
        descent = hasExtents ? max(0, -Int(extents.descender)) : 0
    }

    deinit {
        unsafe hb_font_destroy(shaper)
        unsafe FT_Done_Face(handle)
    }

    /// Selects the largest bitmap size of a face and returns its pixels per em, or `nil` without bitmaps.
    private static func selectPixels(of face: FT_Face) -> Int? {
        let count = unsafe Int(face.pointee.num_fixed_sizes)
        // FreeType states the number of its sizes.
        let sizes = (0..<count).map { unsafe Int(face.pointee.available_sizes[$0].y_ppem) / 64 }
        guard let best = sizes.indices.max(by: { sizes[$0] < sizes[$1] }), sizes[best] > 0,
            unsafe FT_Select_Size(face, FT_Int(best)) == 0
        else { return nil }
        return sizes[best]
    }

    /// Creates HarfBuzz's font in font units; damaged bytes result in a font without glyphs.
    private static func makeShaper(bytes: UnsafeBufferPointer<UInt8>, index: Int) -> OpaquePointer? {
        let count = bytes.count
        return unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
            let blob = unsafe hb_blob_create(
                characters.baseAddress, UInt32(count), HB_MEMORY_MODE_READONLY, nil, nil)
            let face = unsafe hb_face_create(blob, UInt32(index & 0xFFFF))
            let font = unsafe hb_font_create(face)
            unsafe hb_blob_destroy(blob)
            let unitsPerEm = unsafe Int32(hb_face_get_upem(face))
            unsafe hb_face_destroy(face)
            unsafe hb_font_set_scale(font, unitsPerEm, unitsPerEm)
            unsafe hb_ot_font_set_funcs(font)
            if index >> 16 > 0 { unsafe hb_font_set_var_named_instance(font, UInt32(index >> 16) - 1) }
            return unsafe font
        }
    }

    /// Returns whether the face has a glyph for `scalar`.
    func hasGlyph(for scalar: Unicode.Scalar) -> Bool {
        var glyph: hb_codepoint_t = 0
        return unsafe hb_font_get_nominal_glyph(shaper, scalar.value, &glyph) != 0 && glyph != 0
    }

    /// Returns the glyph of a scalar without its context, and its advance in font units, or `nil` without one.
    func glyph(of scalar: Unicode.Scalar) -> (index: UInt32, advance: Int)? {
        var glyph: hb_codepoint_t = 0
        guard unsafe hb_font_get_nominal_glyph(shaper, scalar.value, &glyph) != 0, glyph != 0 else { return nil }
        return (glyph, unsafe Int(hb_font_get_glyph_h_advance(shaper, glyph)))
    }

    /// Returns the glyphs of a run from left to right, or `nil` if HarfBuzz is out of memory.
    func shape(_ run: TextRun, in scalars: [UInt32]) -> [ShapedGlyph]? {
        let buffer = unsafe hb_buffer_create()
        defer { unsafe hb_buffer_destroy(buffer) }
        // The run is within the text (its range results from walking it), and the counts fit in 32 bits because of the
        // book's limits. The context of the run affects the joining forms of its first and last letters.
        unsafe scalars.withUnsafeBufferPointer { text in
            unsafe hb_buffer_add_utf32(
                buffer, text.baseAddress, Int32(text.count), UInt32(run.range.lowerBound), Int32(run.range.count))
        }
        unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        unsafe hb_buffer_set_script(buffer, run.script)
        // A fixed language: the default depends on the process's locale, which would change glyph forms.
        unsafe hb_buffer_set_language(buffer, hb_language_from_string("und", -1))
        unsafe hb_shape(shaper, buffer, nil, 0)
        guard unsafe hb_buffer_allocation_successful(buffer) != 0 else { return nil }
        var count: UInt32 = 0
        var positionCount: UInt32 = 0
        let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count)
        let positions = unsafe hb_buffer_get_glyph_positions(buffer, &positionCount)
        let all = unsafe UnsafeBufferPointer(start: infos, count: Int(count))
        let places = unsafe UnsafeBufferPointer(start: positions, count: Int(positionCount))
        return unsafe zip(all, places).map { info, place in
            ShapedGlyph(
                index: info.codepoint, cluster: info.cluster, x: Int(place.x_offset), y: Int(place.y_offset),
                advance: Int(place.x_advance))
        }
    }

    /// Adds a glyph's outline to `pen`, in font units.
    func draw(_ glyph: UInt32, with pen: inout OutlinePen) throws(TextError) {
        let code = unsafe FT_Load_Glyph(handle, glyph, FT_Int32(FT_LOAD_NO_SCALE))
        guard code == 0 else {
            throw .unreadableFont(file: file.path, detail: "glyph \(glyph) is damaged (FreeType error \(code))")
        }
        let slot = unsafe handle.pointee.glyph
        guard let slot = unsafe slot, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE else { return }
        try unsafe pen.draw(&slot.pointee.outline, of: file.path)
    }
}

/// An instance of FreeType, for one thread at a time.
@safe final class FontLibrary {
    /// The handle; valid as long as this object lives.
    let handle: FT_Library

    /// Initialises FreeType, or returns `nil` if there is not enough memory.
    init?() {
        var handle: FT_Library?
        guard unsafe FT_Init_FreeType(&handle) == 0, let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe FT_Done_FreeType(handle) }
}

/// A glyph positioned by HarfBuzz, in font units with y up.
struct ShapedGlyph {
    let index: UInt32
    /// The first scalar of the glyph's cluster.
    let cluster: UInt32
    /// The horizontal offset from the pen position.
    let x: Int
    /// The vertical offset from the pen position.
    let y: Int
    /// The advance of the pen.
    let advance: Int
}

/// The bytes of a font file at a fixed address, which libraries refer to.
///
/// They are read, not mapped: if another program truncated a mapped file, the process would crash.
@safe final class FontFile {
    let path: String
    private let storage: UnsafeMutableRawBufferPointer

    /// The bytes; valid for reading as long as this object lives.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(storage) }

    /// Reads the regular file at `path`.
    init(path: String, limit: Int) throws(TextError) {
        self.path = path
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.systemError(path) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.systemError(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableFont(file: path, detail: "not a regular file")
        }
        let size = Int(status.st_size)
        guard size > 0 else { throw .unreadableFont(file: path, detail: "the file is empty") }
        // The libraries count the bytes of a file in 32 bits.
        guard size <= min(limit, Int(Int32.max)) else {
            throw .unreadableFont(file: path, detail: "\(size) bytes; the limit is \(limit)")
        }
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        unsafe self.storage = storage
        var count = 0
        while count < size {
            // Reads at most as many bytes as remain in the storage.
            let got = unsafe read(descriptor, storage.baseAddress.map { unsafe $0 + count }, size - count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                throw got < 0
                    ? Self.systemError(path)
                    : .unreadableFont(file: path, detail: "the file was cut off at byte \(count) while it was read")
            }
            count += got
        }
    }

    deinit { unsafe storage.deallocate() }

    private static func systemError(_ path: String) -> TextError {
        let code = errno
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return .unreadableFont(file: path, detail: reason)
    }
}
#endif
