import PortolanFetch
import PortolanRedis
import Testing

@Suite struct RedisAddressTests {
    @Test(
        arguments: [
            ("redis://h", RedisStore.Address(.tcp(host: "h", port: 6379))),
            ("redis://h:7000/3", RedisStore.Address(.tcp(host: "h", port: 7000), database: 3)),
            ("redis://h/", RedisStore.Address(.tcp(host: "h", port: 6379))),
            ("valkey://:pass@h", RedisStore.Address(.tcp(host: "h", port: 6379), password: "pass")),
            ("redis://me:p%40:ss@h:1", RedisStore.Address(.tcp(host: "h", port: 1), user: "me", password: "p@:ss")),
            ("redis://[::1]:7/1", RedisStore.Address(.tcp(host: "[::1]", port: 7), database: 1)),
            ("unix:///run/redis/redis.sock", RedisStore.Address(.unix(path: "/run/redis/redis.sock"))),
            ("redis+unix:///a%20b?db=4", RedisStore.Address(.unix(path: "/a b"), database: 4)),
        ])
    func `a URL is parsed`(url: String, address: RedisStore.Address) throws {
        #expect(try RedisStore.Address(url) == address)
    }

    @Test(
        arguments: [
            ("", "is empty"), ("localhost:6379", "must begin with"), ("http://h", "must begin with"),
            ("redis:///1", "missing host"), ("redis://h/x", "database number"),
            ("redis://h/-1", "database number"),
            ("redis://h?db=1", "after the ?"), ("rediss://h", "TLS"), ("unix://", "missing path"),
            ("unix:///s?x=1", "db=NUMBER"), ("redis://secret@h", "user:password"),
            ("redis://a:%zz@h", "percent-encoding"), ("redis://h:99999", "invalid scheme, host or port"),
        ])
    func `an invalid URL is rejected with the reason`(url: String, reason: String) throws {
        let error = #expect(throws: StoreError.self) { try RedisStore.Address(url) }
        #expect(error?.code == .invalid)
        #expect(error?.description.contains(reason) == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `a URL is shown without its password`() throws {
        #expect(try RedisStore.Address("redis://me:secret@h/2").description == "redis://h:6379/2")
        #expect(try RedisStore.Address("unix://:secret@/s?db=1").description == "unix:///s?db=1")
    }
}
