#if !canImport(CoreText) && canImport(CFreeType)
import CFreeType

/// An instance of FreeType, to be used by one thread at a time.
@safe final class FontLibrary {
    /// The handle; valid as long as this object lives.
    let handle: FT_Library

    /// Starts FreeType, or gives `nil` when there is no memory for it.
    init?() {
        var handle: FT_Library?
        guard unsafe FT_Init_FreeType(&handle) == 0, let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe FT_Done_FreeType(handle) }
}
#endif
