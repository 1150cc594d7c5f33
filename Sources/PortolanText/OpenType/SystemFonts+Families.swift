#if !canImport(CoreText) && canImport(CFontconfig)
import CFontconfig

extension SystemFonts {
    /// The names that stand for a choice of the system's and not for a family.
    private static let genericFamilies = ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui"]

    /// The face of an installed family that is nearest to a request in weight, then in slope; `nil` when there is no
    /// such family.
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
            // A variable font without a chosen instance has a range for a weight, which is no integer.
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

    /// The names of the installed families of OpenType fonts with outlines, sorted.
    static func families() -> [String] {
        var names: Set<String> = []
        unsafe visit(family: nil, keys: [FC_FAMILY]) { pattern in
            if let name = unsafe string(FC_FAMILY, of: pattern) { names.insert(name) }
        }
        return names.sorted()
    }

    /// Shows `body` each installed OpenType font with outlines, of one family or of all, with the keys asked for.
    private static func visit(family: String?, keys: [String], _ body: (OpaquePointer) -> Void) {
        guard let configuration = unsafe FcConfigReference(nil) else { return }
        defer { unsafe FcConfigDestroy(configuration) }
        guard let pattern = unsafe FcPatternCreate() else { return }
        defer { unsafe FcPatternDestroy(pattern) }
        if let family {
            _ = unsafe family.withCString(encodedAs: UTF8.self) { unsafe FcPatternAddString(pattern, FC_FAMILY, $0) }
        }
        unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
        guard let wanted = unsafe FcObjectSetCreate() else { return }
        defer { unsafe FcObjectSetDestroy(wanted) }
        for key in keys + [FC_FONTFORMAT] { unsafe FcObjectSetAdd(wanted, key) }
        guard let set = unsafe FcFontList(configuration, pattern, wanted) else { return }
        defer { unsafe FcFontSetDestroy(set) }
        // The set tells how many patterns it holds, and holds them until it is destroyed.
        for index in 0..<Int(unsafe set.pointee.nfont) {
            guard let found = unsafe set.pointee.fonts[index] else { continue }
            // The formats of OpenType; Type 1 and older ones are not shaped.
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
