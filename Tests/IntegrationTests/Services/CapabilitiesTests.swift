import Portolan
import Testing

@Suite(.onMapServers) struct CapabilitiesTests {
    @Test(arguments: WMSCapabilities.Version.allCases) func `both servers list their layers in every WMS version`(
        version: WMSCapabilities.Version
    ) async throws {
        let servers = try MapServers.running()
        let one = try await ServiceClient.shared.capabilities(of: servers.mapServer, version: version)
        #expect(one.version == version)
        #expect(
            one.layerNames.filter { $0 != "world" && $0 != "base" && $0 != "political" } == [
                "relief", "lakes", "countries", "cities",
            ])
        #expect(one.layer(named: "relief")?.attribution?.title == nil || version != .v1_0_0)
        let other = try await ServiceClient.shared.capabilities(of: servers.mapProxyService, version: version)
        #expect(other.version == version)
        #expect(Set(other.layerNames).isSuperset(of: ["relief", "political", "cities"]))
    }

    @Test func `the newest WMS version is negotiated by default`() async throws {
        let servers = try MapServers.running()
        for url in [servers.mapServer, servers.mapProxyService] {
            #expect(try await ServiceClient.shared.capabilities(of: url).version == .v1_3_0)
        }
    }

    @Test func `tile sets are listed only if the service has some`() async throws {
        let servers = try MapServers.running()
        let sets = try await ServiceClient.shared.capabilities(of: servers.mapProxyService, withTileSets: true).tileSets
        #expect(
            Set(sets.filter { $0.layers == ["political"] }.map(\.crsName)) == [
                "EPSG:3857", "EPSG:900913", "EPSG:4326", "CRS:84", "EPSG:25830",
            ])
        let none = try await ServiceClient.shared.capabilities(of: servers.mapServer, withTileSets: true).tileSets
        #expect(none.isEmpty)
    }

    @Test func `a response that is not a capabilities document is quoted`() async throws {
        let servers = try MapServers.running()
        let cases: [(url: String, words: String)] = [
            (servers.mapServer.replacing("/wms?", with: "/nothing?"), "404"),
            (servers.mapProxy + "nothing?", "not found"),
            (servers.mapProxy + "tiles/political/webmercator/3/3/2.png?", "responds with an image"),
            (servers.mapProxy + "wmts/1.0.0/WMTSCapabilities.xml?", "responds as a WMTS"),
        ]
        for (url, words) in cases {
            let error = await #expect(throws: MapError.self) {
                try await ServiceClient.shared.capabilities(of: url)
            }
            #expect(error?.message.contains(words) == true, "\(error?.description ?? "")")
        }
    }

    @Test func `an unsupported option lists the supported ones`() async throws {
        let servers = try MapServers.running()
        let map = servers.mapServer, proxy = servers.mapProxyService
        let cases: [(url: String, options: WMSOptions, words: [String])] = [
            (map, WMSOptions(layers: ["countris"]), ["'countris'; did you mean 'countries'?", "relief", "cities"]),
            (map, WMSOptions(layers: []), ["no layer given", "countries"]),
            (
                map, WMSOptions(layers: ["countries"], styles: ["outlin"]),
                ["unknown style 'outlin'", "available: ", "outline"]
            ),
            (
                map, WMSOptions(layers: ["countries"], crsName: "EPSG:2154"),
                ["not available in EPSG:2154", "EPSG:4326, CRS:84, EPSG:3857, EPSG:25830"]
            ),
            (
                map, WMSOptions(layers: ["countries"], format: "image/webp"),
                ["the format image/webp is not offered", "image/png, image/png; mode=8bit, image/jpeg"]
            ),
            (proxy, WMSOptions(layers: ["polar"]), ["unknown layer 'polar'", "relief, political, cities"]),
            (
                proxy, WMSOptions(layers: ["political"], format: "image/gif"),
                ["the format image/gif is not offered", "image/png, image/jpeg"]
            ),
        ]
        for (url, options, words) in cases {
            let error = await #expect(throws: MapError.self) {
                try await ServiceClient.shared.wmsLayer(named: "map", url: url, options: options)
            }
            #expect(error?.code == .notOffered)
            for word in words { #expect(error?.message.contains(word) == true, "\(error?.description ?? "")") }
        }
    }

    @Test func `an unknown tile set results in an error that lists the available ones`() async throws {
        let servers = try MapServers.running()
        func refusal(_ url: String, _ choice: ServiceClient.TileSetOptions) async -> String {
            let error = await #expect(throws: MapError.self) {
                try await ServiceClient.shared.wmscLayer(named: "tiles", url: url, options: choice)
            }
            #expect(error?.code == .notOffered)
            return error?.message ?? ""
        }
        let crs = await refusal(servers.mapProxyService, .init(layers: ["political"], crsName: "EPSG:3035"))
        #expect(crs.contains("political in EPSG:25830 as image/png"))
        #expect(!crs.contains("relief"))
        let layer = await refusal(servers.mapProxyService, .init(layers: ["cities"]))
        #expect(layer.contains("relief in EPSG:3857 as image/jpeg; relief in EPSG:4326 as image/jpeg"))
        #expect(await refusal(servers.mapServer, .init(layers: ["relief"])).contains("lists no tile sets"))
    }

    @Test func `a layer has the attribution of its service`() async throws {
        let servers = try MapServers.running()
        let (layer, _) = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer, options: WMSOptions(layers: ["relief"]))
        #expect(layer.attribution == "Made with Natural Earth; places © GeoNames (CC BY 4.0)")
    }
}
