import Portolan

extension FuzzKind {
    /// A map of features whose document is taken for the user's own, wherever it came from.
    static let deceivedFeatures = remote("deceived-features", .json, corpus: "remote-features") {
        client, url, selects in
        features(of: try await client.data(from: url), namedBy: nil, selects: selects)
    }

    /// A reader that keeps a table for each nested bracket.
    static let hoarding = FuzzKind(
        name: "hoarding", grammar: .json, corpus: ["Tests/Fuzz/Corpus/geojson/*"], largest: 4096
    ) { bytes in
        var depth = 0, tables: [[UInt8]] = []
        for byte in bytes {
            if byte == 0x5B { depth += 1 } else if byte == 0x5D { depth -= 1 }
            if byte == 0x5B, depth > 8 { tables.append(Array(repeating: byte, count: 1 << 14)) }
        }
        return .value("\(magnitude(tables.count))")
    }

    /// A reader that begins again at each byte.
    static let dawdling = FuzzKind(
        name: "dawdling", grammar: .json, corpus: ["Tests/Fuzz/Corpus/geojson/*"], largest: 4096,
        time: Bound(any: 1_000_000, each: 100)
    ) { bytes in
        var hash = 0
        for end in bytes.indices { for byte in bytes[...end] { hash = hash &* 31 &+ Int(byte) } }
        return .value("\(hash & 1)")
    }
}
