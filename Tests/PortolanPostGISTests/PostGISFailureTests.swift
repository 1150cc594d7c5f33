#if PostGIS
import Foundation
import PortolanFetch
import PortolanFormats
import PortolanGeo
import PortolanFeatures
import TestHelpers
import Testing

@testable import PortolanPostGIS

/// Connections and queries that fail.
@Suite(.onPostGISServer) struct PostGISFailureTests {
    private func failure(
        _ database: PostGISDatabase, _ work: (PostGISDatabase) async throws(PostGISError) -> Void
    ) async -> PostGISError? {
        do { try await work(database) } catch { return error }
        return nil
    }

    private func asleep(_ database: PostGISDatabase, seconds: Int = 60) async throws(PostGISError) {
        try await database.pool.transaction { (connection, ticket) throws(PostGISError) in
            _ = try connection.query("SELECT pg_sleep(\(seconds))::text", ticket)
        }
    }

    @Test func `a wrong password is reported without it`() async throws {
        let database = try PostGISDatabase(PostGISServer.shared.url("postgres", password: "Falsch-0815"))
        let error = try #require(await failure(database) { (it) throws(PostGISError) in _ = try await it.tables() })
        #expect(error.code == .authentication && error.remedy != nil)
        #expect(!"\(error)".contains("Falsch-0815") && !"\(error)".contains("0815"))
        let without = try PostGISDatabase(PostGISServer.shared.url("postgres", password: nil))
        #expect(
            await failure(without) { (it) throws(PostGISError) in _ = try await it.tables() }?.code == .authentication)
    }

    @Test(arguments: [
        "postgresql://u:Geheim-4711@host:port/x", "postgresql://u:Geheim-4711@h/d?nonsense=1",
        "postgresql://u:Geheim-4711@[::1/d",
        "http://u:Geheim-4711@h/d", "postgresql://u:Geheim-4711%@h/d",
    ])
    func `an invalid address is reported without its password`(url: String) throws {
        let error = #expect(throws: PostGISError.self) {
            let address = try PostGISAddress(url)
            // libpq reads numbers when it connects.
            if address.options["port"] == "port" {
                throw PostGISError(.invalid, database: address.place, "invalid port")
            }
        }
        #expect(error?.code == .invalid && error.map { !"\($0)".contains("4711") } == true)
    }

    @Test func `the place of a database has no user and no password`() throws {
        let address = try PostGISAddress(
            "postgresql://anna:Geheim%2D4711@db.example.org:5433/city?sslmode=require&password=Andere-0815")
        #expect(address.place == "postgresql://db.example.org:5433/city")
        #expect(address.options["sslmode"] == "require")
        #expect(try PostGISAddress("postgresql:///?service=city").place == "postgresql:///?service=city")
        #expect(address.secrets.removed(from: "x Andere-0815 y") == "x *** y")
    }

    @Test func `an unreachable server is an error of the connection`() async throws {
        let (descriptor, port) = try LoopbackSocket.bound()
        LoopbackSocket.end(descriptor)
        let database = try PostGISDatabase("postgresql://u@127.0.0.1:\(port)/d")
        let error = await failure(database) { (it) throws(PostGISError) in _ = try await it.tables() }
        #expect(error?.code == .connection)
    }

    @Test func `a server that does not speak is given up`() async throws {
        // It accepts connections, and sends nothing.
        let (descriptor, port) = try LoopbackSocket.bound()
        #expect(listen(descriptor, 8) == 0)
        defer { LoopbackSocket.end(descriptor) }
        var settings = PostGISSettings()
        settings.connectTimeout = .milliseconds(300)
        let database = try PostGISDatabase("postgresql://u@127.0.0.1:\(port)/d?sslmode=disable", settings: settings)
        let error = await failure(database) { (it) throws(PostGISError) in _ = try await it.tables() }
        #expect(error?.code == .connection)
    }

    @Test func `a query that takes too long ends, and the connection is used again`() async throws {
        var settings = PostGISSettings()
        settings.queryTimeout = .milliseconds(500)
        settings.connectionCount = 1
        let database = try PostGISDatabase(PostGISServer.shared.url("postgres"), settings: settings)
        let error = await failure(database) { (it) throws(PostGISError) in try await asleep(it) }
        #expect(error?.code == .timedOut)
        let name = try await database.pool.transaction { (connection, ticket) throws(PostGISError) in
            try connection.query("SELECT current_database()::text", ticket)[0, 0]
        }
        #expect(name == "postgres")
    }

    @Test func `a cancelled task cancels its query in the database`() async throws {
        let server = try PostGISServer.shared, database = try PostGISDatabase(server.url("postgres"))
        let mark = "sleeper \(UUID())"
        let task = Task { () -> PostGISError? in
            await self.failure(database) { (it) throws(PostGISError) in
                try await it.pool.transaction { (connection, ticket) throws(PostGISError) in
                    _ = try connection.query("SELECT pg_sleep(600)::text /* \(mark) */", ticket)
                }
            }
        }
        @Sendable func running() throws -> Bool {
            try server.run(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%\(mark)%' AND pid <> pg_backend_pid()",
                in: "postgres"
            ).hasPrefix("1")
        }
        #expect(await eventually { (try? running()) == true })
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(await eventually { (try? running()) == false })
    }

    @Test func `a query that waits for a connection can be cancelled, and too many are refused`() async throws {
        var settings = PostGISSettings()
        settings.connectionCount = 1
        settings.queueLength = 1
        let database = try PostGISDatabase(PostGISServer.shared.url("postgres"), settings: settings)
        let first = Task { try await self.asleep(database) }
        // The first must have left the queue.
        let hasBegun = await eventually {
            (try? PostGISServer.shared.run(
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%' AND state = 'active'",
                in: "postgres"
            ).hasPrefix("0")) == false
        }
        #expect(hasBegun)
        // One of the next ones may have taken the place in the queue before.
        let waiting = Task {
            var error: PostGISError?
            repeat {
                error = await self.failure(database) { (it) throws(PostGISError) in try await self.asleep(it) }
            } while error?.code == .overloaded
            return error
        }
        let isRefused = await eventually {
            let third = Task { await self.failure(database) { (it) throws(PostGISError) in try await self.asleep(it) } }
            let timer = Task {
                try await Task.sleep(for: .milliseconds(200))
                third.cancel()
            }
            let code = await third.value?.code
            timer.cancel()
            return code == .overloaded
        }
        #expect(isRefused)
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        first.cancel()
        _ = await first.result
    }

    @Test func `a server that ends during a query is an error, and a new one is used`() async throws {
        let server = try PostGISServer(), database = try PostGISDatabase(server.url("postgres"))
        let task = Task { await self.failure(database) { (it) throws(PostGISError) in try await self.asleep(it) } }
        let hasBegun = await eventually {
            (try? server.run(
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'",
                in: "postgres"
            ).hasPrefix("1")) == true
        }
        #expect(hasBegun)
        try server.stop()
        let error = try #require(await task.value)
        #expect(error.code == .connection, "\(error)")
        #expect(
            await failure(database) { (it) throws(PostGISError) in _ = try await it.tables() }?.code == .connection)
        try server.start()
        #expect(
            await failure(database) { (it) throws(PostGISError) in _ = try await it.tables() }?.code == .noPostGIS)
    }

    @Test func `many tasks share few connections`() async throws {
        var settings = PostGISSettings()
        settings.connectionCount = 3
        let server = try PostGISServer.shared
        let database = try PostGISDatabase(
            server.url("postgres") + "?application_name=sharing", settings: settings)
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await database.pool.transaction { (connection, ticket) throws(PostGISError) in
                        try connection.query(
                            "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'sharing'", ticket
                        ).integer(0, 0) ?? 0
                    }
                }
            }
            return try await group.reduce(0) { max($0, $1) }
        }
        #expect((1...3).contains(most))
    }

    @Test func `a result that exceeds the limit is refused`() async throws {
        let url = try PostGISServer.shared.database(
            "large",
            "CREATE TABLE t AS SELECT i AS id, repeat('x', 1000) AS word, ST_SetSRID(ST_MakePoint(i, 0), 3857) AS geom "
                + "FROM generate_series(1, 5000) AS i")
        var settings = PostGISSettings()
        settings.resultByteLimit = 1 << 20
        let database = try PostGISDatabase(url, settings: settings)
        let statements = try await database.statements(PostGISQuery(table: "t"))
        let box = try #require(Extent(minX: -1, minY: -1, maxX: 10_000, maxY: 1))
        let error = await failure(database) { (it) throws(PostGISError) in
            _ = try await it.rows(statements, statements.attributes, in: box, unitsPerPixel: 1)
        }
        #expect(error?.code == .tooLarge && error?.subject == "table public.t")
    }
}
#endif
