import PortolanCodecs
import PortolanRaster
import PortolanZip

/// A decoder of blocks: tiles or strips.
struct TIFFBlocks {
    let image: TIFFImage

    /// Returns the samples of a block, row by row, each with the byte order of this machine's numbers undone: as the file
    /// has them, without predictor.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the block in the file.
    ///   - offset: their place, for messages.
    func decode(_ bytes: [UInt8], rowCount: Int, at offset: UInt64) throws(TIFFParts.Stop) -> TIFFSamples {
        let count = image.rowByteCount * rowCount
        var samples: [UInt8]
        switch image.compression {
        case .none: samples = bytes
        case .packBits: samples = Self.packBits(bytes, limit: count)
        case .lzw:
            do { samples = try LZWDecoder.decode(bytes, limit: count) } catch {
                throw .init(.malformed, offset: offset + UInt64(error.offset), error.reason)
            }
        case .deflate, .oldDeflate: samples = try Self.unpack(.zlib, bytes, byteLimit: count, at: offset)
        case .zstandard: samples = try Self.unpack(.zstd, bytes, byteLimit: count, at: offset)
        case .lerc: return try lerc(bytes, rowCount: rowCount, at: offset)
        case .jpeg, .webP: return try picture(bytes, rowCount: rowCount, at: offset)
        }
        guard samples.count >= count else {
            throw .init(.malformed, offset: offset, "a block has \(samples.count) bytes of \(count)")
        }
        samples.removeLast(samples.count - count)
        undoPredictor(&samples, rowCount: rowCount)
        return TIFFSamples(
            bytes: samples, width: image.blockWidth, height: rowCount, samplesPerPixel: image.samplesPerBlockPixel,
            bitsPerSample: image.bitsPerSample, format: image.format,
            // The predictor of floats has the highest byte first, whatever the order of the file.
            isLittleEndian: image.predictor == 3 ? false : image.directory.isLittleEndian)
    }

    // MARK: - Compression

    /// Returns the bytes of the runs (TIFF 6.0, section 9), at most `limit`.
    private static func packBits(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var result: [UInt8] = [], index = 0
        result.reserveCapacity(limit)
        while index < bytes.count, result.count < limit {
            let head = Int(Int8(bitPattern: bytes[index]))
            index += 1
            if head >= 0 {
                result += bytes[index..<min(index + head + 1, bytes.count)]
                index += head + 1
            } else if head > -128, index < bytes.count {
                result.append(contentsOf: repeatElement(bytes[index], count: 1 - head))
                index += 1
            }
        }
        return result
    }

    private static func unpack(
        _ form: CompressedContent, _ bytes: [UInt8], byteLimit: Int, at offset: UInt64
    ) throws(TIFFParts.Stop) -> [UInt8] {
        do throws(ZipError) { return try form.unpack(bytes[...], byteLimit: byteLimit) } catch {
            throw .init(error.code == .unsupported ? .unsupported : .malformed, offset: offset, error.detail)
        }
    }

    private static func unpacked<Value>(
        _ offset: UInt64, _ unpack: () throws(BlockDecoders.Failure) -> Value
    ) throws(TIFFParts.Stop) -> Value {
        do throws(BlockDecoders.Failure) { return try unpack() } catch {
            switch error {
            case .notBuiltIn: throw .init(.unsupported, offset: offset, error.words)
            case .malformed: throw .init(.malformed, offset: offset, error.words)
            }
        }
    }

    /// Returns the samples of a block of LERC; pixels that it leaves out have no data, or no opacity.
    private func lerc(_ bytes: [UInt8], rowCount: Int, at offset: UInt64) throws(TIFFParts.Stop) -> TIFFSamples {
        let count = image.rowByteCount * rowCount, channels = image.samplesPerBlockPixel
        var bytes = bytes
        switch image.lercCompression {
        case 0: break
        // A block that cannot be compressed is a little longer than its samples.
        case 1: bytes = try Self.unpack(.zlib, bytes, byteLimit: 2 * count + 4096, at: offset)
        case 2: bytes = try Self.unpack(.zstd, bytes, byteLimit: 2 * count + 4096, at: offset)
        default: throw .init(.unsupported, offset: offset, "LERC with the compression \(image.lercCompression)")
        }
        let type: BlockDecoders.LERCType
        switch (image.format, image.bitsPerSample) {
        case (.unsigned, 8): type = .uint8
        case (.unsigned, 16): type = .uint16
        case (.unsigned, 32): type = .uint32
        case (.signed, 8): type = .int8
        case (.signed, 16): type = .int16
        case (.signed, 32): type = .int32
        case (.float, 32): type = .float32
        case (.float, 64): type = .float64
        default: throw .init(.unsupported, offset: offset, "LERC with samples of \(image.bitsPerSample) bits")
        }
        let blob = bytes
        let block = try Self.unpacked(offset) { () throws(BlockDecoders.Failure) in
            try BlockDecoders.lerc(
                blob, type, width: image.blockWidth, height: rowCount, samplesPerPixel: channels)
        }
        var samples = block.bytes
        if block.samplesPerPixel != channels {
            // The opacity of bytes is kept as the validity of pixels.
            guard block.samplesPerPixel == channels - 1, type == .uint8 else {
                throw .init(
                    .malformed, offset: offset, "\(block.samplesPerPixel) of \(channels) samples in a block of LERC")
            }
            samples = []
            samples.reserveCapacity(count)
            for pixel in 0..<image.blockWidth * rowCount {
                samples += block.bytes[(pixel * (channels - 1))..<((pixel + 1) * (channels - 1))]
                samples.append(block.validity.isEmpty || block.validity[pixel] != 0 ? 255 : 0)
            }
        } else if image.format == .float {
            let width = channels * type.width, nan = [UInt8](repeating: 0xFF, count: width)
            for (pixel, isValid) in block.validity.enumerated() where isValid == 0 {
                samples.replaceSubrange(pixel * width..<(pixel + 1) * width, with: nan)
            }
        }
        return TIFFSamples(
            bytes: samples, width: image.blockWidth, height: rowCount, samplesPerPixel: channels,
            bitsPerSample: image.bitsPerSample, format: image.format, isLittleEndian: Int(1).littleEndian == 1)
    }

