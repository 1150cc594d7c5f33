import PortolanWeb
import Testing

@Suite struct IPAddressTests {
    /// The spellings that inet_aton(3) and the WHATWG's URL standard take for addresses.
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"),
        ("0", "0.0.0.0"), ("0x", "0.0.0.0"), ("10.256", "10.0.1.0"), ("169.254.43518", "169.254.169.254"),
        ("017700000001", "127.0.0.1"), ("\(String(repeating: "0", count: 80))177.1", "127.0.0.1"),
        ("192.168.0.1", "192.168.0.1"), ("4294967295", "255.255.255.255"),
        ("[::1]", "0:0:0:0:0:0:0:1"), ("::", "0:0:0:0:0:0:0:0"), ("[fe80::1]", "fe80:0:0:0:0:0:0:1"),
        ("[::ffff:127.0.0.1]", "0:0:0:0:0:ffff:7f00:1"), ("[2001:DB8::10:0]", "2001:db8:0:0:0:0:10:0"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ("1::8", "1:0:0:0:0:0:0:8"),
    ])
    func `an address is read in each spelling`(host: String, address: String) {
        #expect(IPAddress(host: host)?.description == address)
    }

    @Test(arguments: [
        "", "maps.example", "a", "1.2.3.4.5", "256.0.0.1", "1.2.3.256", "4294967296", "127.0.0.x", "0x7g", "08.1", "..",
        "1..2",
        "1.2.3.4..", "[::1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":::", "12345::", "g::",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1%eth0", "٣.٣.٣.٣", "1e3", "-1", "+1.2.3.4", "99999999999999999999999999999999999999999999",
    ])
    func `an invalid address is not an IP address`(host: String) {
        #expect(IPAddress(host: host) == nil)
    }

    /// The registries of IANA (RFC 6890 and those that it names).
    @Test(arguments: [
        ("8.8.8.8", IPAddress.Network.global), ("1.1.1.1", .global), ("172.15.255.255", .global),
        ("172.32.0.0", .global),
        ("100.63.255.255", .global), ("100.128.0.0", .global), ("169.253.255.255", .global),
        ("198.17.255.255", .global),
        ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("10.0.0.0", .privateUse), ("172.16.0.0", .privateUse),
        ("172.31.255.255", .privateUse), ("192.168.255.255", .privateUse), ("100.64.0.1", .carrier),
        ("100.127.255.255", .carrier), ("127.255.255.254", .loopback), ("169.254.169.254", .linkLocal),
        ("192.0.2.1", .reserved), ("198.18.0.1", .reserved), ("203.0.113.9", .reserved), ("224.0.0.1", .multicast),
        ("255.255.255.255", .reserved), ("::1", .loopback), ("::", .unspecified), ("::2", .unspecified),
        ("::127.0.0.1", .loopback), ("::ffff:10.0.0.1", .privateUse), ("::ffff:8.8.8.8", .global),
        ("::ffff:0:127.0.0.1", .loopback), ("64:ff9b::8.8.8.8", .global), ("64:ff9b::169.254.169.254", .linkLocal),
        ("64:ff9b:1::1", .privateUse), ("2002:7f00:1::", .loopback), ("2002:808:808::1", .global),
        ("2001::1", .reserved),
        ("2001:db8::1", .reserved), ("2001:4860:4860::8888", .global), ("3fff::1", .reserved),
        ("2606:4700::1111", .global),
        ("fc00::1", .privateUse), ("fdff::1", .privateUse), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("fec0::1", .privateUse), ("ff02::1", .multicast), ("100::1", .reserved), ("4000::1", .reserved),
    ])
    func `each address belongs to its network in the IANA registries`(text: String, network: IPAddress.Network) {
        #expect(IPAddress(host: text)?.network == network)
    }

    @Test func `an address must have four or sixteen bytes`() {
        for count in 0...20 {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect((IPAddress(bytes: bytes) != nil) == (count == 4 || count == 16))
        }
    }
}
