extension Outline {
    /// The chunks of a PNG.
    mutating func findChunks(_ bytes: [UInt8]) {
        for chunk in PNGChunks.ranges(in: bytes) {
            nodes.append(chunk)
            names.append((chunk.lowerBound + 4)..<(chunk.lowerBound + 8))
            contents.append((chunk.lowerBound + 8)..<(chunk.upperBound - 4))
        }
    }

    /// The segments of a JPEG up to the first scan, and the scans.
    mutating func findSegments(_ bytes: [UInt8]) {
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            var end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            guard end <= bytes.count, end > place + 4 else { return }
            contents.append((place + 4)..<end)
            names.append((place + 1)..<(place + 2))
            if marker == 0xDA {
                let scan = end
                // Scan data continue to a marker that is neither stuffing nor a restart.
                while end + 1 < bytes.count,
                    bytes[end] != 0xFF || bytes[end + 1] == 0 || (0xD0...0xD7).contains(bytes[end + 1])
                { end += 1 }
                contents.append(scan..<end)
            }
            nodes.append(place..<end)
            place = end
        }
    }

    /// The extensions and images of a GIF, their tables and their data.
    mutating func findBlocks(_ bytes: [UInt8]) {
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        guard bytes.count > 13 else { return }
        var place = 13 + table(bytes[10])
        contents += [6..<13, 13..<min(place, bytes.count)]
        while place + 11 < bytes.count, [0x21, 0x2C].contains(bytes[place]) {
            let start = place
            place += 2
            if bytes[start] == 0x2C { place = start + 11 + table(bytes[start + 9]) }
            guard place < bytes.count else { return }
            names.append((start + 1)..<(start + 2))
            contents.append((start + 1)..<place)
            let data = place
            while place < bytes.count, bytes[place] != 0 { place += Int(bytes[place]) + 1 }
            place += 1
            guard place <= bytes.count else { return }
            contents.append(data..<place)
            nodes.append(start..<place)
        }
    }

    /// The chunks of a WebP; those of an animation are nested.
    mutating func findRIFFChunks(_ bytes: [UInt8], in range: Range<Int>) {
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let length = (4..<8).reduce(0) { $0 + Int(bytes[place + $1]) << (8 * ($1 - 4)) }
            let end = place + 8 + length + length % 2
            guard end <= range.upperBound else { return }
            nodes.append(place..<end)
            names.append(place..<(place + 4))
            contents.append((place + 8)..<(place + 8 + length))
            if bytes[place..<(place + 4)].elementsEqual("ANMF".utf8), length >= 16 {
                findRIFFChunks(bytes, in: (place + 24)..<(place + 8 + length))
            }
            place = end
        }
    }
}
