/// An image of a TIFF file: its samples and the blocks in which they are stored.
struct TIFFImage: Sendable {
    /// The kinds of samples (TIFF 6.0, section 19).
    enum SampleFormat: Int, Sendable {
        case unsigned = 1, signed, float
    }

    /// The meaning of samples (TIFF 6.0, section 8).
    enum Photometric: Int, Sendable {
        case whiteIsZero, blackIsZero, rgb, palette, mask, cmyk, yCbCr
    }

    /// The meaning of samples beyond those of the colour (TIFF 6.0, section 18).
    enum Extra: Int, Sendable {
        case unspecified, associatedAlpha, alpha
    }

    let directory: TIFFDirectory
    /// The size in pixels.
    let width: Int, height: Int
    /// The size of a block: of a tile, or of a strip, which is as wide as the image.
    let blockWidth: Int, blockHeight: Int
    /// Whether blocks are tiles, whose size is the same at the borders of the image.
    let isTiled: Bool
    let samplesPerPixel: Int
    let bitsPerSample: Int
    let format: SampleFormat
    let photometric: Photometric
    let extras: [Extra]
    /// Whether each block has the samples of one band only.
    let isPlanar: Bool
    let compression: TIFFCompression
    /// 1: none, 2: differences of samples, 3: differences of the bytes of floats.
    let predictor: Int
    /// The colours of a palette: reds, greens and blues of 16 bits.
    let colorMap: [Double]
    let jpegTables: [UInt8]
    /// The compression of LERC's blocks: 0 for none, 1 for Deflate, 2 for Zstandard.
    let lercCompression: Int
    /// The value without meaning, as GDAL writes it.
    let noData: Double?
    /// The bits of the field that states what the image is: 1 for an overview, 4 for a mask.
    let subfileType: Int

    private let offsets: TIFFDirectory.Field, byteCounts: TIFFDirectory.Field

    /// The limits: of the width and the height, of the samples of a pixel, and of the bytes of a block.
    static let sideLimit = 1 << 24, sampleLimit = 1024, blockLimit = 64 << 20

