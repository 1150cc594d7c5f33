#if canImport(CoreGraphics)
public import CoreGraphics
import Foundation
public import PortolanRaster

#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// Pictures for Apple's toolkits.
///
/// Experimental: compiled on Apple platforms only, and not covered by the tests.
extension PixelBuffer {
    /// The picture as Core Graphics has it, in sRGB, or `nil` where there is no memory for it.
    ///
    /// - Complexity: O(pixels).
    public var cgImage: CGImage? {
        // The pixels are copied, so that nothing points to them afterwards.
        let bytes = unsafe pixels.withUnsafeBytes { Data($0) }
        guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = CGDataProvider(data: bytes as CFData)
        else { return nil }
        let layout = CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue)
        return unsafe CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4, space: space,
            bitmapInfo: layout, provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }

    #if canImport(UIKit)
    /// The picture for UIKit, with so many pixels a point.
    public func uiImage(scale: Double = 1) -> UIImage? {
        cgImage.map { UIImage(cgImage: $0, scale: scale, orientation: .up) }
    }
    #elseif canImport(AppKit)
    /// The picture for AppKit, with so many pixels a point.
    public func nsImage(scale: Double = 1) -> NSImage? {
        cgImage.map { NSImage(cgImage: $0, size: NSSize(width: Double(width) / scale, height: Double(height) / scale)) }
    }
    #endif
}
#endif
