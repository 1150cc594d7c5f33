import PortolanCodecs
import PortolanRaster

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RenderResult {
    /// Writes the picture as a PNG file, whole or not at all.
    ///
    /// - Throws: ``CodecError``, or an error of the file system.
    /// - Complexity: O(pixels).
    public func writePNG(to path: String) throws {
        try Data(PNGEncoder.encode(image)).write(to: URL(filePath: path), options: .atomic)
    }
}
