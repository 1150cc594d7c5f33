public import PortolanRaster

/// The reason why a picture could not be decoded or encoded, with the position in the file.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Storage: String {
            case corrupt, truncated, limitExceeded, unsupported, notBuiltIn, outOfMemory
        }

        private let storage: Storage

        /// The file violates its format.
        public static let corrupt = Code(storage: .corrupt)
        /// The file is truncated.
        public static let truncated = Code(storage: .truncated)
        /// The picture exceeds the limits.
        public static let limitExceeded = Code(storage: .limitExceeded)
        /// The file is not a picture, or of an unsupported kind.
        public static let unsupported = Code(storage: .unsupported)
        /// The format needs a package trait that this build lacks.
        public static let notBuiltIn = Code(storage: .notBuiltIn)
        /// There is not enough memory.
        public static let outOfMemory = Code(storage: .outOfMemory)

        /// The kind of failure in words.
        var words: String {
            switch storage {
            case .corrupt: "corrupt"
            case .truncated: "truncated"
            case .limitExceeded: "too large"
            case .unsupported: "unsupported"
            case .notBuiltIn: "not built in"
            case .outOfMemory: "out of memory"
            }
        }

        /// The name of the code, such as `limitExceeded`.
        public var description: String { storage.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// The format's short name, such as `png`, or `unknown` if it is not recognised.
    public let format: String

    /// The number of bytes read before the failure, or `nil` if unknown.
    public let byteOffset: Int?

    /// The message.
    public let detail: String

    /// Creates an error.
    public init(code: Code, format: String, byteOffset: Int? = nil, detail: String) {
        self.code = code
        self.format = format
        self.byteOffset = byteOffset
        self.detail = detail
    }

    /// Creates an error about a known format.
    init(_ code: Code, format: ImageFormat, byteOffset: Int? = nil, detail: String) {
        self.init(code: code, format: format.rawValue, byteOffset: byteOffset, detail: detail)
    }

    /// Returns the error of a format, WebP or GIF, that requires the trait `Images`.
    static func notBuiltIn(_ format: ImageFormat) -> CodecError {
        let package = format == .gif ? "libgif-dev" : "libwebp-dev"
        return CodecError(
            .notBuiltIn, format: format,
            detail: "this build has no image codecs; install \(package) and build with "
                + "--traits Images")
    }

    /// The error in one line: format, code, position and detail.
    public var description: String {
        let place = byteOffset.map { " at byte \($0)" } ?? ""
        return "\(format) \(code.words)\(place): \(detail)"
    }

    /// The format and code only, for counting failures of one kind.
    public var shortDescription: String { "\(format) \(code)" }
}

extension ImageDecoders {
    /// The limits of a picture, which decoders check before they allocate memory.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of pixels; 2²⁶ by default: 8192 by 8192 pixels, 256 MiB decoded.
        public var maximumPixelCount: Int

        /// The maximum length of a side in pixels; 65,536 by default.
        public var maximumSide: Int

        /// The maximum length of the input in bytes; 64 MiB by default.
        public var maximumByteCount: Int

        /// The maximum memory of a decoder for pixels and buffers of the whole picture, in bytes; 1 GiB by default.
        public var maximumMemory: Int

        /// Creates limits.
        public init(
            maximumPixelCount: Int = 1 << 26, maximumSide: Int = 1 << 16, maximumByteCount: Int = 1 << 26,
            maximumMemory: Int = 1 << 30
        ) {
            self.maximumPixelCount = maximumPixelCount
            self.maximumSide = maximumSide
            self.maximumByteCount = maximumByteCount
            self.maximumMemory = maximumMemory
        }

        /// Throws if the input exceeds the limit.
        func check(byteCount: Int, format: String) throws(CodecError) {
            guard byteCount <= maximumByteCount else {
                throw CodecError(
                    code: .limitExceeded, format: format,
                    detail: "the file has \(byteCount) bytes; the limit is \(maximumByteCount)")
            }
        }

        /// Returns the size in a header, checked against the limits on sides and pixels.
        ///
        /// - Parameter format: the format's short name for errors, such as `png`.
        /// - Throws: ``CodecError`` with the code `corrupt` for a size without pixels, and `limitExceeded` for one that is
        ///   too large.
        public func size(width: Int, height: Int, format: String) throws(CodecError) -> ImageSize {
            guard width > 0, height > 0 else {
                throw CodecError(
                    code: .corrupt, format: format, detail: "the image is \(width)x\(height), without any pixel")
            }
            guard max(width, height) <= maximumSide else {
                throw CodecError(
                    code: .limitExceeded, format: format,
                    detail: "the image is \(width)x\(height); the limit per side is \(maximumSide)")
            }
            let (pixelCount, overflows) = width.multipliedReportingOverflow(by: height)
            guard !overflows, pixelCount <= maximumPixelCount, let size = ImageSize(width: width, height: height) else {
                throw CodecError(
                    code: .limitExceeded, format: format,
                    detail: "the image is \(width)x\(height); the limit is \(maximumPixelCount) pixels in total")
            }
            return size
        }

        /// Returns the memory limit minus `bytesPerPixel` for each pixel of `size`.
        func memory(after size: ImageSize, bytesPerPixel: Int, format: ImageFormat) throws(CodecError) -> Int {
            let needed = size.pixelCount * bytesPerPixel
            guard needed <= maximumMemory else {
                throw CodecError(
                    .limitExceeded, format: format,
                    detail: "\(size) pixels need \(needed) bytes; the limit is \(maximumMemory)")
            }
            return maximumMemory - needed
        }
    }
}
