import PortolanFeatures

/// The part of a FlatGeobuf file that holds the next features, of which many are read at once if they are neighbours.
struct FlatGeobufWindow {
    /// The bytes read for a feature without neighbours in the query, and for one with neighbours.
    private static let shortLength = 16 << 10, longLength = 256 << 10

    private let input: DatasetInput
    private let limits: FeatureLimits
    /// The bytes of the part, and their offset in the file.
    private(set) var bytes: [UInt8] = []
    private(set) var start = 0

    init(_ input: DatasetInput, limits: FeatureLimits) {
        self.input = input
        self.limits = limits
    }

    /// Moves to a feature, so that all of it is in the part.
    ///
    /// - Parameter next: the offset of the next feature of the query, or `nil`.
    mutating func move(to place: Int, before next: Int?) throws(FeatureFileError) {
        guard place <= input.byteCount - 4 else {
            throw FeatureFileError(
                .malformed, in: FlatGeobuf.formatName, at: .byte(min(place, input.byteCount)),
                "a feature is outside the file")
        }
        let isNear = next.map { $0 - place < Self.longLength } ?? false
        if !holds(place, 4) { try read(place, isNear ? Self.longLength : Self.shortLength) }
        var reader = ByteReader(bytes, in: FlatGeobuf.formatName, range: place - start..<bytes.count)
        let length = try Int(reader.uint32())
        guard !holds(place, length + 4) else { return }
        guard length <= input.byteCount - place - 4 else {
            throw FeatureFileError(.malformed, in: FlatGeobuf.formatName, at: .byte(place), "unexpected end of data")
        }
        try limits.lookForRoom(length, in: FlatGeobuf.formatName)
        try read(place, max(length + 4, isNear ? Self.longLength : 0))
    }

    private func holds(_ place: Int, _ count: Int) -> Bool {
        place >= start && count <= start + bytes.count - place
    }

    private mutating func read(_ place: Int, _ count: Int) throws(FeatureFileError) {
        bytes = []
        bytes = try input.bytes(place..<place + min(count, input.byteCount - place))
        start = place
    }
}
