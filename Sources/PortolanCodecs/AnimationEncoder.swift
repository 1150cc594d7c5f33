public import PortolanRaster

/// An encoder for animations: pictures are added in order, then the file is finished.
///
/// ```swift
/// var animation = GIFEncoder()
/// try animation.add(picture, for: .milliseconds(100))
/// let bytes = try animation.finish()
/// ```
public protocol AnimationEncoder {
    /// Adds a picture for a duration.
    ///
    /// - Throws: ``CodecError`` with the code `unsupported` for a picture of another size than the previous ones.
    mutating func add(_ image: PixelBuffer, for duration: Duration) throws(CodecError)

    /// The number of bytes of the pictures so far.
    var byteCount: Int { get }

    /// Returns the animation as a file.
    ///
    /// - Throws: ``CodecError`` with the code `unsupported` if it has no pictures.
    func finish() throws(CodecError) -> [UInt8]
}
