public import PortolanRaster

/// A decoder for one picture format: the extension point for further formats.
///
/// ``ImageDecoders`` asks its decoders in order whether they recognise a file by its first bytes; file name and media
/// type are ignored. Input is untrusted: a decoder must reject damaged and truncated files, check the size in the
/// header before it allocates memory, and never crash.
public protocol ImageDecoder: Sendable {
    /// The format's short name for error messages, such as `png`.
    var format: String { get }

    /// Returns whether a file is of this format by its first bytes, at most one kibibyte.
    func recognizes(_ head: [UInt8]) -> Bool

    /// Returns the size of the picture in `bytes`, read from its header only.
    ///
    /// - Throws: ``CodecError``; ``ImageDecoders/Limits/size(width:height:format:)`` returns the checked size.
    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize

    /// Returns the picture in `bytes`, premultiplied and in sRGB.
    ///
    /// - Parameters:
    ///   - bytes: a whole file within the limits; bytes after its end are ignored.
    ///   - limits: the limits to check before memory for pixels is allocated.
    func decode(_ bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer

    /// Returns the picture in `bytes` reduced to a size, where each pixel is about the mean of the corresponding area.
    ///
    /// By default the picture is decoded as a whole and then reduced.
    ///
    /// - Parameter target: a size no larger than the picture in either direction.
    func decode(
        _ bytes: [UInt8], reducedTo target: ImageSize, limits: ImageDecoders.Limits
    ) throws(CodecError) -> PixelBuffer
}

extension ImageDecoder {
    /// Decodes the whole picture and reduces it.
    public func decode(
        _ bytes: [UInt8], reducedTo target: ImageSize, limits: ImageDecoders.Limits
    ) throws(CodecError) -> PixelBuffer {
        let picture = try decode(bytes, limits: limits)
        guard target.width <= picture.width, target.height <= picture.height else { return picture }
        return picture.reduced(to: target)
    }
}

/// A decoder that reduces a picture row by row while reading it.
protocol ReducingImageDecoder: ImageDecoder {
    /// Returns the picture in `bytes`, reduced to `target` if it is given.
    func decode(_ bytes: [UInt8], to target: ImageSize?, limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer
}

extension ReducingImageDecoder {
    func decode(_ bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer {
        try decode(bytes, to: nil, limits: limits)
    }

    func decode(
        _ bytes: [UInt8], reducedTo target: ImageSize, limits: ImageDecoders.Limits
    ) throws(CodecError) -> PixelBuffer {
        try decode(bytes, to: target, limits: limits)
    }
}

/// The picture formats that can be decoded, recognised by their first bytes.
///
/// With the trait `Images`, the ``standard`` ones are PNG (all colour types, depths and interlacing), JPEG (grey,
/// YCbCr, RGB, CMYK; sequential and progressive), WebP (lossy, lossless) and GIF. Of an animation one picture is
/// decoded: the default image of a PNG, or the first frame of a WebP or GIF on a transparent canvas. Decoding is
/// strict: a truncated or damaged picture is an error, even if other programs show a part of it, so that a broken tile
/// is never cached. PNG's gAMA and cHRM chunks are used unless sRGB is stated, and so is a JPEG's Exif orientation;
/// embedded ICC profiles are ignored.
public struct ImageDecoders: Sendable {
    /// The decoders in order; the first that recognises a file decodes it.
    public var decoders: [any ImageDecoder]

    /// PNG and JPEG, and with the trait `Images` WebP and GIF.
    public static let standard: ImageDecoders = {
        #if canImport(ImageIO) && !canImport(CPNGShim)
        ImageDecoders([ImageFormat.png, .jpeg, .webp, .gif].map { ImageIODecoder($0) })
        #elseif Images
        ImageDecoders([PNGDecoder(), JPEGDecoder(), WebPDecoder(), GIFDecoder()])
        #else
        ImageDecoders([PNGDecoder(), JPEGDecoder()])
        #endif
    }()

    /// Creates a list; `ImageDecoders([MyDecoder()] + ImageDecoders.standard.decoders)` adds to the standard ones.
    public init(_ decoders: [any ImageDecoder]) { self.decoders = decoders }

    /// Returns whether one of the decoders recognises `bytes`, or they have a known `ImageFormat`.
    ///
    /// Servers may send errors as text with an image media type, so the content decides.
    ///
    /// - Complexity: O(decoders); at most the first kibibyte is read.
    public func recognizes(_ bytes: [UInt8]) -> Bool {
        decoder(for: bytes) != nil || ImageFormat(recognizing: bytes) != nil
    }

    /// Returns the picture in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: a whole file; bytes after its end are ignored.
    ///   - limits: the limits to check before memory for pixels is allocated.
    /// - Throws: ``CodecError``, with the code `unsupported` if no decoder recognises the file.
    /// - Complexity: O(pixels + bytes).
    public func decode(
        _ bytes: [UInt8], limits: ImageDecoders.Limits = ImageDecoders.Limits()
    ) throws(CodecError) -> PixelBuffer {
        try checkedDecoder(for: bytes, limits: limits).decode(bytes, limits: limits)
    }

    /// Returns the picture in `bytes` for display at a size.
    ///
    /// A picture at least four times as large in both directions is reduced while it is decoded to about twice the
    /// size: it is never in memory as a whole, except for an interlaced PNG. Any other picture is returned unchanged,
    /// as by ``decode(_:limits:)``.
    ///
    /// - Throws: ``CodecError``, like ``decode(_:limits:)``.
    /// - Complexity: O(pixels + bytes).
    public func decode(
        _ bytes: [UInt8], shownIn place: ImageSize, limits: ImageDecoders.Limits = ImageDecoders.Limits()
    ) throws(CodecError) -> PixelBuffer {
        let decoder = try checkedDecoder(for: bytes, limits: limits)
        let size = try decoder.size(of: bytes, limits: limits)
        guard let target = ImageReduction.target(for: size, shownIn: place) else {
            return try decoder.decode(bytes, limits: limits)
        }
        return try decoder.decode(bytes, reducedTo: target, limits: limits)
    }

    /// Returns the size of the picture in `bytes`, read from its header only.
    ///
    /// The rest of the file is not read, so ``decode(_:limits:)`` may still fail.
    ///
    /// - Throws: ``CodecError``, with the code `unsupported` if no decoder recognises the file.
    public func size(
        of bytes: [UInt8], limits: ImageDecoders.Limits = ImageDecoders.Limits()
    ) throws(CodecError) -> ImageSize {
        try checkedDecoder(for: bytes, limits: limits).size(of: bytes, limits: limits)
    }

    private func decoder(for bytes: [UInt8]) -> (any ImageDecoder)? {
        let head = Array(bytes.prefix(1024))
        return decoders.first { $0.recognizes(head) }
    }

    private func checkedDecoder(for bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> any ImageDecoder
    {
        guard let decoder = decoder(for: bytes) else {
            if let format = ImageFormat(recognizing: bytes) {
                #if !Images
                if format == .webp || format == .gif { throw .notBuiltIn(format) }
                #endif
                throw CodecError(
                    .unsupported, format: format,
                    detail: "\(format.name) images are not supported; request image/png or image/jpeg from the server")
            }
            throw CodecError(
                code: .unsupported, format: "unknown",
                detail: bytes.isEmpty
                    ? "no data" : "unknown image format; it starts with \(FirstBytes(bytes))")
        }
        try limits.check(byteCount: bytes.count, format: decoder.format)
        return decoder
    }
}
