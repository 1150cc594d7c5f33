public import PortolanRaster

/// Why a picture could not be decoded or encoded, and where in the file.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Storage: String {
            case corrupt, truncated, limitExceeded, unsupported, notBuiltIn, outOfMemory
        }

        private let storage: Storage

        /// The bytes break the rules of their format.
        public static let corrupt = Code(storage: .corrupt)
        /// The file ends before the picture does.
        public static let truncated = Code(storage: .truncated)
        /// The picture is larger than the limits that were given.
        public static let limitExceeded = Code(storage: .limitExceeded)
        /// The bytes are no picture, or a kind of picture that is not handled here.
        public static let unsupported = Code(storage: .unsupported)
        /// The format needs a trait of the package that this program was built without.
        public static let notBuiltIn = Code(storage: .notBuiltIn)
        /// The system gave no memory.
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

    /// The format's short name, such as `png`, or `unknown` when the bytes are not recognised.
    public let format: String

    /// How many bytes had been read when it failed, or `nil` when no place can be told.
    public let byteOffset: Int?

    /// What is wrong, in words.
    public let detail: String

    /// Makes an error.
    public init(code: Code, format: String, byteOffset: Int? = nil, detail: String) {
        self.code = code
        self.format = format
        self.byteOffset = byteOffset
        self.detail = detail
    }

    /// Makes an error about a known format.
    init(_ code: Code, format: ImageFormat, byteOffset: Int? = nil, detail: String) {
        self.init(code: code, format: format.rawValue, byteOffset: byteOffset, detail: detail)
    }

    /// The error of a format, WebP or GIF, that only the trait `Images` reads and writes.
    static func notBuiltIn(_ format: ImageFormat) -> CodecError {
        let package = format == .gif ? "libgif-dev" : "libwebp-dev"
        return CodecError(
            .notBuiltIn, format: format,
            detail: "this build has no image codecs; install \(package) and build with "
                + "--traits Images")
    }

    /// One line: format, code, place and detail.
    public var description: String {
        let place = byteOffset.map { " at byte \($0)" } ?? ""
        return "\(format) \(code.words)\(place): \(detail)"
    }

    /// Format and code only, for counting failures of one kind.
    public var shortDescription: String { "\(format) \(code)" }
}

/// How large a picture may be before a decoder refuses it, checked from the header before memory is taken.
public struct CodecLimits: Hashable, Sendable {
    /// The most pixels, 2²⁶ by default: a square of 8192 by 8192, 256 MiB decoded.
    public var maximumPixelCount: Int

    /// The longest side in pixels, 65,536 by default.
    public var maximumSide: Int

    /// The longest input in bytes, 64 MiB by default.
    public var maximumByteCount: Int

    /// The most memory a decoder may take for pixels and its own whole-picture buffers, in bytes, 1 GiB by default.
    public var maximumMemory: Int

    /// Makes limits; what is left out has its default.
    public init(
        maximumPixelCount: Int = 1 << 26, maximumSide: Int = 1 << 16, maximumByteCount: Int = 1 << 26,
        maximumMemory: Int = 1 << 30
    ) {
        self.maximumPixelCount = maximumPixelCount
        self.maximumSide = maximumSide
        self.maximumByteCount = maximumByteCount
        self.maximumMemory = maximumMemory
    }

    /// Throws when the input is longer than the limit.
    func check(byteCount: Int, format: String) throws(CodecError) {
        guard byteCount <= maximumByteCount else {
            throw CodecError(
                code: .limitExceeded, format: format,
                detail: "the file has \(byteCount) bytes; the limit is \(maximumByteCount)")
        }
    }

    /// Returns the size that a header states, checked against the limits on sides and pixels.
    ///
    /// - Parameter format: the format's short name for errors, such as `png`.
    /// - Throws: ``CodecError`` with the code `corrupt` for a size without pixels, and `limitExceeded` for one too large.
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

    /// The memory that is left after `bytesPerPixel` for each pixel of `size`.
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
