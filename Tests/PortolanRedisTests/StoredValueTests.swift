import PortolanFetch
import PortolanRedis
import Testing

@Suite struct StoredValueTests {
    static let place = StoredValue.Place(Entry.place)

    @Test(arguments: [[], [7], Array(repeating: 1, count: 4099)] as [[UInt8]], [200, 404])
    func `an entry survives writing and reading`(body: [UInt8], status: Int) throws {
        let entry = Entry.entry(body, status: status)
        let bytes = try #require(StoredValue.bytes(of: entry, for: Entry.key(1), at: Self.place))
        #expect(StoredValue.entry(in: bytes, for: Entry.key(1)) == entry)
        #expect(StoredValue.entry(in: bytes, for: Entry.key(2)) == nil)
    }

    @Test func `any changed bit and any truncation is detected`() throws {
        let bytes = try #require(StoredValue.bytes(of: Entry.entry([1, 2, 3]), for: Entry.key(1), at: Self.place))
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(StoredValue.entry(in: damaged, for: Entry.key(1)) == nil, "byte \(index), bit \(bit)")
            }
            #expect(StoredValue.entry(in: Array(bytes[..<index]), for: Entry.key(1)) == nil)
            // Whatever is left is read without a trap.
            _ = StoredValue.Place(beginning: Array(bytes[..<index]))
        }
    }

    @Test func `header fields over the length limit are not written`() {
        var entry = Entry.entry([1])
        entry.headers = [HTTPHeader(name: "ETag", value: String(repeating: "a", count: 70_000))]
        #expect(StoredValue.bytes(of: entry, for: Entry.key(1), at: Self.place) == nil)
    }

    @Test(
        arguments: [
            (StoreSelection(), true), (StoreSelection(prefix: "https://t.example"), true),
            (StoreSelection(prefix: "https://t.example/tiles/1/"), true),
            (StoreSelection(prefix: "https://t.example/til"), false), (StoreSelection(prefix: "no address"), false),
            (StoreSelection(before: 1_000_001), true), (StoreSelection(before: 1_000_000), false),
            (StoreSelection(bounds: [10.5, 50.5, 20, 60]), true), (StoreSelection(bounds: [11, 50, 20, 60]), false),
            (StoreSelection(prefix: "https://t.example", bounds: [0, 0, 5, 5]), false),
        ])
    func `a selection matches by prefix, bounds and age`(selection: StoreSelection, isNamed: Bool) throws {
        let bytes = try #require(StoredValue.bytes(of: Entry.entry([1]), for: Entry.key(1), at: Self.place))
        let place = try #require(StoredValue.Place(beginning: bytes))
        #expect(place.isNamed(by: selection) == isNamed)
    }
}
