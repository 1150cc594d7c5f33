import PortolanWeb
import Testing

struct Base64Tests {
    // RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the test vectors of the standard are encoded and decoded`(plain: String, encoded: String) throws {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64.decode(Array(encoded.utf8)) == Array(plain.utf8))
    }

    @Test func `every byte is unchanged after encoding and decoding`() throws {
        let bytes = (0...255).map { UInt8($0) }
        #expect(try Base64.decode(Array(Base64.encode(bytes).utf8)) == bytes)
    }

    @Test(arguments: [
        ("Z", Base64.Fault.wrongLength), ("Zg=", .wrongLength), ("Zg===", .wrongLength), ("Zm9v=", .wrongLength),
        ("====", .wrongLength), ("Zg==Zg==", .unexpectedByte(offset: 4)), ("Zm-v", .unexpectedByte(offset: 2)),
    ])
    func `invalid base 64 is refused`(text: String, fault: Base64.Fault) {
        #expect(throws: fault) { try Base64.decode(Array(text.utf8)) }
    }
}
