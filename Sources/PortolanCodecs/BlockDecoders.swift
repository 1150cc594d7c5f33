#if canImport(CJPEGShim)
import CJPEGShim
#endif
#if Images && os(Linux)
import CLerc
#endif

/// Decoders of the blocks of rasters that are not image files, or not images of colours, by LERC and libjpeg.
package enum BlockDecoders {
    /// The failure of decoding a block.
    package enum Failure: Error, Hashable, Sendable {
        /// The library is not built in; the text names the trait and the package.
        case notBuiltIn(String)
        /// The bytes are not valid.
        case malformed(String)

        /// The failure, for people.
        package var words: String {
            switch self {
            case .notBuiltIn(let advice): advice
            case .malformed(let detail): detail
            }
        }
    }

    /// The samples of a block that LERC compressed.
    package struct LERCBlock: Sendable {
        /// The samples in the byte order of the machine, pixel by pixel.
        package let bytes: [UInt8]
        /// The samples of a pixel.
        package let samplesPerPixel: Int
        /// Whether each pixel is valid, 1 or 0; empty if all are.
        package let validity: [UInt8]
    }

    /// The sample types of LERC.
    package enum LERCType: UInt32, Sendable {
        case int8, uint8, int16, uint16, int32, uint32, float32, float64

        /// The bytes of a sample.
        package var width: Int {
            switch self {
            case .int8, .uint8: 1
            case .int16, .uint16: 2
            case .int32, .uint32, .float32: 4
            case .float64: 8
            }
        }
    }

    /// Returns the samples of a block that LERC compressed.
    ///
    /// - Parameters:
    ///   - type: the type that the samples must have.
    ///   - samplesPerPixel: the samples of a pixel at most.
    package static func lerc(
        _ bytes: [UInt8], _ type: LERCType, width: Int, height: Int, samplesPerPixel: Int
    ) throws(Failure) -> LERCBlock {
        #if Images && os(Linux)
        // Version, type, samples per pixel, columns, rows, bands, valid pixels, length, masks.
        var facts = [UInt32](repeating: 0, count: 9)
        let known = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe lerc_getBlobInfo(source.baseAddress, UInt32(source.count), &facts, nil, 9, 0)
        }
        guard known == 0 else { throw .malformed("not a block of LERC") }
        guard facts[1] == type.rawValue, facts[3] == UInt32(width), facts[4] == UInt32(height), facts[5] == 1,
            facts[2] > 0, facts[2] <= UInt32(samplesPerPixel)
        else {
            throw .malformed(
                "a block of LERC with \(facts[2]) samples of type \(facts[1]) in \(facts[3]) by \(facts[4])")
        }
        let depth = Int(facts[2]), hasMask = facts[8] > 0
        var content = [UInt8](repeating: 0, count: width * height * depth * type.width)
        var validity = [UInt8](repeating: 1, count: hasMask ? width * height : 0)
        // Both arrays have the lengths that the library asks for, by the facts of the same bytes.
        let code = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe content.withUnsafeMutableBytes { content in
                unsafe validity.withUnsafeMutableBufferPointer { validity in
                    unsafe lerc_decode(
                        source.baseAddress, UInt32(source.count), hasMask ? 1 : 0, hasMask ? validity.baseAddress : nil,
                        Int32(depth), Int32(width), Int32(height), 1, type.rawValue, content.baseAddress)
                }
            }
        }
        guard code == 0 else { throw .malformed("a damaged block of LERC (\(code))") }
        return LERCBlock(bytes: content, samplesPerPixel: depth, validity: validity)
        #else
        throw .notBuiltIn("LERC is not built in; install liblerc-dev and build with --traits Images")
        #endif
    }

    /// Returns the samples of a JPEG file with four components as they are, such as red, green, blue and alpha.
    ///
    /// - Parameters:
    ///   - width: the width that the file must have.
    ///   - rowCount: the number of rows that are read; the file must have as many.
    package static func jpegSamples(_ bytes: [UInt8], width: Int, rowCount: Int) throws(Failure) -> [UInt8] {
        #if canImport(CJPEGShim)
        do throws(CodecError) {
            // The reader stays inside the closure, and thus no longer than the borrowed bytes.
            let pixels = try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> [UInt32] in
                let reader = try unsafe JPEGReader(buffer), header = try reader.readHeader()
                guard header.components == 4, Int(header.width) == width, Int(header.height) >= rowCount else {
                    throw CodecError(
                        .corrupt, format: .jpeg,
                        detail: "a picture of \(header.width) by \(header.height) with \(header.components) components "
                            + "in a block of \(width) by \(rowCount) with 4")
                }
                try JPEGDecoder.checkPlausible(header, byteCount: buffer.count)
                let memory = ImageDecoders.Limits().maximumByteCount
                _ = try reader.begin(
                    denominator: 1, maximumMemory: memory, maximumScanCount: JPEGDecoder.maximumScanCount,
                    keepsSamples: true)
                return try reader.readRows(rowCount, count: rowCount * width)
            }
            var samples: [UInt8] = []
            samples.reserveCapacity(pixels.count * 4)
            for pixel in pixels {
                let bits = UInt32(littleEndian: pixel)
                samples.append(UInt8(truncatingIfNeeded: bits))
                samples.append(UInt8(truncatingIfNeeded: bits >> 8))
                samples.append(UInt8(truncatingIfNeeded: bits >> 16))
                samples.append(UInt8(truncatingIfNeeded: bits >> 24))
            }
            return samples
        } catch { throw .malformed(error.detail) }
        #else
        throw .notBuiltIn("JPEG with four samples is decoded with libjpeg, which is not built in")
        #endif
    }
}
