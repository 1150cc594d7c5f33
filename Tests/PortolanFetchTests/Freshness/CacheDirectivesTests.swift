import PortolanFetch
import Testing

@Suite struct CacheDirectivesTests {
    @Test func `all directives for a private cache are parsed`() {
        let read = CacheDirectives([
            "public, MAX-AGE=60 , s-maxage=5",
            "must-revalidate,immutable,stale-while-revalidate=30, stale-if-error=\"9\"",
        ])
        #expect(read.maxAge == 60)
        #expect(read.mustRevalidate)
        #expect(read.isImmutable)
        #expect(read.staleWhileRevalidate == 30)
        #expect(read.staleIfError == 9)
        #expect(!read.isNoStore)
        #expect(!read.isNoCache)
    }

    @Test(
        arguments: [
            (["max-age=x"], 0), (["max-age=-5"], 0), (["max-age"], 0), (["max-age=10, max-age=5"], 5),
            (["max-age=99999999999999999999999"], 1 << 31), ([""], nil), (["private, x=\"a, max-age=7\""], nil),
            (["s-maxage=100"], nil), ([" max-age = 8 "], 8),
        ] as [([String], Int?)])
    func `an invalid max-age means expired`(fields: [String], age: Int?) {
        #expect(CacheDirectives(fields).maxAge == age)
    }

    @Test func `no-store and no-cache are parsed`() {
        #expect(CacheDirectives(["No-Store"]).isNoStore)
        #expect(CacheDirectives(["no-cache=\"set-cookie\""]).isNoCache)
        #expect(!CacheDirectives(["proxy-revalidate, private"]).mustRevalidate)
    }
}
