import Foundation

/// Standard input, which features can be piped into.
enum StandardInput {
    /// The most bytes taken, as many as of a file or a URL.
    private static let largest = 64 << 20

    /// All that comes, to its end.
    static func bytes() throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let chunk = try FileHandle.standardInput.read(upToCount: 1 << 20), !chunk.isEmpty {
                bytes += chunk
                guard bytes.count <= largest else { throw CommandFailure(.badData, "standard input is over 64 MiB") }
            }
        } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(.noInput, "standard input cannot be read; pipe the features into it")
        }
        return bytes
    }
}
