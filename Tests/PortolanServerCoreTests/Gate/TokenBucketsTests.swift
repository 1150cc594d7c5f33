import PortolanServerCore
import Testing

@Suite struct TokenBucketsTests {
    @Test func `a client has its burst and then its rate, independently of others`() throws {
        var buckets = TokenBuckets(try #require(TokenBuckets.Rate(perSecond: 0.5, burst: 2)))
        let first = (0..<3).map { _ in buckets.take("a", at: 0) }
        #expect(first == [nil, nil, 2])
        #expect(buckets.take("b", at: 0) == nil)
        #expect(buckets.take("a", at: 1) == 1)
        #expect(buckets.take("a", at: 2) == nil)
        #expect(buckets.take("a", at: 2) == 2)
        // What is not used is not saved beyond the burst.
        let later = (0..<3).map { _ in buckets.take("a", at: 99) }
        #expect(later == [nil, nil, 2])
    }

    @Test func `an invalid rate gives nil`() {
        #expect(TokenBuckets.Rate(perSecond: 0, burst: 1) == nil)
        #expect(TokenBuckets.Rate(perSecond: .infinity, burst: 1) == nil)
        #expect(TokenBuckets.Rate(perSecond: 1, burst: 0) == nil)
    }

    @Test func `of many clients those that were idle longest are forgotten`() throws {
        var buckets = TokenBuckets(try #require(TokenBuckets.Rate(perSecond: 1, burst: 1)), maximumCount: 10)
        #expect(buckets.take("eager", at: 9.5) == nil)
        for number in 0..<9 { #expect(buckets.take("\(number)", at: 1) == nil) }
        #expect(buckets.take("new", at: 10) == nil)
        #expect(buckets.take("eager", at: 10) == 1)
    }
}
