import PortolanCodecs
package import PortolanFetch
public import PortolanPaint
public import PortolanRaster

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A rendered picture with its report.
///
/// ```swift
/// let result = try await map.refresh()
/// try result.writePNG(to: "map.png")
/// for warning in result.report.warnings { print(warning) }
/// ```
///
/// A picture of more than 16 million pixels is rendered on demand, one band of rows at a time, so that it needs little
/// memory.
public struct RenderResult: Sendable {
    /// The pixels, or the painter of the picture.
    let picture: MapPicture

    /// The report about requested, received and missing resources.
    public let report: RenderReport

    /// The positions of style labels and icons.
    let symbols: ShownSymbols

    /// The dependencies of the picture, apart from its view and the content of its layers.
    package let validity: ContentValidity

    /// The picture in picture pixels.
    ///
    /// - Complexity: O(1); for a large picture, the cost of rendering and 4 bytes of memory per pixel.
    public var image: PixelBuffer { picture.image }

    /// The picture with the page around it, or the picture alone without a page.
    ///
    /// - Complexity: O(pixels).
    public var pageImage: PixelBuffer {
        guard let page = picture.page else { return image }
        let image = image
        return page.pixels(ofRows: 0..<page.layout.size.height) { image.rows($0) }
    }

    /// The painter, which can render the picture again.
    var painter: MapPainter { picture.painter }

    /// The picture without furniture.
    var ground: PixelBuffer { picture.ground }
}

extension RenderResult {
    /// The bytes of the picture as a PNG file.
    ///
    /// - Throws: ``MapError`` when the picture cannot be painted or encoded.
    /// - Complexity: O(pixels).
    public func png() throws(MapError) -> [UInt8] {
        try Self.bytes { add in try encodePNG(add) }
    }

    /// The bytes of the picture as a JPEG file.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - background: the colour under transparent pixels.
    /// - Throws: ``MapError`` if the picture cannot be painted or encoded, for example because it is too large for the format.
    /// - Complexity: O(pixels).
    public func jpeg(quality: Int = 85, background: MapColor = .white) throws(MapError) -> [UInt8] {
        try Self.bytes { add in try encodeJPEG(quality: quality, background: background, add) }
    }

    /// The bytes of the picture as a WebP file, with its transparency.
    ///
    /// - Throws: ``MapError`` when the picture is too large for the format, or the build lacks the trait `Images`.
    /// - Complexity: O(pixels).
    public func webp(compression: WebPEncoder.Compression = .lossless) throws(MapError) -> [UInt8] {
        do { return try WebPEncoder.encode(pageImage, compression: compression) } catch { throw MapError(any: error) }
    }

    /// All bytes that an encoder gives.
    private static func bytes(_ encode: (_ add: ([UInt8]) throws -> Void) throws -> Void) throws(MapError) -> [UInt8] {
        var bytes: [UInt8] = []
        do { try encode { bytes += $0 } } catch { throw MapError(any: error) }
        return bytes
    }

    /// Writes the picture to a PNG file atomically.
    ///
    /// - Throws: ``MapError``.
    /// - Complexity: O(pixels).
    public func writePNG(to path: String) throws(MapError) {
        try Self.writing(to: path) { try Data(png()).write(to: URL(filePath: path), options: .atomic) }
    }

    /// Returns the picture as an SVG document with scalable and editable shapes and text.
    ///
    /// The document is rendered from the resources of the picture; nothing is fetched. Reprojected and adjacent images
    /// are combined into one image with the pixels of the picture.
    ///
    /// - Returns: the document in UTF-8.
    /// - Throws: ``MapError`` if an image cannot be encoded, or a font has become unusable.
    /// - Complexity: O(shapes in view + pixels).
    public func svg(_ options: SVGOptions = SVGOptions()) throws(MapError) -> [UInt8] {
        do { return try painter.svg(options) } catch { throw MapError(any: error) }
    }

    /// Returns the picture as a PDF document of one page with vector shapes, selectable text and layers.
    ///
    /// A CSS pixel is 1/96 inch. Fonts are embedded as subsets. Layers of the map are layers of the document, its title
    /// and attribution are metadata, and the page is georeferenced if the coordinate system has an EPSG code. The same
    /// map gives the same bytes. The document is rendered from the resources of the picture; nothing is fetched.
    ///
    /// - Throws: ``MapError`` if an image cannot be compressed, or a font has become unusable.
    /// - Complexity: O(shapes in view + pixels).
    public func pdf(_ options: PDFOptions = PDFOptions()) throws(MapError) -> [UInt8] {
        try Self.bytes { add in try encodePDF(options, add) }
    }

    /// Writes the picture to a PDF file atomically.
    ///
    /// - Throws: ``MapError``.
    public func writePDF(to path: String, options: PDFOptions = PDFOptions()) throws(MapError) {
        try Self.writing(to: path) { try Data(pdf(options)).write(to: URL(filePath: path), options: .atomic) }
    }

    /// Returns only the legend, in its own size or exactly in `size`; `nil` if no legend was requested or it is empty.
    ///
    /// - Throws: ``/PortolanText/TextError`` if a font has become unusable.
    package func legendPicture(within size: ImageSize, exact: Bool) throws -> PixelBuffer? {
        try painter.legendPicture(within: size, exact: exact)
    }

    /// Writes the picture to an SVG file atomically.
    ///
    /// - Throws: ``MapError``.
    public func writeSVG(to path: String, options: SVGOptions = SVGOptions()) throws(MapError) {
        try Self.writing(to: path) { try Data(svg(options)).write(to: URL(filePath: path), options: .atomic) }
    }

    /// Writes the picture to a JPEG file atomically.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - background: the colour behind transparent pixels.
    /// - Throws: ``MapError``.
    /// - Complexity: O(pixels).
    public func writeJPEG(to path: String, quality: Int = 85, background: MapColor = .white) throws(MapError) {
        try Self.writing(to: path) {
            try Data(jpeg(quality: quality, background: background)).write(to: URL(filePath: path), options: .atomic)
        }
    }

    /// Writes the picture with transparency to a WebP file atomically.
    ///
    /// - Throws: ``MapError``.
    /// - Complexity: O(pixels).
    public func writeWebP(to path: String, compression: WebPEncoder.Compression = .lossless) throws(MapError) {
        try Self.writing(to: path) {
            try Data(webp(compression: compression)).write(to: URL(filePath: path), options: .atomic)
        }
    }

    /// Performs work that writes a file, and converts errors of the file system.
    private static func writing(to path: String, _ work: () throws -> Void) throws(MapError) {
        do { try work() } catch {
            throw MapError(any: error, code: .unwritableFile, place: MapError.Place(file: path))
        }
    }
}

extension MapRenderer {
    /// The progress of a picture: received and failed resources of all that it needs.
    public struct Progress: Hashable, Sendable {
        /// The number of received and failed resources.
        public let done: Int
        /// The total number of resources.
        public let total: Int

        /// Creates a progress value.
        package init(done: Int, total: Int) {
            self.done = done
            self.total = total
        }
    }
}

extension MapObservation.DrawingOutcome {
    /// Creates the event of a render for the observer.
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
