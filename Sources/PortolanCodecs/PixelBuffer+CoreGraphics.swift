#if canImport(CoreGraphics)
public import CoreGraphics
import Foundation
public import PortolanRaster

#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// Pictures for Apple's frameworks.
///
/// This code is not compiled in the project's own builds and tests, which run on Linux.
extension PixelBuffer {
    /// The picture as a Core Graphics image in sRGB, or `nil` if there is not enough memory.
    ///
    /// - Complexity: O(pixels).
    public var cgImage: CGImage? {
        // The pixels are copied, so that nothing refers to them afterwards.
        let bytes = unsafe pixels.withUnsafeBytes { Data($0) }
        guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = CGDataProvider(data: bytes as CFData)
        else { return nil }
        let layout = CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue)
        return unsafe CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4, space: space,
            bitmapInfo: layout, provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }

    #if canImport(UIKit)
    /// Returns the picture for UIKit, with this many pixels per point.
    public func uiImage(scale: Double = 1) -> UIImage? {
        cgImage.map { UIImage(cgImage: $0, scale: scale, orientation: .up) }
    }
    #elseif canImport(AppKit)
    /// Returns the picture for AppKit, with this many pixels per point.
    public func nsImage(scale: Double = 1) -> NSImage? {
        cgImage.map { NSImage(cgImage: $0, size: NSSize(width: Double(width) / scale, height: Double(height) / scale)) }
    }
    #endif
}
#endif
