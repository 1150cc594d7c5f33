/// Why a template of tile addresses cannot be used.
public enum XYZTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A brace is opened and not closed; the number is its place, in characters from 0.
    case unclosedBrace(offset: Int)
    /// The name in braces is none that is understood.
    case unknownPlaceholder(String)
    /// Tiles cannot be told apart without the placeholder named.
    case missingPlaceholder(String)
    /// The template has `{s}` and there are no subdomains.
    case noSubdomains

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .unclosedBrace(let offset): "the brace at character \(offset) is not closed"
        case .unknownPlaceholder(let name):
            "'{\(name)}' is not understood; use {z} {x} {y} {-y} {s} {r} {q}"
        case .missingPlaceholder(let name): "the template needs \(name)"
        case .noSubdomains: "the template has {s}, but there are no subdomains"
        }
    }
}
