import Foundation
import Testing

/// The schemas of the OGC, which `Tests/Servers/schemas.py` asks in the Python environment of MapProxy.
enum Schemas {
    /// A document, and what it is by: a version of WMS, or `wmts`.
    struct Document {
        let form: String
        let text: String
    }

    /// The error of each document, or `nil` for a valid one.
    static func faults(in documents: [Document]) throws -> [String?] {
        let servers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Servers")
        let environment = ProcessInfo.processInfo.environment["SERVERS_VENV"] ?? servers.path + "/run/venv"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("portolan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var list = ""
        for (index, document) in documents.enumerated() {
            let file = folder.appendingPathComponent("\(index).xml")
            try Data(document.text.utf8).write(to: file)
            list += "\(document.form) \(file.path)\n"
        }
        let names = folder.appendingPathComponent("list"), answers = folder.appendingPathComponent("answers")
        try Data(list.utf8).write(to: names)
        try Data().write(to: answers)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: environment + "/bin/python")
        process.arguments = [servers.path + "/schemas.py"]
        process.standardInput = try FileHandle(forReadingFrom: names)
        process.standardOutput = try FileHandle(forWritingTo: answers)
        try process.run()
        process.waitUntilExit()
        let lines = String(decoding: try Data(contentsOf: answers), as: UTF8.self).split(separator: "\n")
        try #require(process.terminationStatus == 0 && lines.count == documents.count, "schemas.py ended early")
        return lines.map { $0 == "valid" ? nil : String($0.dropFirst("invalid ".count)) }
    }
}
