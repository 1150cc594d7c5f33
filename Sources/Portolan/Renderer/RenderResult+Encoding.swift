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
        var stamp = stamp(.png)
        func pass(_ bytes: [UInt8]) throws { try add(stamp?.pass(bytes) ?? bytes) }
        guard case .bands(let bands) = picture.content else { return try pass(PNGEncoder.encode(pageImage)) }
        let isOpaque = bands.isOpaque && picture.page?.isOpaque != false
        var writer = try PNGRowWriter(size: pageSize(of: bands), isOpaque: isOpaque)
        try forEachBand(of: bands, pixelsAtATime) { try pass(writer.add($0)) }
        try pass(writer.finish())
    }

    /// Passes the bytes of a PNG file with at most 256 colours to a closure.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, and errors of `add`.
    package func encodePalettePNG(_ add: ([UInt8]) throws -> Void) throws {
        var stamp = stamp(.png)
        let bytes = try PNGEncoder.encode(pageImage, colors: .palette)
        try add(stamp?.pass(bytes) ?? bytes)
    }

    /// Passes the bytes of a JPEG file to a closure in chunks.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, and errors of `add`.
    package func encodeJPEG(
        quality: Int = 85, background: MapColor, pixelsAtATime: Int = RenderResult.pixelsAtATime,
        _ add: ([UInt8]) throws -> Void
    ) throws {
        let quality = min(max(quality, 1), 100)
        var stamp = stamp(.jpeg)
        func pass(_ bytes: [UInt8]) throws { try add(stamp?.pass(bytes) ?? bytes) }
        guard case .bands(let bands) = picture.content else {
            return try pass(JPEGEncoder.encode(pageImage, quality: quality, background: background))
        }
        var writer = try JPEGRowWriter(size: pageSize(of: bands), quality: quality, background: background)
        try forEachBand(of: bands, pixelsAtATime) { try pass(writer.add($0)) }
        try pass(writer.finish())
    }

    /// Passes the bytes of a PDF document to a closure in chunks.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, ``/PortolanText/TextError``, and errors of `add`.
    package func encodePDF(_ options: PDFOptions = PDFOptions(), _ add: ([UInt8]) throws -> Void) throws {
        try withoutActuallyEscaping(add) { try painter.pdf(options, $0) }
    }

    /// The stamp with the density of the paper, or `nil` without paper.
    private func stamp(_ format: DensityStamp.Format) -> DensityStamp? {
        guard let layout = picture.page?.layout, layout.paper != nil else { return nil }
        return DensityStamp(format, dotsPerInch: layout.dotsPerInch)
    }

    private func pageSize(of bands: BandedPicture) -> ImageSize { picture.page?.layout.size ?? bands.size }

    private func forEachBand(
        of bands: BandedPicture, _ pixelsAtATime: Int, _ body: (PixelBuffer) throws -> Void
    ) throws {
        let size = pageSize(of: bands), rows = max(pixelsAtATime / size.width, Self.leastRows)
        for first in stride(from: 0, to: size.height, by: rows) {
            // The remaining rows are not rendered if the client has cancelled.
            try Task.checkCancellation()
            let band = first..<min(first + rows, size.height)
            guard let page = picture.page else {
                try body(bands.pixels(ofRows: band))
                continue
            }
            try body(page.pixels(ofRows: band) { bands.pixels(ofRows: $0) })
        }
    }
}

extension PixelBuffer {
    /// Returns some rows of the picture, or all.
    func rows(_ rows: Range<Int>) -> PixelBuffer {
        guard rows != 0..<height, let size = ImageSize(width: width, height: rows.count),
            let part = PixelBuffer(
                size: size, pixels: Array(pixels[rows.lowerBound * width..<rows.upperBound * width]))
        else { return self }
        return part
    }
}
