extension Outline {
    /// Elements, attributes and text of XML.
    mutating func findElements(_ bytes: [UInt8]) {
        var open: [Int] = []
        var place = 0
        while let start = bytes[place...].firstIndex(of: 0x3C) {
            if start > place { contents.append(place..<start) }
            guard let close = bytes[start...].firstIndex(of: 0x3E) else { return }
            place = close + 1
            guard start + 1 < close else { continue }
            switch bytes[start + 1] {
            case 0x2F:
                if let first = open.popLast() { nodes.append(first..<place) }
            case 0x21, 0x3F: nodes.append(start..<place)
            default:
                findAttributes(bytes, (start + 1)..<close)
                if bytes[close - 1] == 0x2F { nodes.append(start..<place) } else { open.append(start) }
            }
        }
    }

    private mutating func findAttributes(_ bytes: [UInt8], _ tag: Range<Int>) {
        var place = tag.lowerBound
        func isName(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x3D && byte != 0x2F }
        var end = place
        while end < tag.upperBound, isName(bytes[end]) { end += 1 }
        if end > place { names.append(place..<end) }
        place = end
        while let equals = bytes[place..<tag.upperBound].firstIndex(of: 0x3D) {
            var start = equals
            while start > place, isName(bytes[start - 1]) { start -= 1 }
            guard equals + 1 < tag.upperBound, bytes[equals + 1] == 0x22 || bytes[equals + 1] == 0x27,
                let close = bytes[(equals + 2)..<tag.upperBound].firstIndex(of: bytes[equals + 1])
            else { return }
            names.append(start..<equals)
            contents.append((equals + 2)..<close)
            // The space before is part of it, so that what stays is well-formed.
            nodes.append(max(start - 1, tag.lowerBound)..<(close + 1))
            place = close + 1
        }
    }

    /// Values, members and strings of JSON.
    mutating func findValues(_ bytes: [UInt8]) {
        var open: [Int] = []
        /// Where the member began whose value comes next, at each level.
        var keys: [Int?] = [nil]
        var place = 0
        func finish(_ range: Range<Int>) {
            nodes.append(range)
            if let last = keys.indices.last, let key = keys[last] {
                nodes.append(key..<range.upperBound)
                keys[last] = nil
            }
        }
        while place < bytes.count {
            switch bytes[place] {
            case 0x22:
                var end = place + 1
                while end < bytes.count, bytes[end] != 0x22 { end += bytes[end] == 0x5C ? 2 : 1 }
                end = min(end, bytes.count)
                let whole = place..<min(end + 1, bytes.count)
                let next = bytes[whole.upperBound...].first { $0 > 0x20 }
                if next == 0x3A {
                    names.append((place + 1)..<end)
                    if let last = keys.indices.last { keys[last] = place }
                } else {
                    contents.append((place + 1)..<end)
                    finish(whole)
                }
                place = whole.upperBound
            case 0x7B, 0x5B:
                open.append(place)
                keys.append(nil)
                place += 1
            case 0x7D, 0x5D:
                place += 1
                if keys.count > 1 { keys.removeLast() }
                if let start = open.popLast() { finish(start..<place) }
            case 0x2D, 0x30...0x39, 0x61...0x7A:
                var end = place
                while end < bytes.count, bytes[end] > 0x20, ![0x2C, 0x5D, 0x7D, 0x3A].contains(bytes[end]) { end += 1 }
                finish(place..<end)
                place = end
            default: place += 1
            }
        }
    }

    /// The words of a short text, and what stands between braces.
    mutating func findWords(_ bytes: [UInt8]) {
        let separators: Set<UInt8> = Set("{};:=,/?&#. @[]".utf8)
        var start = 0
        for (index, byte) in bytes.enumerated() where separators.contains(byte) {
            if index > start { contents.append(start..<index) }
            nodes.append(start..<(index + 1))
            start = index + 1
        }
        if start < bytes.count { contents.append(start..<bytes.count) }
        names = contents
    }
}
