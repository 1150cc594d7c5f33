import PortolanCodecs
public import PortolanPaint
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

    /// The picture as an SVG document: its shapes and text can be enlarged and edited.
    ///
    /// It is painted anew from what has come for the picture; nothing is fetched. Reprojected images, and those that lie
    /// side by side, are one image of the picture's own pixels.
    ///
    /// - Returns: the document in UTF-8.
    /// - Throws: ``/PortolanCodecs/CodecError`` when an image cannot be encoded, ``/PortolanText/TextError`` when a font has become unusable.
    /// - Complexity: O(shapes in view + pixels).
    public func svg(_ options: SVGOptions = SVGOptions()) throws -> [UInt8] { try painter.svg(options) }

    /// Writes the picture as an SVG file, whole or not at all.
    ///
    /// - Throws: what ``svg(_:)`` throws, or an error of the file system.
    public func writeSVG(to path: String, options: SVGOptions = SVGOptions()) throws {
        try Data(svg(options)).write(to: URL(filePath: path), options: .atomic)
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
