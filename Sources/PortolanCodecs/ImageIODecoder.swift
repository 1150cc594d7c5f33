#if canImport(ImageIO) && !canImport(CPNGShim)
import CoreGraphics
import Foundation
import ImageIO
import PortolanRaster

/// The decoder of Apple platforms, which lack libpng, libjpeg, libwebp and giflib.
///
/// ImageIO applies gAMA, cHRM and embedded profiles; it reports no byte offsets.
struct ImageIODecoder: ImageDecoder {
    private let imageFormat: ImageFormat

    init(_ format: ImageFormat) { imageFormat = format }

    var format: String { imageFormat.rawValue }

    func recognizes(_ head: [UInt8]) -> Bool { ImageFormat(recognizing: head) == imageFormat }

    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        try Self.size(of: Self.source(bytes, format: imageFormat), format: imageFormat, limits: limits)
    }

    func decode(_ bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer {
        let format = imageFormat
        let source = try Self.source(bytes, format: format)
        let size = try Self.size(of: source, format: format, limits: limits)
        _ = try limits.memory(after: size, bytesPerPixel: 8, format: format)
        guard let image = CGImageSourceCreateImageAtIndex(source, 0, nil) else {
            throw CodecError(.corrupt, format: format, detail: "cannot decode the image")
        }
        var pixels = [UInt32](repeating: 0, count: size.pixelCount)
        let isDrawn = unsafe pixels.withUnsafeMutableBytes { (room) -> Bool in
            // The context writes height rows of width * 4 bytes, which is the size of the array.
            guard let context = unsafe ImageIOContext.make(room.baseAddress, size: size) else { return false }
            context.setBlendMode(.copy)
            context.interpolationQuality = .none
            context.draw(image, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
            return true
        }
        guard isDrawn, CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete,
            let picture = PixelBuffer(size: size, pixels: pixels)
        else { throw CodecError(.truncated, format: format, detail: "unexpected end of file") }
        return picture
    }

    private static func source(_ bytes: [UInt8], format: ImageFormat) throws(CodecError) -> CGImageSource {
        guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else {
            throw CodecError(.corrupt, format: format, detail: "cannot read the file")
        }
        return source
    }

    private static func size(
        of source: CGImageSource, format: ImageFormat, limits: ImageDecoders.Limits
    ) throws(CodecError) -> ImageSize {
        guard let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
            let width = properties[kCGImagePropertyPixelWidth] as? Int,
            let height = properties[kCGImagePropertyPixelHeight] as? Int
        else { throw CodecError(.corrupt, format: format, detail: "cannot read the header") }
        return try limits.size(width: width, height: height, format: format.rawValue)
    }
}

/// The encoder of Apple platforms, which lack libdeflate and libjpeg.
enum ImageIOEncoder {
    static func encode(_ image: PixelBuffer, format: ImageFormat, quality: Double) throws(CodecError) -> [UInt8] {
        let failure = CodecError(.outOfMemory, format: format, detail: "cannot encode the image")
        var pixels = image.pixels
        let picture = unsafe pixels.withUnsafeMutableBytes { (room) -> CGImage? in
            unsafe ImageIOContext.make(room.baseAddress, size: image.size)?.makeImage()
        }
        let data = NSMutableData()
        let type = format == .png ? "public.png" : "public.jpeg"
        guard let picture, let destination = CGImageDestinationCreateWithData(data, type as CFString, 1, nil) else {
            throw failure
        }
        let options = [kCGImageDestinationLossyCompressionQuality: quality] as CFDictionary
        CGImageDestinationAddImage(destination, picture, options)
        guard CGImageDestinationFinalize(destination) else { throw failure }
        return [UInt8](data as Data)
    }
}

private enum ImageIOContext {
    /// Creates a context on the caller's memory, packed as in `PixelBuffer`; it must not outlive that memory.
    static func make(_ memory: UnsafeMutableRawPointer?, size: ImageSize) -> CGContext? {
        guard let space = CGColorSpace(name: CGColorSpace.sRGB) else { return nil }
        return unsafe CGContext(
            data: memory, width: size.width, height: size.height, bitsPerComponent: 8, bytesPerRow: size.width * 4,
            space: space,
            bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue | CGBitmapInfo.byteOrder32Big.rawValue)
    }
}
#endif
