import Foundation
import Portolan
import PortolanFetch
import TestHelpers
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a suite where the map servers of `Tests/Servers` do not run.
    static var onMapServers: Self {
        .enabled(
            if: TestRig.has(serverIn: "MAPSERVER_URL") && TestRig.has(serverIn: "MAPPROXY_URL"),
            "needs the map servers of Tests/Servers: run Scripts/test --filter NAME, which starts them")
    }
}

/// The map servers of `Tests/Servers`, which `Scripts/test` starts before it runs these tests.
struct MapServers {
    /// Where MapServer speaks WMS; ends in `?`.
    let mapServer: String
    /// The root of MapProxy; ends in `/`.
    let mapProxy: String

    /// Where MapProxy speaks WMS.
    var mapProxyService: String { mapProxy + "service?" }

    /// The transport of all requests: one set of connections for all tests.
    static let transport = systemTransport()

    /// The servers that run; a test that runs without them fails.
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
