#if !Images
import PortolanCodecs
import PortolanRaster
import Testing

/// WebP and GIF in a build without the trait `Images`.
@Suite struct ImagesNotBuiltInTests {
    @Test(arguments: [("webp", "libwebp-dev"), ("gif", "libgif-dev")])
    func `decoding without the trait is an error that names the trait and the package`(
        _ ending: String, _ package: String
    ) throws {
        let fixture = try #require(Fixture.all(ending: "." + ending).first)
        let bytes = try fixture.bytes()
        for read in [{ try ImageDecoders.standard.decode(bytes).size }, { try ImageDecoders.standard.size(of: bytes) }]
        {
            let error = #expect(throws: CodecError.self) { _ = try read() }
            #expect(error?.code == .notBuiltIn)
            #expect(error?.format == ending)
            #expect(error?.detail.contains("--traits Images") == true)
            #expect(error?.detail.contains(package) == true)
        }
        #expect(ImageDecoders.standard.recognizes(bytes))
    }

    @Test(arguments: [WebPEncoder.Compression.lossless, .lossy(quality: 80)])
    func `encoding without the trait is an error that names the trait and the package`(
        _ compression: WebPEncoder.Compression
    ) throws {
        let size = try #require(ImageSize(width: 2, height: 2))
        let error = #expect(throws: CodecError.self) {
            try WebPEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(.black)), compression: compression)
        }
        #expect(error?.code == .notBuiltIn)
        #expect(error?.detail.contains("libwebp-dev") == true)
    }
}
#endif
