package import PortolanRaster

/// A picture that a source made from its resources, equal only to itself.
package final class MadePicture: Hashable, Sendable {
    /// The pixels.
    package let pixels: PixelBuffer

    package init(_ pixels: PixelBuffer) { self.pixels = pixels }

    /// Returns whether two values are the same picture.
    package static func == (left: MadePicture, right: MadePicture) -> Bool { left === right }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
