#if canImport(CoreText)
import CoreText
#endif

extension FontBook {
    /// The names of the installed font families, sorted; what ``FontSource/family(_:)`` may name.
    ///
    /// - Complexity: O(installed fonts), and at first use the reading of the system's font configuration.
    public static func installedFamilies() -> [String] {
        #if canImport(CoreText)
        (CTFontManagerCopyAvailableFontFamilyNames() as? [String] ?? []).sorted()
        #elseif canImport(CFontconfig)
        SystemFonts.families()
        #else
        []
        #endif
    }
}
