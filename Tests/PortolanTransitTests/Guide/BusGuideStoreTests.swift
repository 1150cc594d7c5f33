import Foundation
import PortolanFetch
import PortolanTesting
import PortolanTransit
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite struct BusGuideStoreTests {
    private let now = Date(timeIntervalSince1970: 1_795_427_000)

    /// A server that is there or not, whose documents have a tag.
    private final class Server: Sendable {
        struct State {
            var isThere = true
            var tag = "\"1\""
            var kml: [UInt8]
        }

        let state: Mutex<State>

        init() throws { state = Mutex(State(kml: try GuideSample.bytes("routes.kml"))) }

        func transport() throws -> StubTransport {
            let list = try GuideSample.bytes("cooperatives.json")
            return StubTransport { request throws(FetchError) in
                let state = self.state.withLock { $0 }
                guard state.isThere else {
                    throw FetchError(.cannotResolveHost, url: request.url, detail: "no network")
                }
                let headers = [HTTPHeader(name: "ETag", value: state.tag)]
                if request.header("If-None-Match") == state.tag {
                    return HTTPResponse(status: 304, headers: headers, url: request.url)
                }
                let body = request.url.contains("cooperatives") ? list : state.kml
                return HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
            }
        }
    }

    private func store(_ folder: TemporaryFolder, _ transport: StubTransport, key: String = "s3cr3t") -> BusGuide.Store
    {
        BusGuide.Store(
            folder: folder.path + "/guide",
            kml: NamedURL("https://qbus.example/routes.kml?api_key=\(key)", namedBy: .user),
            cooperatives: "https://qbus.example/cooperatives.json",
            fetcher: Fetcher(transport: transport, retries: .none))
    }

    @Test func `the guide is downloaded at the start and stored`() async throws {
        let folder = try TemporaryFolder()
        let transport = try Server().transport()
        let store = store(folder, transport)
        guard case .current(let kept, isNew: true) = await store.start(at: now) else {
            Issue.record("it is not new")
            return
        }
        #expect(kept.guide.routes.count == 6)
        #expect(kept.time == now)
        #expect(try store.kept() == kept)
        guard case .current(let same, isNew: false) = await store.start(at: now + 60) else {
            Issue.record("it is new")
            return
        }
        #expect(same.guide == kept.guide)
        #expect(same.time == now + 60)
        #expect(transport.requests.suffix(2).map { $0.header("If-None-Match") } == ["\"1\"", "\"1\""])
    }

    @Test func `without network and without stored data there is an error`() async throws {
        let folder = try TemporaryFolder()
        let server = try Server()
        server.state.withLock { $0.isThere = false }
        let store = store(folder, try server.transport())
        #expect(await store.start(at: now) == .nothing(.empty))
        #expect(
            BusGuide.StoreError.empty.words(in: "es")
                == "Aún no hay datos guardados. Conéctese a internet una vez para descargarlos.")
        #expect(throws: BusGuide.StoreError.empty) { try store.kept() }
    }

    @Test func `without network the last download is used`() async throws {
        let folder = try TemporaryFolder()
        let server = try Server()
        _ = await store(folder, try server.transport()).start(at: now)
        server.state.withLock { $0.isThere = false }
        let store = store(folder, try server.transport())
        guard case .kept(let kept, .fetch(let error)) = await store.start(at: now + 86_400) else {
            Issue.record("it is not kept")
            return
        }
        #expect(kept.time == now)
        #expect(kept.guide.stops.count == 30)
        #expect(error.code == .cannotResolveHost)
        #expect(kept.guide.search("nanaro").count == 2)
    }

    @Test func `a new guide replaces the old one, an invalid one does not`() async throws {
        let folder = try TemporaryFolder()
        let server = try Server()
        let store = store(folder, try server.transport())
        _ = await store.start(at: now)
        server.state.withLock {
            $0.tag = "\"2\""
            $0.kml = Array("<html>Login".utf8)
        }
        guard case .kept(let kept, .guide) = await store.start(at: now + 1) else {
            Issue.record("it took what is no guide")
            return
        }
        #expect(kept.guide.routes.count == 6)
        server.state.withLock { $0.kml = GuideSample.kml(GuideSample.stop("a", 0, 0)) }
        guard case .current(let new, isNew: true) = await store.start(at: now + 2) else {
            Issue.record("it is not new")
            return
        }
        #expect(new.guide.stops.map(\.id) == ["a"] && (try? store.kept()) == new)
    }

    @Test(arguments: [404, 500, 204, 304])
    func `other responses are not a guide`(status: Int) async throws {
        let folder = try TemporaryFolder()
        let store = store(folder, StubTransport { HTTPResponse(status: status, url: $0.url) })
        do throws(BusGuide.StoreError) {
            _ = try await store.update(at: now)
            Issue.record("it is a guide")
        } catch {
            guard case .fetch(let fault) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(fault.code == .httpStatus)
            #expect(fault.status == status)
        }
    }

    @Test func `an API key is not stored, and validators are not sent to another server`()
        async throws
    {
        let folder = try TemporaryFolder()
        let server = try Server()
        _ = await store(folder, try server.transport()).start(at: now)
        let bytes = try folder.bytes("guide/guide.json")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cr3t"))
        let transport = try server.transport()
        let other = BusGuide.Store(
            folder: folder.path + "/guide", kml: "https://other.example/routes.kml",
            fetcher: Fetcher(transport: transport, retries: .none))
        _ = await other.start(at: now)
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.header("If-None-Match") == nil)
    }

    @Test(arguments: ["", "{}", #"{"format":"portolan-guide-1","time":0,"kml":{"source":"a","data":"?"}}"#])
    func `a damaged file is reported, and replaced by the next download`(text: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/guide", withIntermediateDirectories: true)
        try folder.write(Array(text.utf8), to: "guide/guide.json")
        let store = store(folder, try Server().transport())
        #expect(throws: BusGuide.StoreError.damaged(path: folder.path + "/guide/guide.json")) { try store.kept() }
        #expect(await store.start(at: now).guide != nil && (try? store.kept()) != nil)
    }
}
