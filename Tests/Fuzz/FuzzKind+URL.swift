import Foundation

extension FuzzKind {
    /// Throws if `text` is not a URL by RFC 3986 to which requests could be sent.
    static func checkURL(_ text: String, _ what: String) throws {
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased()
        else {
            throw Violation("\(what) is no URL: \(text.debugDescription.prefix(300))")
        }
        guard ["http", "https"].contains(scheme), url.host()?.isEmpty == false else {
            throw Violation("\(what) is no address on a host: \(text.debugDescription.prefix(300))")
        }
    }
}
