import PortolanServerCore
import Testing

@Suite struct URLSignatureTests {
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `RFC 4231: the codes equal those of its test cases 1, 2 and 6`(key: [UInt8], message: String, code: String) {
        #expect(EntityTag.hexadecimal(URLSignature.code(Array(message.utf8), key: key)) == code)
    }

    @Test func `a signed URL is accepted until it expires, with the old key too`() throws {
        let old = Array("an old key of 16+".utf8), new = Array("a new key of 16 bytes".utf8)
        let before = try #require(URLSignature(keys: [old])), now = try #require(URLSignature(keys: [new, old]))
        for target in ["/maps/m/static/auto/2x1.png?path=1,2%7C3,4", "/maps/m/static/0,0,3/2x1.png"] {
            for signature in [before, now] {
                let signed = signature.signing(target, expiry: 1000)
                try now.check(signed, now: 1000)
                #expect(throws: Problem.self) { try now.check(signed, now: 1001) }
            }
            #expect(throws: Problem.self) { try before.check(now.signing(target, expiry: 1000), now: 0) }
        }
    }

    @Test(arguments: [
        "/m?expires=99", "/m?expires=99&sig=", "/m?expires=99&sig=AAAA", "/m?sig=x", "/m", "SIGNED&a=b", "SIGNEDA",
        "OTHER", "LATER",
    ])
    func `a changed URL is rejected`(target: String) throws {
        let signature = try #require(URLSignature(keys: [[UInt8](repeating: 7, count: 32)]))
        let signed = signature.signing("/m?a=1", expiry: 99)
        let changed = target.replacing("SIGNED", with: signed)
            .replacing("OTHER", with: signed.replacing("a=1", with: "a=2"))
            .replacing("LATER", with: signed.replacing("expires=99", with: "expires=999"))
        #expect(throws: Problem.self) { try signature.check(changed, now: 0) }
    }

    @Test func `a missing or short key gives nil`() {
        #expect(URLSignature(keys: []) == nil)
        #expect(URLSignature(keys: [Array("short".utf8)]) == nil)
    }
}
