import PortolanFetch

/// Entries for tests.
enum Entry {
    static func key(_ number: Int) -> StoreKey { StoreKey(bytes: SHA256.hash(Array("key \(number)".utf8))) }

    static func entry(_ body: [UInt8], status: Int = 200, time: Int = 1_000_000) -> StoredResponse {
        StoredResponse(
            status: status,
            headers: [
                HTTPHeader(name: "Content-Type", value: "image/png"), HTTPHeader(name: "ETag", value: "\"a:b\""),
            ], body: body, responseTime: time, delay: 2)
    }

    static let place = StorePlace(url: "https://t.example/tiles/1/2/3.png", bounds: [10, 50, 11, 51])
}
