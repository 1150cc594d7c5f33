import Synchronization

/// Reads the content of a file in a ZIP archive piece by piece, with constant memory.
///
/// It decompresses at most the length in the archive's directory, and verifies the checksum at the end.
package final class ZipContentReader: Sendable {
    private struct State: ~Copyable {
        var packed: ArraySlice<UInt8>
        var stream: InflateStream?
        var readCount = 0
        var checksum: UInt32 = 0
        var isEnded = false
    }

    /// The length of the content according to the directory.
    package var byteCount: Int { entry.byteCount }

    private let entry: ZipArchive.Entry
    private let start: Int
    private let state: Mutex<State>

    init(_ entry: ZipArchive.Entry, packed: ArraySlice<UInt8>) throws(ZipError) {
        self.entry = entry
        start = packed.startIndex
        let stream = entry.method == 0 ? nil : InflateStream()
        guard entry.method == 0 || stream != nil else {
            throw ZipError(.malformed, offset: packed.startIndex, "not enough memory to decompress '\(entry.name)'")
        }
        state = Mutex(State(packed: packed, stream: stream))
    }

    /// Appends up to `count` bytes of the content, and returns whether there were any.
    ///
    /// - Throws: ``ZipError`` if the content is damaged, or longer than the directory states.
    package func append(_ count: Int, to buffer: inout [UInt8]) throws(ZipError) -> Bool {
        try state.withLock { (state) throws(ZipError) in
            guard !state.isEnded else { return false }
            let before = buffer.count
            if let stream = state.stream {
                guard let isEnded = stream.append(count, of: &state.packed, to: &buffer) else {
                    throw ZipError(.malformed, offset: start, "cannot decompress '\(entry.name)'")
                }
                state.isEnded = isEnded
            } else {
                buffer += state.packed.prefix(count)
                state.packed = state.packed.dropFirst(count)
                state.isEnded = state.packed.isEmpty
            }
            state.readCount += buffer.count - before
            state.checksum = Inflater.checksum(of: buffer[before...], after: state.checksum)
            guard state.readCount <= entry.byteCount else {
                throw ZipError(.malformed, offset: start, "'\(entry.name)' is longer than the directory states")
            }
            if state.isEnded, state.readCount != entry.byteCount || state.checksum != entry.checksum {
                throw .damaged(entry, at: start)
            }
            return buffer.count > before
        }
    }
}
