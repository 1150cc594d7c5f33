import PortolanCodecs
package import PortolanPaint
package import PortolanRaster

// Large pictures are rendered and encoded in bands, so that neither all pixels nor all bytes are in memory.
extension RenderResult {
    /// The minimum number of rows per band, as an encoder analyses the first rows.
    private static let leastRows = 64
    /// The number of pixels per band.
    package static let pixelsAtATime = 1 << 23

    /// Whether the picture is rendered on demand.
    package var isPaintedInBands: Bool { if case .bands = picture.content { true } else { false } }

    /// Passes the bytes of a PNG file to a closure in chunks.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, and errors of `add`.
    package func encodePNG(
        pixelsAtATime: Int = RenderResult.pixelsAtATime, _ add: ([UInt8]) throws -> Void
    ) throws {
        guard case .bands(let bands) = picture.content else { return try add(PNGEncoder.encode(image)) }
        var writer = try PNGRowWriter(size: bands.size, isOpaque: bands.isOpaque)
        try Self.forEachBand(of: bands, pixelsAtATime) { try add(writer.add($0)) }
        try add(writer.finish())
    }

    /// Passes the bytes of a JPEG file to a closure in chunks.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, and errors of `add`.
    package func encodeJPEG(
        quality: Int = 85, background: MapColor, pixelsAtATime: Int = RenderResult.pixelsAtATime,
        _ add: ([UInt8]) throws -> Void
    ) throws {
        let quality = min(max(quality, 1), 100)
        guard case .bands(let bands) = picture.content else {
            return try add(JPEGEncoder.encode(image, quality: quality, background: background))
        }
        var writer = try JPEGRowWriter(size: bands.size, quality: quality, background: background)
        try Self.forEachBand(of: bands, pixelsAtATime) { try add(writer.add($0)) }
        try add(writer.finish())
    }

    /// Passes the bytes of a PDF document to a closure in chunks.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, ``/PortolanText/TextError``, and errors of `add`.
    package func encodePDF(_ options: PDFOptions = PDFOptions(), _ add: ([UInt8]) throws -> Void) throws {
        try withoutActuallyEscaping(add) { try painter.pdf(options, $0) }
    }

    private static func forEachBand(
        of bands: BandedPicture, _ pixelsAtATime: Int, _ body: (PixelBuffer) throws -> Void
    ) throws {
        let rows = max(pixelsAtATime / bands.size.width, leastRows)
        for first in stride(from: 0, to: bands.size.height, by: rows) {
            // The remaining rows are not rendered if the client has cancelled.
            try Task.checkCancellation()
            try body(bands.pixels(ofRows: first..<min(first + rows, bands.size.height)))
        }
    }
}
