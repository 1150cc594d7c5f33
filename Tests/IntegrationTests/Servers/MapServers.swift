import Foundation
import Portolan
import Testing

/// The map servers of `Tests/Servers`, which `Scripts/test` starts before it runs these tests.
struct MapServers {
    /// Where MapServer speaks WMS; ends in `?`.
    let mapServer: String
    /// The root of MapProxy; ends in `/`.
    let mapProxy: String

    /// Where MapProxy speaks WMS.
    var mapProxyService: String { mapProxy + "service?" }

    /// What carries all requests: one set of connections for all tests.
    static let transport = CurlTransport()

    /// The servers that run; a test without them fails rather than passing untested.
    static func running() throws -> MapServers {
        func address(_ variable: String) throws -> String {
            let value = ProcessInfo.processInfo.environment[variable]
            return try #require(
                value?.isEmpty == false ? value : nil,
                "\(variable) is not set: run Scripts/test, which starts the map servers that this test talks to")
        }
        return MapServers(mapServer: try address("MAPSERVER_URL"), mapProxy: try address("MAPPROXY_URL"))
    }
}
