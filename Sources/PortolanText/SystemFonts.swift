#if Text && !canImport(CoreText)
import CFontconfig

/// The installed fonts for one request, best first, as sorted by fontconfig.
///
/// Not `Sendable`; the font book guards it by a lock. Fontconfig itself supports several threads.
@safe final class SystemFonts {
    /// The location of a face: the file, and FreeType's index of the face in it.
    struct Location: Hashable {
        let file: String
        let index: Int
    }

    private let configuration: OpaquePointer
    private let set: UnsafeMutablePointer<FcFontSet>

    /// Requests all scalable fonts for `request` from fontconfig, or returns `nil` without configuration or memory.
    ///
    /// - Parameter isEmoji: whether fonts of colour emoji come first.
    init?(_ request: FontRequest, isEmoji: Bool = false) {
        guard let configuration = unsafe FcConfigReference(nil) else { return nil }
        guard let set = unsafe Self.sorted(request, isEmoji: isEmoji, configuration) else {
            unsafe FcConfigDestroy(configuration)
            return nil
        }
        unsafe self.configuration = configuration
        unsafe self.set = set
    }

    deinit {
        // The patterns of the set belong to the configuration, so they are destroyed first.
        unsafe FcFontSetDestroy(set)
        unsafe FcConfigDestroy(configuration)
    }

    /// The number of fonts.
    var count: Int { unsafe Int(set.pointee.nfont) }

    /// Returns the location of font `index`, or `nil` if fontconfig does not provide it.
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

    /// Returns whether font `index` has all `scalars` according to fontconfig.
    func covers(_ scalars: some Sequence<Unicode.Scalar>, at index: Int) -> Bool {
        var characters: OpaquePointer?
        guard let pattern = unsafe pattern(at: index),
            unsafe FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) == FcResultMatch
        else { return false }
        // The set belongs to the pattern, and the pattern to `self`.
        return scalars.allSatisfy { unsafe FcCharSetHasChar(characters, $0.value) != 0 }
    }

    private func pattern(at index: Int) -> OpaquePointer? {
        guard index >= 0, index < count else { return nil }
        return unsafe set.pointee.fonts[index]
    }

    private static func sorted(
        _ request: FontRequest, isEmoji: Bool, _ configuration: OpaquePointer
    ) -> UnsafeMutablePointer<FcFontSet>? {
        guard let pattern = unsafe FcPatternCreate() else { return nil }
        defer { unsafe FcPatternDestroy(pattern) }
        for family in isEmoji ? ["emoji"] : request.families {
            _ = unsafe family.withCString(encodedAs: UTF8.self) { unsafe FcPatternAddString(pattern, FC_FAMILY, $0) }
        }
        let weight = request.weight == .bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR
        let slant = request.isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN
        unsafe FcPatternAddInteger(pattern, FC_WEIGHT, weight)
        unsafe FcPatternAddInteger(pattern, FC_SLANT, slant)
        unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
        unsafe FcPatternAddBool(pattern, FC_COLOR, isEmoji ? 1 : 0)
        // Named instances are preferred to variable fonts, whose axes would have to be set manually.
        unsafe FcPatternAddBool(pattern, FC_VARIABLE, 0)
        unsafe FcConfigSubstitute(configuration, pattern, FcMatchPattern)
        unsafe FcDefaultSubstitute(pattern)
        var result = FcResultNoMatch
        return unsafe FcFontSort(configuration, pattern, 1, nil, &result)
    }
}

extension SystemFonts {
    /// The generic names, which select a default of the system and not a family.
    private static let genericFamilies = ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui"]

