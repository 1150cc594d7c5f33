#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Atlas {
    /// An atlas as a PDF document, with the report of each page.
    public struct Document: Sendable {
        /// The bytes of the document.
        public let bytes: [UInt8]
        /// The reports of the pages in order.
        public let reports: [RenderReport]

        /// Writes the document to a file atomically.
        ///
        /// - Throws: ``MapError``.
        public func write(to path: String) throws(MapError) {
            do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
                throw MapError(any: error, code: .unwritableFile, place: MapError.Place(file: path))
            }
        }
    }
}
