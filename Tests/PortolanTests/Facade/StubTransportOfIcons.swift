import Portolan
import PortolanFetch
import PortolanTesting

/// A server that has one icon at every address.
enum StubTransportOfIcons {
    static func make(_ body: [UInt8]) -> StubTransport {
        StubTransport { request throws(FetchError) in HTTPResponse(status: 200, body: body, url: request.url) }
    }
}
