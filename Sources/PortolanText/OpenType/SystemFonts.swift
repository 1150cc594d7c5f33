#if !canImport(CoreText) && canImport(CFontconfig)
import CFontconfig

/// The installed fonts for one request, best first, as fontconfig sorts them.
///
/// Not `Sendable`; it lives inside the font book's lock. Fontconfig itself may be used from several threads.
@safe final class SystemFonts {
    /// Where a face is: the file, and FreeType's index of the face in it.
    struct Location: Hashable {
        let file: String
        let index: Int
    }

    private let configuration: OpaquePointer
    private let set: UnsafeMutablePointer<FcFontSet>

    /// Asks fontconfig for all scalable fonts for `request`, or gives `nil` when it has no configuration or no memory.
    init?(_ request: FontRequest) {
        guard let configuration = unsafe FcConfigReference(nil) else { return nil }
        guard let set = unsafe Self.sorted(request, configuration) else {
            unsafe FcConfigDestroy(configuration)
            return nil
        }
        unsafe self.configuration = configuration
        unsafe self.set = set
    }

    deinit {
        // The set's patterns lie in the configuration's cache: they go first.
        unsafe FcFontSetDestroy(set)
        unsafe FcConfigDestroy(configuration)
    }

    /// How many fonts there are.
    var count: Int { unsafe Int(set.pointee.nfont) }

    /// The place of font `index`, or `nil` when fontconfig does not tell it.
    func location(at index: Int) -> Location? {
        guard let pattern = unsafe pattern(at: index) else { return nil }
        var file: UnsafeMutablePointer<FcChar8>?
        var face: CInt = 0
        guard unsafe FcPatternGetString(pattern, FC_FILE, 0, &file) == FcResultMatch, let file = unsafe file else {
            return nil
        }
        if unsafe FcPatternGetInteger(pattern, FC_INDEX, 0, &face) != FcResultMatch { face = 0 }
        return Location(file: unsafe String(cString: file), index: Int(max(0, face)))
    }

    /// Whether fontconfig lists all `scalars` in font `index`.
    func covers(_ scalars: some Sequence<Unicode.Scalar>, at index: Int) -> Bool {
        var characters: OpaquePointer?
        guard let pattern = unsafe pattern(at: index),
            unsafe FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) == FcResultMatch
        else { return false }
        // The set belongs to the pattern, and that to `self`.
        return scalars.allSatisfy { unsafe FcCharSetHasChar(characters, $0.value) != 0 }
    }

    private func pattern(at index: Int) -> OpaquePointer? {
        guard index >= 0, index < count else { return nil }
        return unsafe set.pointee.fonts[index]
    }

    private static func sorted(
        _ request: FontRequest, _ configuration: OpaquePointer
    ) -> UnsafeMutablePointer<FcFontSet>? {
        guard let pattern = unsafe FcPatternCreate() else { return nil }
        defer { unsafe FcPatternDestroy(pattern) }
        for family in request.families {
            _ = unsafe family.withCString(encodedAs: UTF8.self) { unsafe FcPatternAddString(pattern, FC_FAMILY, $0) }
        }
        let weight = request.weight == .bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR
        let slant = request.isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN
        unsafe FcPatternAddInteger(pattern, FC_WEIGHT, weight)
        unsafe FcPatternAddInteger(pattern, FC_SLANT, slant)
        unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
        unsafe FcPatternAddBool(pattern, FC_COLOR, 0)
        // Named instances rather than variable fonts, whose axes would have to be set by hand.
        unsafe FcPatternAddBool(pattern, FC_VARIABLE, 0)
        unsafe FcConfigSubstitute(configuration, pattern, FcMatchPattern)
        unsafe FcDefaultSubstitute(pattern)
        var result = FcResultNoMatch
        return unsafe FcFontSort(configuration, pattern, 1, nil, &result)
    }
}
#endif