    /// Returns the samples of a block that is a picture file of its own.
    private func picture(_ bytes: [UInt8], rowCount: Int, at offset: UInt64) throws(TIFFParts.Stop) -> TIFFSamples {
        guard image.bitsPerSample == 8 else {
            throw .init(.unsupported, offset: offset, "JPEG with samples of \(image.bitsPerSample) bits")
        }
        let file = image.compression == .jpeg ? jpeg(bytes) : bytes
        // An image decoder would read four components as inks.
        if image.compression == .jpeg, image.samplesPerBlockPixel == 4 {
            let samples = try Self.unpacked(offset) { () throws(BlockDecoders.Failure) in
                try BlockDecoders.jpegSamples(file, width: image.blockWidth, rowCount: rowCount)
            }
            return TIFFSamples(
                bytes: samples, width: image.blockWidth, height: rowCount, samplesPerPixel: 4, bitsPerSample: 8,
                format: .unsigned, isLittleEndian: true)
        }
        let pixels: PixelBuffer
        do { pixels = try ImageDecoders.standard.decode(file) } catch {
            throw .init(error.code == .unsupported ? .unsupported : .malformed, offset: offset, error.detail)
        }
        guard pixels.width == image.blockWidth, pixels.height >= rowCount else {
            throw .init(
                .malformed, offset: offset,
                "a picture of \(pixels.width) by \(pixels.height) in a block of \(image.blockWidth) by \(rowCount)")
        }
        let channels = image.samplesPerBlockPixel
        guard channels <= 4 else { throw .init(.unsupported, offset: offset, "pictures with \(channels) samples") }
        var samples: [UInt8] = []
        samples.reserveCapacity(pixels.width * rowCount * channels)
        for pixel in pixels.pixels.prefix(pixels.width * rowCount) {
            let color = Pixel(bits: pixel).color
            samples.append(color.red)
            if channels == 2 { samples.append(color.alpha) }
            if channels > 2 { samples += [color.green, color.blue] }
            if channels > 3 { samples.append(color.alpha) }
        }
        return TIFFSamples(
            bytes: samples, width: pixels.width, height: rowCount, samplesPerPixel: channels, bitsPerSample: 8,
            format: .unsigned, isLittleEndian: true)
    }

    /// Returns a JPEG file with the tables of the image, and with a marker that states its colours (TIFF technical note 2).
    private func jpeg(_ bytes: [UInt8]) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        // Adobe's marker: 0 for samples as they are, 1 for YCbCr.
        let transform: UInt8 = image.photometric == .yCbCr ? 1 : 0
        if image.samplesPerBlockPixel >= 3 {
            file += [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
        }
        // Without the markers of beginning and end.
        if image.jpegTables.count > 4 { file += image.jpegTables[2..<(image.jpegTables.count - 2)] }
        return file + bytes.dropFirst(2)
    }

    // MARK: - Predictors

    private func undoPredictor(_ samples: inout [UInt8], rowCount: Int) {
        guard image.predictor > 1, image.bitsPerSample >= 8 else { return }
        let step = image.samplesPerBlockPixel, width = image.bitsPerSample / 8
        for row in 0..<rowCount {
            let start = row * image.rowByteCount, end = start + image.rowByteCount
            if image.predictor == 3 {
                undoFloats(&samples, start..<end, step: step, width: width)
                continue
            }
            switch width {
            case 1: for index in (start + step)..<max(end, start + step) { samples[index] &+= samples[index - step] }
            default: undoWords(&samples, start..<end, step: step, width: width)
            }
        }
    }

    private func undoWords(_ samples: inout [UInt8], _ row: Range<Int>, step: Int, width: Int) {
        let isLittleEndian = image.directory.isLittleEndian
        for first in stride(from: row.lowerBound + step * width, to: row.upperBound, by: width) {
            let before = first - step * width
            // Bytes from the lowest to the highest, with carry.
            var carry = 0
            for place in 0..<width {
                let byte = isLittleEndian ? place : width - 1 - place
                let sum = Int(samples[first + byte]) + Int(samples[before + byte]) + carry
                samples[first + byte] = UInt8(truncatingIfNeeded: sum)
                carry = sum >> 8
            }
        }
    }

    /// Bytes of equal weight stand together, the highest first, as differences (Adobe Photoshop TIFF technical note 3).
    private func undoFloats(_ samples: inout [UInt8], _ row: Range<Int>, step: Int, width: Int) {
        guard row.count > step else { return }
        for index in (row.lowerBound + step)..<row.upperBound { samples[index] &+= samples[index - step] }
        let planes = Array(samples[row]), count = row.count / width
        for value in 0..<count {
            for byte in 0..<width { samples[row.lowerBound + value * width + byte] = planes[byte * count + value] }
        }
    }
}
