public import PortolanRaster

/// A reader of one kind of picture file: the seam by which further image formats come in.
///
/// ``ImageDecoders`` asks its decoders in order whether they recognise a file by its first bytes; a file's name or the
/// media type a server states play no part. What a decoder is given may come from anywhere, so it must refuse a file
/// that is damaged or cut off, check the size that the header states before it takes memory, and never stop the program.
public protocol ImageDecoder: Sendable {
    /// The format's short name for error messages, such as `png`.
    var format: String { get }

    /// Whether a file that begins with `head`, its first kibibyte at most, is of this format.
    func recognizes(_ head: [UInt8]) -> Bool

    /// Returns the size of the picture in `bytes`, read from its header only.
    ///
    /// - Throws: ``CodecError``; ``CodecLimits/size(width:height:format:)`` makes the checked size.
    func size(of bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> ImageSize

    /// Returns the picture in `bytes`, premultiplied and in sRGB.
    ///
    /// - Parameters:
    ///   - bytes: one whole file, no longer than the limits allow; bytes behind its end are ignored.
    ///   - limits: to be checked before memory for pixels is taken.
    func decode(_ bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> PixelBuffer

    /// Returns the picture in `bytes` reduced to a size, each pixel about the mean of the area that it stands for.
    ///
    /// A decoder of your own need not have it: the picture is then decoded as a whole and reduced after that.
    ///
    /// - Parameter target: no larger than the picture in either direction.
    func decode(_ bytes: [UInt8], reducedTo target: ImageSize, limits: CodecLimits) throws(CodecError) -> PixelBuffer
}

extension ImageDecoder {
    /// Decodes the whole picture and reduces it.
    public func decode(
        _ bytes: [UInt8], reducedTo target: ImageSize, limits: CodecLimits
    ) throws(CodecError) -> PixelBuffer {
        let picture = try decode(bytes, limits: limits)
        guard target.width <= picture.width, target.height <= picture.height else { return picture }
        return picture.reduced(to: target)
    }
}

/// A decoder that reduces a picture while it reads it, row by row.
protocol ReducingImageDecoder: ImageDecoder {
    /// Returns the picture in `bytes`, reduced where a size is given.
    func decode(_ bytes: [UInt8], to target: ImageSize?, limits: CodecLimits) throws(CodecError) -> PixelBuffer
}

extension ReducingImageDecoder {
    func decode(_ bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> PixelBuffer {
        try decode(bytes, to: nil, limits: limits)
    }

    func decode(_ bytes: [UInt8], reducedTo target: ImageSize, limits: CodecLimits) throws(CodecError) -> PixelBuffer {
        try decode(bytes, to: target, limits: limits)
    }
}

/// The picture formats that can be decoded, told apart by their first bytes.
///
/// The ``standard`` ones are, with the trait `Images`, PNG (all colour types, depths and interlacing), JPEG (grey, YCbCr, RGB, CMYK; sequential and
/// progressive), WebP (lossy, lossless) and GIF. An animation gives one picture: a PNG its default one, a WebP and a GIF
/// their first frame on a canvas that is transparent beside it. All are decoded strictly: a picture that is cut off or
/// damaged is an error, even where other programs show a part of it, so that a broken tile never enters a cache. PNG's
/// gAMA and cHRM chunks are honoured where sRGB is not stated, and so is a JPEG's Exif orientation; embedded ICC profiles
/// are not applied.
public struct ImageDecoders: Sendable {
    /// The decoders in the order in which they are asked; the first that recognises a file decodes it.
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

    /// Makes a list; `ImageDecoders([MyDecoder()] + ImageDecoders.standard.decoders)` adds to the standard ones.
    public init(_ decoders: [any ImageDecoder]) { self.decoders = decoders }

    /// Whether `bytes` are a picture that one of the decoders reads, or one of a known ``ImageFormat``.
    ///
    /// Servers send errors as text under an image's media type, so the bytes decide.
    /// - Complexity: O(decoders); at most the first kibibyte is looked at.
    public func recognizes(_ bytes: [UInt8]) -> Bool {
        decoder(for: bytes) != nil || ImageFormat(recognizing: bytes) != nil
    }

    /// Returns the picture in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: one whole file; bytes behind its end are ignored.
    ///   - limits: checked before memory for pixels is taken.
    /// - Throws: ``CodecError``, with the code `unsupported` where no decoder recognises the file.
    /// - Complexity: O(pixels + bytes).
    public func decode(_ bytes: [UInt8], limits: CodecLimits = CodecLimits()) throws(CodecError) -> PixelBuffer {
        try checkedDecoder(for: bytes, limits: limits).decode(bytes, limits: limits)
    }

    /// Returns the picture in `bytes` for a place on a map.
    ///
    /// A picture that is at least four times as large as the place in both directions is reduced to some twice the place
    /// while it is decoded: it never lies in memory as a whole, but for an interlaced PNG. Any other picture comes in its
    /// own size, pixel for pixel as of ``decode(_:limits:)``.
    ///
    /// - Throws: ``CodecError``, as ``decode(_:limits:)`` does.
    /// - Complexity: O(pixels + bytes).
    public func decode(
        _ bytes: [UInt8], shownIn place: ImageSize, limits: CodecLimits = CodecLimits()
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
    /// What follows the header is not looked at, so ``decode(_:limits:)`` may still fail.
    /// - Throws: ``CodecError``, with the code `unsupported` where no decoder recognises the file.
    public func size(of bytes: [UInt8], limits: CodecLimits = CodecLimits()) throws(CodecError) -> ImageSize {
        try checkedDecoder(for: bytes, limits: limits).size(of: bytes, limits: limits)
    }

    private func decoder(for bytes: [UInt8]) -> (any ImageDecoder)? {
        let head = Array(bytes.prefix(1024))
        return decoders.first { $0.recognizes(head) }
    }

    private func checkedDecoder(for bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> any ImageDecoder {
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
