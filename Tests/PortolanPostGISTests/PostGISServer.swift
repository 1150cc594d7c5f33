#if PostGIS
import Foundation
import PortolanPostGIS
import Synchronization
import TestHelpers
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a suite where no PostgreSQL server with PostGIS is installed.
    static var onPostGISServer: Self {
        .enabled(
            if: TestRig.isRequired || PostGISServer.programs != nil,
            "needs postgresql and postgresql-postgis, which Scripts/install more installs")
    }
}

/// A database server for all tests of the process: a cluster in a temporary folder with a free port on 127.0.0.1, which only
/// the password `PostGISServer.password` opens.
///
/// It needs Debian's packages postgresql and postgresql-postgis; their service is not used. PostgreSQL refuses to run as root,
/// so root runs it as the user postgres.
final class PostGISServer: Sendable {
    /// A password that must appear nowhere.
    static let password = "Geheim-4711"
    /// The folder with `initdb` and `postgres`, or `nil`.
    static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
    }()

    private static let started = Mutex<Result<PostGISServer, any Error>?>(nil)

    /// The server, which the first test starts.
    static var shared: PostGISServer {
        get throws {
            try started.withLock { known in
                if let known { return known }
                let new = Result { try PostGISServer() }
                known = new
                return new
            }.get()
        }
    }

    let port: UInt16
    private let folder: String
    private let programs: String

    /// Starts a cluster without databases of its own.
    init() throws {
        programs = try #require(Self.programs, "no PostgreSQL; Scripts/install more installs it")
        let (descriptor, port) = try LoopbackSocket.bound()
        LoopbackSocket.end(descriptor)
        self.port = port
        folder = "/tmp/portolan-postgis-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.password.write(toFile: folder + "/password", atomically: true, encoding: .utf8)
        if getuid() == 0 { try Self.run("/bin/chown", ["-R", "postgres", folder]) }
        try asUser(
            "initdb",
            [
                "-D", folder + "/data", "-U", "owner", "-A", "scram-sha-256", "--pwfile", folder + "/password", "-E",
                "UTF8",
            ]
                + ["--locale", "C.UTF-8", "--no-sync"])
        try start()
        Self.atExit.withLock { $0.append(folder) }
        atexit { PostGISServer.endAll() }
    }

    private static let atExit = Mutex<[String]>([])

    /// Ends the servers of this process, and removes their folders.
    private static func endAll() {
        for folder in atExit.withLock(\.self) {
            if let text = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8),
                let pid = Int32(text.prefix { $0 != "\n" })
            {
                kill(pid, SIGQUIT)
                for _ in 0..<200 where kill(pid, 0) == 0 { usleep(10_000) }
            }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Starts it, and waits until it accepts connections.
    func start() throws {
        let options =
            "-p \(port) -c listen_addresses=127.0.0.1 -c unix_socket_directories=\(folder) -c fsync=off "
            + "-c synchronous_commit=off -c full_page_writes=off -c max_connections=400 -c jit=off -c log_min_messages=fatal"
        try asUser("pg_ctl", ["-D", folder + "/data", "-l", folder + "/log", "-o", options, "-w", "-t", "60", "start"])
    }

    /// Ends it without waiting for queries.
    func stop() throws { try asUser("pg_ctl", ["-D", folder + "/data", "-m", "immediate", "-w", "stop"]) }

    /// The URL of a database for its owner, with the password.
    func url(_ database: String, user: String = "owner", password: String? = PostGISServer.password) -> String {
        "postgresql://\(user)\(password.map { ":" + $0 } ?? "")@127.0.0.1:\(port)/\(database)"
    }

    /// Creates a database with PostGIS, and runs statements in it.
    func database(_ name: String, _ statements: String = "") throws -> String {
        try run("CREATE DATABASE \(name)", in: "postgres")
        try run("CREATE EXTENSION postgis;" + statements, in: name)
        return url(name)
    }

    /// Runs statements, and returns what psql prints, without headers.
    @discardableResult
    func run(_ statements: String, in database: String) throws -> String {
        try Self.run(
            programs + "/psql", ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url(database), "-f", "-"],
            input: statements)
    }

    private func asUser(_ program: String, _ arguments: [String]) throws {
        let command = [programs + "/" + program] + arguments
        if getuid() == 0 {
            try Self.run("/usr/sbin/runuser", ["-u", "postgres", "--"] + command)
        } else {
            try Self.run(command[0], Array(command.dropFirst()))
        }
    }

    /// Runs a program, and returns its output.
    ///
    /// It closes every inherited descriptor: Foundation uses one of them to detect the end of a child process, and would
    /// wait for the server.
    @discardableResult
    private static func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> String {
        let process = Process(), output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let given = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data((input ?? "").utf8).write(to: given)
        try Data().write(to: output)
        defer {
            try? FileManager.default.removeItem(at: output)
            try? FileManager.default.removeItem(at: given)
        }
        process.executableURL = URL(filePath: "/bin/bash")
        let closing = "for f in /proc/self/fd/*; do n=${f##*/}; ((n > 2)) && exec {n}>&-; done"
        process.arguments = ["-c", closing + "; exec \"$@\"", "run", program] + arguments
        process.currentDirectoryURL = URL(filePath: "/")
        let writing = try FileHandle(forWritingTo: output)
        process.standardInput = try FileHandle(forReadingFrom: given)
        process.standardOutput = writing
        process.standardError = writing
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        struct Failure: Error { let text: String }
        guard process.terminationStatus == 0 else { throw Failure(text: "\(program): \(text)") }
        return text
    }
}
#endif
