#if canImport(CPNGShim)
import CPNGShim

/// zlib's level and libpng's filters for one attempt at a picture.
///
/// Measured on maps of 300 by 200 pixels: without filters drawn maps are 20 to 40 % smaller than with any, and the
/// choice of filters costs time; on shaded relief and aerial pictures filters save 15 % at level 9 only. Levels 1, 5
/// and 9 took about 1, 2 and 20 times as long, each a tenth smaller than the one before.
struct PNGEffort {
    let level: CInt
    let filters: CInt

    /// The attempts of which the smallest is taken.
    static func attempts(for compression: PNGCompression) -> [PNGEffort] {
        let none = CInt(PORTOLAN_PNG_FILTER_NONE)
        switch compression {
        case .fast: return [PNGEffort(level: 1, filters: none)]
        case .balanced: return [PNGEffort(level: 5, filters: none)]
        case .small:
            let some = none | CInt(PORTOLAN_PNG_FILTER_SUB) | CInt(PORTOLAN_PNG_FILTER_UP)
            return [PNGEffort(level: 9, filters: none), PNGEffort(level: 9, filters: some)]
        }
    }
}
#endif
