import PortolanCodecs
package import PortolanFetch
public import PortolanPaint
public import PortolanRaster

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A picture and what is to be known about how it came to be.
///
/// A picture of more than 16 million pixels is painted when its pixels are wanted, as many rows at a time as they are written:
/// its size takes time and little memory.
public struct RenderResult: Sendable {
    /// What was painted, or how it is painted.
    let picture: MapPicture

    /// What was asked for, what came and what is missing.
    public let report: RenderReport

    /// The texts and icons of styles where they stand.
    let symbols: ShownSymbols

    /// What the picture depends on, besides its view and what its layers hold themselves.
    package let validity: ContentValidity

    /// The picture, in picture pixels.
    ///
    /// - Complexity: O(1); for a large picture that of painting it, and 4 bytes of memory for each pixel.
    public var image: PixelBuffer { picture.image }

    /// What painted the picture and can paint it again.
    var painter: MapPainter { picture.painter }

    /// The picture without furniture.
    var ground: PixelBuffer { picture.ground }
}

extension RenderResult {
    /// Writes the picture as a PNG file, whole or not at all.
    ///
    /// - Throws: ``MapError``.
    /// - Complexity: O(pixels).
    public func writePNG(to path: String) throws(MapError) {
        try Self.writing(to: path) { try write(to: path) { add in try encodePNG(add) } }
    }

    /// The picture as an SVG document: its shapes and text can be enlarged and edited.
    ///
    /// It is painted anew from what has come for the picture; nothing is fetched. Reprojected images, and those that lie
    /// side by side, are one image of the picture's own pixels.
    ///
    /// - Returns: the document in UTF-8.
    /// - Throws: ``MapError`` when an image cannot be encoded, or a font has become unusable.
    /// - Complexity: O(shapes in view + pixels).
    public func svg(_ options: SVGOptions = SVGOptions()) throws(MapError) -> [UInt8] {
        do { return try painter.svg(options) } catch { throw MapError(any: error) }
    }

    /// The legend alone, as large as what it says or all of `size`; `nil` where none was asked for, or it says nothing.
    ///
    /// - Throws: ``/PortolanText/TextError`` when a font has become unusable.
    package func legendPicture(within size: ImageSize, exact: Bool) throws -> PixelBuffer? {
        try painter.legendPicture(within: size, exact: exact)
    }

    /// Writes the picture as an SVG file, whole or not at all.
    ///
    /// - Throws: ``MapError``.
    public func writeSVG(to path: String, options: SVGOptions = SVGOptions()) throws(MapError) {
        try Self.writing(to: path) { try Data(svg(options)).write(to: URL(filePath: path), options: .atomic) }
    }

    /// Writes the picture as a JPEG file, whole or not at all.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - background: what shows where the picture is not opaque.
    /// - Throws: ``MapError``.
    /// - Complexity: O(pixels).
    public func writeJPEG(to path: String, quality: Int = 85, background: Color = .white) throws(MapError) {
        try Self.writing(to: path) {
            try write(to: path) { add in try encodeJPEG(quality: quality, background: background, add) }
        }
    }

    /// Writes the picture as a WebP file with its transparency, whole or not at all.
    ///
    /// - Throws: ``MapError``.
    /// - Complexity: O(pixels).
    public func writeWebP(to path: String, compression: WebPCompression = .lossless) throws(MapError) {
        try Self.writing(to: path) {
            let bytes = try WebPEncoder.encode(image, compression: compression)
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        }
    }

    /// Does what writes a file; the errors of the file system are those of a file that cannot be written.
    private static func writing(to path: String, _ work: () throws -> Void) throws(MapError) {
        do { try work() } catch {
            throw MapError(any: error, code: .unwritableFile, place: MapError.Place(file: path))
        }
    }
}

/// How far a picture has come: resources that have arrived, or failed, of all that it needs.
public struct RenderProgress: Hashable, Sendable {
    /// Resources that are there or have failed.
    public let done: Int
    /// Resources in all.
    public let total: Int

    /// Makes a progress.
    package init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}

extension DrawingOutcome {
    /// What is told of a drawing to who watches it.
    init(_ result: Result<RenderResult, MapError>, layerCount: Int, duration: Duration) {
        let report: RenderReport?, error: String?
        switch result {
        case .success(let result): (report, error) = (result.report, nil)
        case .failure(let failure): (report, error) = (failure.report, "\(failure.code): \(failure)")
        }
        let times = report?.milliseconds ?? .init()
        self.init(
            layerCount: layerCount, requestedCount: report?.requestedCount ?? 0, failedCount: report?.failedCount ?? 0,
            error: error, duration: duration, planning: .seconds(times.plan / 1000),
            fetching: .seconds(times.fetch / 1000), decoding: .seconds(times.decode / 1000),
            painting: .seconds(times.paint / 1000))
    }
}
