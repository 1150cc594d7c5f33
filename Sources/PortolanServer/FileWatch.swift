#if Server
import Foundation
import PortolanFetch
import PortolanServerCore
import PortolanWeb
import Synchronization

/// The local files that the maps of a server depend on, and what is known of them.
///
/// Files are compared by their stamps once a second, which also works for folders of other machines.
final class FileWatch: Sendable {
    private struct State {
        var paths: Set<String> = []
        var stamps: [String: FileStamp] = [:]
        /// New paths, and when reading them began.
        var added: [String: Date] = [:]
    }

    private let state = Mutex(State())

    /// Sets the files of the maps.
    ///
    /// - Parameters:
    ///   - book: the opened maps, or `nil` to keep watching the present files as well.
    ///   - begin: when reading began; a file that was changed later is read again.
    func files(of configuration: ServerConfiguration, _ book: MapBook?, readSince begin: Date) {
        var paths = configuration.watched.union(configuration.viewer.files)
        if let file = configuration.file { paths.insert(file) }
        for source in configuration.maps { if let document = source.document { paths.insert(document) } }
        state.withLock { state in
            paths.formUnion(book?.files ?? state.paths)
            for path in paths where !state.paths.contains(path) { state.added[path] = begin }
            state.paths = paths
            state.stamps = state.stamps.filter { paths.contains($0.key) }
        }
    }

    /// Calls an action for each change, once the files rest for a second, until the task is cancelled.
    func report(_ action: @Sendable () -> Void) async {
        var last: [String: FileStamp]?
        _ = isChanged(current())
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let now = current()
            guard isChanged(now) else {
                last = nil
                continue
            }
            // A file that is still being written changes again.
            guard last == now else {
                last = now
                continue
            }
            last = nil
            state.withLock { state in
                state.stamps = now
                state.added = [:]
            }
            action()
        }
    }

    private func current() -> [String: FileStamp] {
        let paths = state.withLock(\.paths)
        return Dictionary(uniqueKeysWithValues: paths.map { ($0, FileStamp(path: $0)) })
    }

    /// Whether a known file has another stamp, or a new one was changed after it was read.
    private func isChanged(_ now: [String: FileStamp]) -> Bool {
        state.withLock { state in
            var isChanged = false
            for (path, stamp) in now {
                if let known = state.stamps[path] {
                    if known != stamp { isChanged = true }
                } else if let begin = state.added[path],
                    (MapBook.modificationTime(path) ?? 0) > begin.timeIntervalSince1970
                {
                    isChanged = true
                } else {
                    state.stamps[path] = stamp
                    state.added[path] = nil
                }
            }
            return isChanged
        }
    }
}
#endif
