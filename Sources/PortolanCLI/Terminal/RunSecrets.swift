import PortolanFetch
import Synchronization

/// The secrets that this run was given, which no text and no JSON shows that leaves it.
///
/// Known before anything is read or asked: also what is said of a wrong option does not show them.
enum RunSecrets {
    private static let known = Mutex(Secrets())

    /// Learns the address of a layer or a document.
    static func learn(url: String) { known.withLock { $0.add(url: url) } }

    /// Learns what is configured, as the proxies of the environment.
    static func learn(_ secrets: Secrets) { known.withLock { $0.formUnion(secrets) } }

    /// A text without them.
    static func removed(from text: String) -> String { known.withLock { $0 }.removed(from: text) }
}
