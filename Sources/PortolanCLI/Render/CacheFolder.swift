import Foundation

/// Where the cache is when nobody says.
package enum CacheFolder {
    /// The folder for this user, or `nil` when the system names none.
    static var standard: String? { standard(in: ProcessInfo.processInfo.environment) }

    /// The same of an environment: `portolan` in `$XDG_CACHE_HOME`, which counts only if it is absolute (XDG Base Directory
    /// Specification 0.8), else in the home folder's `.cache`, on Apple platforms in its `Library/Caches`.
    package static func standard(in environment: [String: String]) -> String? {
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/portolan" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        #if canImport(Darwin)
        return home + "/Library/Caches/portolan"
        #else
        return home + "/.cache/portolan"
        #endif
    }
}
