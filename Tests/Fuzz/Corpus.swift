import Foundation

/// The documents that a run begins with.
enum Corpus {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The documents of a kind, in the order of the names of their files.
    static func documents(of kind: FuzzKind) throws -> [[UInt8]] {
        var documents: [[UInt8]] = []
        for pattern in kind.corpus {
            let files = try files(matching: pattern)
            guard !files.isEmpty else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: pattern]) }
            for file in files {
                let bytes = [UInt8](try Data(contentsOf: file))
                if kind.isLines {
                    documents += bytes.split(separator: 0x0A).map { Array($0) }
                } else if bytes.count <= kind.largest {
                    documents.append(bytes)
                }
            }
        }
        return documents
    }

    private static func files(matching pattern: String) throws -> [URL] {
        let url = root.appending(path: pattern)
        let parts = url.lastPathComponent.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return [url] }
        let folder = url.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.count >= parts[0].count + parts[1].count && $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1]) }
            .map { folder.appending(path: $0) }
    }
}
