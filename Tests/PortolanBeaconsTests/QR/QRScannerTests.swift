import PortolanBeacons
import PortolanRaster
import Testing

@Suite struct QRScannerTests {
    @Test(.enabled(if: !QRScanner.isAvailable, "the trait ZBar is on"))
    func `scanning without the library is an error that names it`() throws {
        #expect(throws: QRScanner.ScanError.unavailable) { try QRScanner.codes(in: try QRCode("a").picture()) }
        #expect(QRScanner.ScanError.unavailable.description.contains("ZBar"))
    }

    @Test(
        .enabled(if: QRScanner.isAvailable, "the trait ZBar is off"),
        arguments: [
            ("stop-plain.png", StopCode.stop(id: "EC-Q-0123")), ("stop-rotated-noisy.jpg", .stop(id: "EC-Q-0123")),
            (
                "uri.png",
                BeaconAdvertisement.Identity("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/123").map(StopCode.beacon)
            ),
        ])
    func `the code of a stop is read from a picture`(file: String, stop: StopCode?) throws {
        let codes = try QRScanner.codes(in: try Fixtures.picture(file))
        #expect(codes.count == 1)
        #expect(codes.first?.corners.count == 4)
        #expect(try StopCode(try #require(codes.first).text) == stop)
    }

    @Test(.enabled(if: QRScanner.isAvailable, "the trait ZBar is off"), arguments: 0..<8)
    func `written codes are read in all masks and corrections`(mask: Int) throws {
        for correction in QRCode.Correction.allCases {
            let text = "https://qbus.example/stop/\(mask)?a=b"
            let code = try QRCode(text, correction: correction, mask: mask)
            #expect(try QRScanner.codes(in: code.picture(scale: 3)).map(\.text) == [text])
        }
    }

    @Test(.enabled(if: QRScanner.isAvailable, "the trait ZBar is off"))
    func `a picture without a code gives no result`() throws {
        let size = try #require(ImageSize(width: 300, height: 200))
        #expect(try QRScanner.codes(in: PixelBuffer(size: size, filledWith: Pixel(.white))) == [])
        #expect(try QRScanner.codes(in: PixelBuffer(size: size)) == [])
        let small = try #require(ImageSize(width: 1, height: 1))
        #expect(try QRScanner.codes(in: PixelBuffer(size: small)) == [])
    }
}
