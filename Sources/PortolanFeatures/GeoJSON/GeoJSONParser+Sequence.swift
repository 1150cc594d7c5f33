import PortolanWeb

extension GeoJSONParser {
    /// Reads objects that are separated by a byte.
    ///
    /// - Complexity: O(*n*), since no object is read beyond its separator.
    mutating func sequence(_ text: Span<UInt8>, separator: UInt8) throws(GeoJSONError) -> FeatureCollection {
        guard text.count <= limits.maximumByteCount else {
            throw error(.limitExceeded, 0, "\(text.count) bytes exceed the limit of \(limits.maximumByteCount)")
        }
        try skipByteOrderMark(text)
        var all = FeatureCollection(features: [])
        var objectCount = 0
        while position < text.count {
            var end = position
            while end < text.count, text[end] != separator { end += 1 }
            let record = text.extracting(0..<end)
            if skipSpace(record) != 0 {
                objectCount += 1
                let featureCount = all.features.count + receivedCount
                guard objectCount <= limits.maximumFeatureCount, featureCount < limits.maximumFeatureCount else {
                    throw error(.limitExceeded, position, "more than \(limits.maximumFeatureCount) features")
                }
                let number = featureCount + 1
                let start = position
                featureNumber = number
                do throws(GeoJSONError) {
                    let found = try object(record)
                    guard skipSpace(record) == 0, position == end else {
                        throw error(.trailingContent, position, "\(self.found(record)) after the end of an object")
                    }
                    for feature in found.features { try keep(feature, in: &all.features) }
                    all.addMembers(of: found)
                } catch {
                    guard !error.code.endsReading, error.code != .unsupportedCRS else { throw error }
                    if firstLoss == nil { firstLoss = error }
                    featureNumber = number
                    warn("\(error.detail); left out", at: max(error.byteOffset, start), effect: .omitted)
                }
            }
            depth = 0
            position = end + 1
        }
        featureNumber = nil
        if all.features.isEmpty, receivedCount == 0, let firstLoss { throw firstLoss }
        return finished(all)
    }
}

extension GeoJSONReader {
    /// Reads objects that are separated by a byte into one collection.
    ///
    /// Unreadable objects are skipped with a warning.
    ///
    /// - Complexity: O(*n*) in the bytes.
    package static func read(
        _ bytes: [UInt8], separatedBy separator: UInt8, limits: FeatureLimits
    ) throws(GeoJSONError) -> FeatureCollection {
        var parser = GeoJSONParser(bytes: bytes, limits: limits)
        return try parser.charging { (parser) throws(GeoJSONError) in
            try parser.sequence(bytes.span, separator: separator)
        }
    }
}

extension FeatureCollection {
    /// Adds the contents of another object of a sequence, except its features.
    fileprivate mutating func addMembers(of other: FeatureCollection) {
        for member in other.foreignMembers where foreignMembers[member.name] == nil {
            foreignMembers[member.name] = member.value
        }
    }
}

extension UInt8 {
    /// Whether the byte is JSON white space (RFC 8259, section 2).
    package var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
