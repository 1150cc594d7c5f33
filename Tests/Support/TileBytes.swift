/// Writes tiles and their parts for tests.
package enum TileBytes {
    package static func varint(_ value: Int) -> [UInt8] {
        var rest = UInt64(value), bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    package static func field(_ number: Int, _ content: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(content.count) + content
    }

    package static func field(_ number: Int, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }
    package static func field(_ number: Int, _ value: Int) -> [UInt8] { varint(number << 3) + varint(value) }

    /// A feature of an MVT layer.
    package static func feature(id: Int? = nil, type: Int = 1, tags: [Int] = [], _ commands: [Int]) -> [UInt8] {
        field(
            2,
            (id.map { field(1, $0) } ?? []) + (tags.isEmpty ? [] : field(2, tags.flatMap(varint))) + field(3, type)
                + field(4, commands.flatMap(varint)))
    }

    /// An MVT layer.
    package static func layer(
        _ name: String, version: Int = 2, keys: [String] = [], values: [String] = [], extent: Int? = nil,
        _ features: [[UInt8]]
    ) -> [UInt8] {
        field(
            3,
            field(15, version) + field(1, name) + features.flatMap { $0 } + keys.flatMap { field(3, $0) }
                + values.flatMap { field(4, field(1, $0)) } + (extent.map { field(5, $0) } ?? []))
    }

    /// The command of a number of points.
    package static func command(_ id: Int, _ count: Int) -> Int { count << 3 | id }

    /// The commands of rings, whose first vertex is not repeated.
    package static func rings(_ rings: [[(Int, Int)]]) -> [Int] {
        var commands: [Int] = [], last = (0, 0)
        func delta(_ vertex: (Int, Int)) -> [Int] {
            defer { last = vertex }
            return [vertex.0 - last.0, vertex.1 - last.1].map { $0 << 1 ^ $0 >> 63 }
        }
        for ring in rings {
            commands += [9] + delta(ring[0]) + [command(2, ring.count - 1)] + ring.dropFirst().flatMap(delta) + [15]
        }
        return commands
    }

    /// A stream of a MapLibre Tile.
    package static func stream(_ use: Int, _ encoding: Int, count: Int, more: [Int] = [], _ content: [UInt8]) -> [UInt8]
    {
        [UInt8(use), UInt8(encoding)] + varint(count) + varint(content.count) + more.flatMap(varint) + content
    }

    /// A layer of a MapLibre Tile with points at 1, 1 and other columns.
    package static func maplibre(
        points count: Int, columns: [(description: [UInt8], content: [UInt8])] = [], tag: Int = 1
    ) -> [UInt8] {
        let types = stream(0x10, 0x62, count: 2, more: [1, count], varint(count) + [0])
        // Differences of 1, then of 0.
        let vertices = stream(0x13, 0x42, count: 2 * count, [2, 2] + [UInt8](repeating: 0, count: 2 * count - 2))
        let content =
            varint(tag) + [1, 0x61] + varint(4096) + varint(columns.count + 1) + [4]
            + columns.flatMap(\.description) + [2] + types + vertices + columns.flatMap(\.content)
        return varint(content.count) + content
    }
}
