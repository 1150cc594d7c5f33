import Foundation
import Portolan
import PortolanFetch
import PortolanRaster

/// Answers of services, and a configuration that waits for nothing.
enum StubService {
    /// An answer of a real server, kept with the tests of the readers.
    static func fixture(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "PortolanServicesTests/Fixtures/\(name)")))
    }

    static func answer(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(text.utf8), url: "")
    }

    static func picture(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [HTTPHeader(name: "Content-Type", value: "image/png")], body: bytes, url: "")
    }

    /// A black PNG.
    static func png(side: Int) throws -> [UInt8] {
        guard let size = ImageSize(width: side, height: side) else { return [] }
        return try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(.black)))
    }

    static let exception = """
        <?xml version="1.0"?><ServiceExceptionReport version="1.3.0">\
        <ServiceException code="LayerNotDefined">no such layer</ServiceException></ServiceExceptionReport>
        """

    static var configuration: RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.usesSystemFonts = false
        configuration.retries = .none
        configuration.circuitBreaker = .none
        return configuration
    }
}
