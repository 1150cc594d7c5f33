import PortolanCodecs
public import PortolanRaster

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RenderResult {
    /// Writes the picture as a PNG file, whole or not at all.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, or an error of the file system.
    /// - Complexity: O(pixels).
    public func writePNG(to path: String) throws {
        try Data(PNGEncoder.encode(image)).write(to: URL(filePath: path), options: .atomic)
    }

    /// Writes the picture as a JPEG file, whole or not at all.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - background: what shows where the picture is not opaque.
    /// - Throws: ``/PortolanCodecs/CodecError``, or an error of the file system.
    /// - Complexity: O(pixels).
    public func writeJPEG(to path: String, quality: Int = 85, background: Color = .white) throws {
        let bytes = try JPEGEncoder.encode(image, quality: min(max(quality, 1), 100), background: background)
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
