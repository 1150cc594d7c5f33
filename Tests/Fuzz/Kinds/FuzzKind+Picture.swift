import PortolanCodecs
import PortolanRaster

extension FuzzKind {
    static let png = FuzzKind(
        name: "png", grammar: .png,
        corpus: [
            "Tests/PortolanCodecsTests/Fixtures/png-*.png", "Tests/PortolanServicesTests/Fixtures/mapserver/map-*.png",
        ], memory: pictureMemory, time: pictureTime, read: picture)

    static let jpeg = FuzzKind(
        name: "jpeg", grammar: .jpeg,
        corpus: [
            "Tests/PortolanCodecsTests/Fixtures/jpeg-*.jpg", "Tests/PortolanServicesTests/Fixtures/mapproxy/map-*.jpg",
        ], memory: pictureMemory, time: pictureTime, read: picture)

    static let webp = FuzzKind(
        name: "webp", grammar: .riff,
        corpus: [
            "Tests/PortolanCodecsTests/Fixtures/webp-*.webp",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/map-*.webp",
        ], memory: pictureMemory, time: pictureTime, read: picture)

    static let gif = FuzzKind(
        name: "gif", grammar: .gif,
        corpus: [
            "Tests/PortolanCodecsTests/Fixtures/gif-*.gif", "Tests/PortolanServicesTests/Fixtures/mapproxy/map-*.gif",
        ], memory: pictureMemory, time: pictureTime, read: picture)

    /// A picture of few bytes has many pixels; those of the limits below, a few times over.
    private static let pictureMemory = Bound(any: 3 << 20, each: 100)

    private static let pictureTime = Bound(any: 150_000_000, each: 2_000)

    private static func picture(_ bytes: [UInt8]) throws -> Outcome {
        let limits = ImageDecoders.Limits(maximumPixelCount: 1 << 16, maximumMemory: 1 << 24)
        let size = try? ImageDecoders.standard.size(of: bytes, limits: limits)
        let picture: PixelBuffer
        do { picture = try ImageDecoders.standard.decode(bytes, limits: limits) } catch {
            return try refused(error.description)
        }
        guard size?.width == picture.width, size?.height == picture.height else {
            throw Violation("the header tells another size than the picture has")
        }
        guard picture.pixels.count == picture.width * picture.height else { throw Violation("pixels are missing") }
        let pixels = picture.pixels.map { Pixel(bits: $0) }
        guard pixels.allSatisfy({ max($0.red, $0.green, $0.blue) <= $0.alpha }) else {
            throw Violation("a colour is brighter than its opacity allows")
        }
        // Written without loss it must come back as it was; colours that shine through are rounded on the way.
        let again: PixelBuffer
        do { again = try ImageDecoders.standard.decode(try PNGEncoder.encode(picture, compression: .fast)) } catch {
            throw Violation("what was written cannot be read: \(error)")
        }
        guard again == picture || pixels.contains(where: { (1..<255).contains($0.alpha) }) else {
            throw Violation("written and read again the picture differs")
        }
        return .value("\(magnitude(picture.width)) \(magnitude(picture.height)) \(pixels.first?.alpha == 255)")
    }
}
