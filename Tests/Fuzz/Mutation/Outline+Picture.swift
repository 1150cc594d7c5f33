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
                // The data of a scan go on up to a marker that is no stuffing and no restart.
                while end + 1 < bytes.count,
                    bytes[end] != 0xFF || bytes[end + 1] == 0 || (0xD0...0xD7).contains(bytes[end + 1])
                { end += 1 }
                contents.append(scan..<end)
            }
            nodes.append(place..<end)
            place = end
        }
    }
}
