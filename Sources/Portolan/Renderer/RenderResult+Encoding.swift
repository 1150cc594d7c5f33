import PortolanCodecs
import PortolanPaint
package import PortolanRaster

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Large pictures are painted and encoded some rows at a time, so that neither all pixels nor all bytes lie in memory.
extension RenderResult {
    /// The least number of rows that are painted at a time: an encoder looks at the first ones.
    private static let leastRows = 64
    /// How many pixels are painted at a time.
    package static let pixelsAtATime = 1 << 23

    /// Whether the picture is painted when its pixels are wanted.
    package var isPaintedInBands: Bool { if case .bands = picture.content { true } else { false } }

    /// Gives the bytes of a PNG file, piece by piece.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, and what `add` throws.
    package func encodePNG(
        pixelsAtATime: Int = RenderResult.pixelsAtATime, _ add: ([UInt8]) throws -> Void
    ) throws {
        guard case .bands(let bands) = picture.content else { return try add(PNGEncoder.encode(image)) }
        var writer = try PNGRowWriter(size: bands.size, isOpaque: bands.isOpaque)
        try Self.forEachBand(of: bands, pixelsAtATime) { try add(writer.add($0)) }
        try add(writer.finish())
    }

    /// Gives the bytes of a JPEG file, piece by piece.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, and what `add` throws.
    package func encodeJPEG(
        quality: Int = 85, background: Color, pixelsAtATime: Int = RenderResult.pixelsAtATime,
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

    private static func forEachBand(
        of bands: BandedPicture, _ pixelsAtATime: Int, _ body: (PixelBuffer) throws -> Void
    ) throws {
        let rows = max(pixelsAtATime / bands.size.width, leastRows)
        for first in stride(from: 0, to: bands.size.height, by: rows) {
            // The rest of a picture that nobody waits for is not painted.
            try Task.checkCancellation()
            try body(bands.pixels(ofRows: first..<min(first + rows, bands.size.height)))
        }
    }

    /// Writes a file, whole or not at all.
    func write(to path: String, _ encode: (_ add: ([UInt8]) throws -> Void) throws -> Void) throws {
        var bytes: [UInt8] = []
        try encode { bytes += $0 }
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
