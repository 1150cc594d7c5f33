/// The JPEG file of a picture, for documents that embed it unchanged.
package final class JPEGOriginal: Sendable {
    /// The file.
    package let bytes: [UInt8]
    /// The number of colour channels: 1 for grey, 3 for RGB.
    package let channelCount: Int
    /// The decoded pixels.
    private let pixels: [UInt32]
    private let charge: MemoryCharge?

    /// Creates the original of a decoded picture.
    package init(_ bytes: [UInt8], channelCount: Int, of picture: PixelBuffer, charge: MemoryCharge? = nil) {
        self.bytes = bytes
        self.channelCount = channelCount
        pixels = picture.pixels
        self.charge = charge
    }

    /// Returns whether pixels are those that were decoded.
    ///
    /// - Complexity: O(1) for the same storage, which a change copies since this object shares it.
    func isOriginal(of others: [UInt32]) -> Bool { pixels == others }
}