    /// Returns the face of an installed family nearest to a request in weight, then in slope, or `nil` if the family is
    /// missing.
    static func location(ofFamily name: String, request: FontRequest) -> Location? {
        if genericFamilies.contains(name.lowercased()) {
            var generic = request
            generic.families = [name]
            guard let fonts = SystemFonts(generic), fonts.count > 0 else { return nil }
            return fonts.location(at: 0)
        }
        let wantedWeight = request.weight == .bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR
        let wantedSlant = request.isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN
        var best: (rank: (Int, Int, Int, String), location: Location)?
        unsafe visit(family: name, keys: [FC_FILE, FC_INDEX, FC_WEIGHT, FC_SLANT, FC_WIDTH]) { pattern in
            guard let file = unsafe string(FC_FILE, of: pattern) else { return }
            let index = unsafe integer(FC_INDEX, of: pattern) ?? 0
            let width = unsafe integer(FC_WIDTH, of: pattern) ?? Int(FC_WIDTH_NORMAL)
            // The weight of a variable font without a selected instance is a range, not an integer.
            let weight = unsafe integer(FC_WEIGHT, of: pattern) ?? 1000
            let slant = unsafe integer(FC_SLANT, of: pattern) ?? Int(FC_SLANT_ROMAN)
            let rank = (
                abs(width - Int(FC_WIDTH_NORMAL)), abs(weight - Int(wantedWeight)), abs(slant - Int(wantedSlant)),
                "\(file)#\(index)"
            )
            if let known = best, known.rank <= rank { return }
            best = (rank, Location(file: file, index: max(0, index)))
        }
        return best?.location
    }

    /// Returns the sorted names of the installed families of OpenType fonts with outlines.
    static func families() -> [String] {
        var names: Set<String> = []
        unsafe visit(family: nil, keys: [FC_FAMILY]) { pattern in
            if let name = unsafe string(FC_FAMILY, of: pattern) { names.insert(name) }
        }
        return names.sorted()
    }

    /// Returns the installed faces of OpenType fonts with outlines by their names, such as `Noto Sans Bold`.
    ///
    /// - Parameter family: their family, or `nil` for all.
    static func names(ofFamily family: String? = nil) -> [FaceName: Location] {
        var names: [FaceName: Location] = [:]
        unsafe visit(family: family, keys: [FC_FAMILY, FC_STYLE, FC_FILE, FC_INDEX, FC_VARIABLE]) { pattern in
            guard let file = unsafe string(FC_FILE, of: pattern), let family = unsafe string(FC_FAMILY, of: pattern),
                // A variable font without a selected instance stands for no single face.
                unsafe integer(FC_VARIABLE, of: pattern) ?? 0 == 0
            else { return }
            let name = FaceName(family: family, style: unsafe string(FC_STYLE, of: pattern) ?? "")
            let location = Location(file: file, index: max(0, unsafe integer(FC_INDEX, of: pattern) ?? 0))
            // One of several files with the same face, whatever the order of the list.
            if let known = names[name], (known.file, known.index) <= (location.file, location.index) { return }
            names[name] = location
        }
        return names
    }

    /// Passes each installed OpenType font with outlines to `body`, of one family or of all, with the requested keys.
    private static func visit(family: String?, keys: [String], _ body: (OpaquePointer) -> Void) {
        guard let configuration = unsafe FcConfigReference(nil) else { return }
        defer { unsafe FcConfigDestroy(configuration) }
        guard let pattern = unsafe FcPatternCreate() else { return }
        defer { unsafe FcPatternDestroy(pattern) }
        if let family {
            _ = unsafe family.withCString(encodedAs: UTF8.self) { unsafe FcPatternAddString(pattern, FC_FAMILY, $0) }
        }
        unsafe FcPatternAddBool(pattern, FC_OUTLINE, 1)
        guard let wanted = unsafe FcObjectSetCreate() else { return }
        defer { unsafe FcObjectSetDestroy(wanted) }
        for key in keys + [FC_FONTFORMAT] { unsafe FcObjectSetAdd(wanted, key) }
        guard let set = unsafe FcFontList(configuration, pattern, wanted) else { return }
        defer { unsafe FcFontSetDestroy(set) }
        // The set states the number of its patterns, and owns them until it is destroyed.
        for index in 0..<Int(unsafe set.pointee.nfont) {
            guard let found = unsafe set.pointee.fonts[index] else { continue }
            // The OpenType formats; Type 1 and older formats are not supported.
            if let format = unsafe string(FC_FONTFORMAT, of: found), format == "TrueType" || format == "CFF" {
                unsafe body(found)
            }
        }
    }

