import PortolanCodecs
import PortolanRaster

/// The images of a document, each written once if it is small (ISO 32000-1, clause 8.9).
///
/// An unchanged JPEG image is passed on as it is.
struct PDFImages {
    /// The object numbers of small images.
    private var known: [PixelBuffer: Int] = [:]
    /// The largest number of pixels of an image that is remembered.
    private static let largestShared = 256 * 256

    /// Returns the object number of an image, which is written now unless it is known.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError`` with the code `outOfMemory`.
    mutating func number(of image: PixelBuffer, in file: inout PDFFile) throws(CodecError) -> Int {
        let isShared = image.size.pixelCount <= Self.largestShared
        if isShared, let number = known[image] { return number }
        let size = "/Type/XObject/Subtype/Image/Width \(image.width)/Height \(image.height)/BitsPerComponent 8"
        if let original = image.original {
            let colors = original.channelCount == 1 ? "/DeviceGray" : "/DeviceRGB"
            let number = file.add(
                stream: original.bytes, "\(size)/ColorSpace\(colors)/Interpolate true", filter: "/Filter/DCTDecode")
            if isShared { known[image] = number }
            return number
        }
        let streams = try DeflatedImage(image)
        func filter(channels: Int) -> String {
            guard streams.hasFilters else { return "/Filter/FlateDecode" }
            return "/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors \(channels)/Columns \(image.width)>>"
        }
        let mask = streams.alpha.map { alpha in
            file.add(
                stream: alpha, "\(size)/ColorSpace/DeviceGray/Interpolate true", filter: filter(channels: 1))
        }
        let colors: String, channels: Int
        switch streams.samples {
        case .rgb: (colors, channels) = ("/DeviceRGB", 3)
        case .indexed(let palette):
            let digits = palette.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            (colors, channels) = ("[/Indexed/DeviceRGB \(palette.count / 3 - 1)<\(digits)>]", 1)
        }
        let number = file.add(
            stream: streams.colors,
            "\(size)/ColorSpace\(colors)/Interpolate true" + (mask.map { "/SMask \($0) 0 R" } ?? ""),
            filter: filter(channels: channels))
        if isShared { known[image] = number }
        return number
    }
}
