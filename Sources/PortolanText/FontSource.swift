/// Where a font that comes before the system's choice is found.
public enum FontSource: Hashable, Sendable {
    /// The path of a TrueType or OpenType font or collection.
    case file(String)
    /// The name of an installed family, compared without regard to case and blanks; `serif`, `sans-serif` and
    /// `monospace` stand for the system's own choice.
    case family(String)
}