    private static func string(_ key: String, of pattern: OpaquePointer) -> String? {
        var value: UnsafeMutablePointer<FcChar8>?
        guard unsafe FcPatternGetString(pattern, key, 0, &value) == FcResultMatch, let value = unsafe value else {
            return nil
        }
        return unsafe String(cString: value)
    }

    private static func integer(_ key: String, of pattern: OpaquePointer) -> Int? {
        var value: CInt = 0
        guard unsafe FcPatternGetInteger(pattern, key, 0, &value) == FcResultMatch else { return nil }
        return Int(value)
    }
}
#endif

#if Text && !canImport(CoreText)
/// The faces for one request, preferred first, and the choice of a face for each character.
struct FontStack {
    /// The faces of the given fonts, ordered for the request.
    let given: [FontFace]
    /// The installed fonts, or `nil` if they must not be used.
    let system: SystemFonts?
    /// The installed fonts, with colour emoji first.
    let emoji: SystemFonts?
    /// The font for empty lines and for characters that no font has, or `nil` if there is no font at all.
    let primary: FontFace?

    /// The faces chosen for clusters of one visible scalar, and `nil` for those that no font has.
    private var choices: [Choice: FontFace?] = [:]

    /// A cluster of one visible scalar, and whether it is a colour emoji.
    private struct Choice: Hashable {
        let scalar: Unicode.Scalar
        let isEmoji: Bool
    }

    init(given: [FontFace], system: SystemFonts?, emoji: SystemFonts?, primary: FontFace?) {
        self.given = given
        self.system = system
        self.emoji = emoji
        self.primary = primary
    }

    /// Returns the first face with glyphs for the whole cluster, else for its first visible scalar, or `nil` if no font
    /// has that; the primary face for a cluster that is not visible.
    ///
    /// For emoji without text presentation, installed fonts of colour emoji come first.
    mutating func face(
        for cluster: ArraySlice<Unicode.Scalar>, opening open: (SystemFonts.Location) -> FontFace?
    ) -> FontFace? {
        let visible = cluster.filter { !$0.properties.isDefaultIgnorableCodePoint }
        guard let first = visible.first else { return primary }
        let choice = Choice(scalar: first, isEmoji: cluster.isColoredEmoji)
        if visible.count == 1, let known = choices[choice] { return known }
        func find(_ scalars: [Unicode.Scalar]) -> FontFace? {
            self.find(scalars, isEmoji: choice.isEmoji, opening: open)
        }
        let face = find(visible) ?? (visible.count > 1 ? find([first]) : nil)
        if visible.count == 1 {
            // Limits the memory for arbitrary text.
            if choices.count >= 8192 { choices.removeAll() }
            choices[choice] = .some(face)
        }
        return face
    }

    private func find(
        _ scalars: [Unicode.Scalar], isEmoji: Bool, opening open: (SystemFonts.Location) -> FontFace?
    ) -> FontFace? {
        func hasAll(_ face: FontFace) -> Bool { scalars.allSatisfy { face.hasGlyph(for: $0) } }
        if let face = given.first(where: hasAll) { return face }
        func find(in fonts: SystemFonts?, where isWanted: (FontFace) -> Bool) -> FontFace? {
            guard let fonts else { return nil }
            for index in 0..<fonts.count where fonts.covers(scalars, at: index) {
                guard let location = fonts.location(at: index), let face = open(location), isWanted(face) else {
                    continue
                }
                if hasAll(face) { return face }
            }
            return nil
        }
        // Other text uses bitmaps if no font has outlines for it.
        func colored() -> FontFace? { find(in: emoji, where: \.isColored) }
        return (isEmoji ? colored() : nil) ?? find(in: system) { $0.pixelsPerEm == nil } ?? colored()
    }

    /// Returns the given faces in the order for `request`.
    ///
    /// Requested families come first in the request's order, then the other families as given. Within a family, faces
    /// of the right weight and slope come first, then the others as given.
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
