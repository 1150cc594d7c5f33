import PortolanRaster

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
    func check(byteCount: Int, format: ImageFormat) throws(CodecError) {
        guard byteCount <= maximumByteCount else {
            throw CodecError(
                .limitExceeded, format: format,
                detail: "the file has \(byteCount) bytes, allowed are \(maximumByteCount)")
        }
    }

    /// The size a header gives, when it is within the limits.
    func size(width: Int, height: Int, format: ImageFormat) throws(CodecError) -> ImageSize {
        guard width > 0, height > 0 else {
            throw CodecError(.corrupt, format: format, detail: "the picture is \(width)x\(height), without any pixel")
        }
        guard max(width, height) <= maximumSide else {
            throw CodecError(
                .limitExceeded, format: format,
                detail: "the picture is \(width)x\(height), allowed sides are \(maximumSide)")
        }
        let (pixelCount, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixelCount <= maximumPixelCount, let size = ImageSize(width: width, height: height) else {
            throw CodecError(
                .limitExceeded, format: format,
                detail: "the picture is \(width)x\(height), allowed are \(maximumPixelCount) pixels in all")
        }
        return size
    }

    /// The memory that is left after `bytesPerPixel` for each pixel of `size`.
    func memory(after size: ImageSize, bytesPerPixel: Int, format: ImageFormat) throws(CodecError) -> Int {
        let needed = size.pixelCount * bytesPerPixel
        guard needed <= maximumMemory else {
            throw CodecError(
                .limitExceeded, format: format,
                detail: "\(size) pixels take \(needed) bytes, allowed are \(maximumMemory)")
        }
        return maximumMemory - needed
    }
}
