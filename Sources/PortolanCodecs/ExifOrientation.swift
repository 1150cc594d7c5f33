import PortolanRaster

/// The Exif orientation of a JPEG, by which its pixels are rotated upright.
///
/// Source: Exif 2.32, section 4.6.4, tag 0x0112. Invalid values count as upright.
enum ExifOrientation: Int {
    case upright = 1, mirrored, turnedHalf, mirroredDown, transposed, turnedRight, transversed, turnedLeft

    /// Reads the orientation of a JPEG file from the segments before its first scan.
    ///
    /// - Complexity: O(segments).
    init(jpeg bytes: [UInt8]) {
        self = .upright
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            // Segments after the first scan are ignored.
            guard marker != 0xDA, length >= 2, place + 2 + length <= bytes.count else { return }
            let content = bytes[(place + 4)..<(place + 2 + length)]
            if marker == 0xE1, content.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) {
                self = Self.orientation(inTIFF: content.dropFirst(6)) ?? .upright
                return
            }
            place += 2 + length
        }
    }

    private static func orientation(inTIFF tiff: ArraySlice<UInt8>) -> ExifOrientation? {
        let start = tiff.startIndex
        let isLittle = tiff.starts(with: [0x49, 0x49])
        guard isLittle || tiff.starts(with: [0x4D, 0x4D]) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= tiff.count - count else { return nil }
            let bytes = tiff[(start + offset)..<(start + offset + count)]
            return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for entry in 0..<count {
            let offset = directory + 2 + entry * 12
            guard let tag = number(offset, 2) else { return nil }
            if tag == 0x0112 { return number(offset + 8, 2).flatMap(ExifOrientation.init(rawValue:)) }
        }
        return nil
    }

    /// Whether width and height are exchanged.
    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the size of an upright picture.
    func upright(_ size: ImageSize) -> ImageSize {
        swapsSides ? ImageSize(width: size.height, height: size.width) ?? size : size
    }

    /// Returns the upright picture.
    ///
    /// - Complexity: O(pixels).
    func upright(_ picture: PixelBuffer) -> PixelBuffer {
        guard self != .upright else { return picture }
        let width = picture.width, height = picture.height
        var turned = PixelBuffer(size: upright(picture.size))
        for y in 0..<turned.height {
            for x in 0..<turned.width {
                let (column, row) =
                    switch self {
                    case .upright: (x, y)
                    case .mirrored: (width - 1 - x, y)
                    case .turnedHalf: (width - 1 - x, height - 1 - y)
                    case .mirroredDown: (x, height - 1 - y)
                    case .transposed: (y, x)
                    case .turnedRight: (y, height - 1 - x)
                    case .transversed: (width - 1 - y, height - 1 - x)
                    case .turnedLeft: (width - 1 - y, x)
                    }
                turned[x, y] = picture[column, row]
            }
        }
        return turned
    }
}