    init(_ directory: TIFFDirectory, _ parts: TIFFParts) throws(TIFFParts.Stop) {
        self.directory = directory
        func fault(_ code: TIFFError.Code, _ reason: String) -> TIFFParts.Stop {
            .init(code, offset: directory.offset, reason)
        }
        func whole(_ tag: TIFFTag, or usual: Int) throws(TIFFParts.Stop) -> Int {
            try directory.whole(tag, parts) ?? usual
        }
        width = try whole(.width, or: 0)
        height = try whole(.height, or: 0)
        guard (1...Self.sideLimit).contains(width), (1...Self.sideLimit).contains(height) else {
            throw fault(.malformed, "an image of \(width) by \(height) pixels")
        }
        subfileType = try whole(.newSubfileType, or: 0)
        samplesPerPixel = try whole(.samplesPerPixel, or: 1)
        guard (1...Self.sampleLimit).contains(samplesPerPixel) else {
            throw fault(.limitExceeded, "\(samplesPerPixel) samples per pixel; the limit is \(Self.sampleLimit)")
        }
        let bits = try directory.wholes(.bitsPerSample, parts) ?? [1]
        guard let first = bits.first, bits.allSatisfy({ $0 == first }), [1, 2, 4, 8, 16, 32, 64].contains(first) else {
            throw fault(.unsupported, "samples of \(bits.map { String($0) }.joined(separator: ", ")) bits")
        }
        bitsPerSample = first
        let formats = try directory.wholes(.sampleFormat, parts) ?? [1]
        // 4: undefined, read as whole numbers.
        let number = formats.first.map { $0 == 4 ? 1 : $0 } ?? 1
        guard let format = SampleFormat(rawValue: number), formats.allSatisfy({ $0 == formats[0] }) else {
            throw fault(.unsupported, "samples of the format \(number), such as complex numbers")
        }
        guard format == .float ? bitsPerSample >= 16 : bitsPerSample <= 32 else {
            throw fault(.unsupported, "samples of \(bitsPerSample) bits in the format \(number)")
        }
        self.format = format
        let photometricNumber = try whole(.photometric, or: 1)
        guard let photometric = Photometric(rawValue: photometricNumber), photometric != .cmyk else {
            throw fault(.unsupported, "colours of the kind \(photometricNumber)")
        }
        self.photometric = photometric
        extras = (try directory.wholes(.extraSamples, parts) ?? []).map { Extra(rawValue: $0) ?? .unspecified }
        isPlanar = try whole(.planarConfiguration, or: 1) == 2 && samplesPerPixel > 1
        let compressionNumber = try whole(.compression, or: 1)
        guard let compression = TIFFCompression(rawValue: compressionNumber) else {
            throw fault(
                .unsupported,
                "the compression \(TIFFCompression.names[compressionNumber] ?? String(compressionNumber)) is not supported"
            )
        }
        self.compression = compression
        predictor = try whole(.predictor, or: 1)
        guard (1...3).contains(predictor), predictor != 3 || format == .float else {
            throw fault(.unsupported, "the predictor \(predictor)")
        }
        colorMap = photometric == .palette ? try directory.numbers(.colorMap, parts) ?? [] : []
        jpegTables =
            try directory[.jpegTables].map { field throws(TIFFParts.Stop) in Array(try directory.bytes(field, parts)) }
            ?? []
        let lerc = compression == .lerc ? try directory.wholes(.lercParameters, parts) ?? [] : []
        lercCompression = lerc.count > 1 ? lerc[1] : 0
        let stated = try directory.text(.noData, parts).flatMap { text in
            Double(text.drop { $0 == " " }.prefix { $0 != " " })
        }
        // The text may have more or fewer digits than the values.
        noData = stated.map { format == .float && first == 32 ? Double(Float($0)) : $0 }
        isTiled = directory[.tileWidth] != nil
        blockWidth = isTiled ? try whole(.tileWidth, or: 0) : width
        blockHeight = isTiled ? try whole(.tileHeight, or: 0) : min(try whole(.rowsPerStrip, or: height), height)
        guard let offsets = directory[isTiled ? .tileOffsets : .stripOffsets],
            let byteCounts = directory[isTiled ? .tileByteCounts : .stripByteCounts]
        else { throw fault(.malformed, "an image without the places of its blocks") }
        (self.offsets, self.byteCounts) = (offsets, byteCounts)
        guard (1...Self.sideLimit).contains(blockWidth), (1...Self.sideLimit).contains(blockHeight) else {
            throw fault(.malformed, "blocks of \(blockWidth) by \(blockHeight) pixels")
        }
        guard blockByteCount <= Self.blockLimit else {
            throw fault(
                .limitExceeded, "blocks of \(blockWidth) by \(blockHeight) pixels exceed \(Self.blockLimit >> 20) MiB")
        }
        guard offsets.count >= UInt64(columnCount * rowCount * planeCount), byteCounts.count >= offsets.count else {
            throw fault(.malformed, "the places of \(offsets.count) blocks for \(columnCount * rowCount * planeCount)")
        }
    }

    /// The samples of a pixel in a block.
    var samplesPerBlockPixel: Int { isPlanar ? 1 : samplesPerPixel }
    var planeCount: Int { isPlanar ? samplesPerPixel : 1 }
    var columnCount: Int { (width + blockWidth - 1) / blockWidth }
    var rowCount: Int { (height + blockHeight - 1) / blockHeight }
    /// The bytes of a row of a block.
    var rowByteCount: Int { (blockWidth * samplesPerBlockPixel * bitsPerSample + 7) / 8 }
    /// The bytes of a whole block; blocks are limited when the image is read, so that it does not overflow.
    var blockByteCount: Int {
        rowByteCount.multipliedReportingOverflow(by: blockHeight).overflow ? .max : rowByteCount * blockHeight
    }

    /// Returns the rows that a block has: fewer in the last strip.
    func rowCount(ofBlockRow row: Int) -> Int { isTiled ? blockHeight : min(blockHeight, height - row * blockHeight) }

    /// Returns the place of a block in the file, or `nil` if it is left out, as in sparse files.
    func place(column: Int, row: Int, plane: Int, _ parts: TIFFParts) throws(TIFFParts.Stop) -> Range<UInt64>? {
        let index = UInt64((plane * rowCount + row) * columnCount + column)
        let start = try directory.number(at: index, of: offsets, parts)
        let count = try directory.number(at: index, of: byteCounts, parts)
        guard start > 0, count > 0 else { return nil }
        guard count <= UInt64(Self.blockLimit), start <= parts.byteCount, count <= parts.byteCount - start else {
            throw .init(.malformed, offset: offsets.offset, "block \(index) is not in the file")
        }
        return start..<start + count
    }
}
