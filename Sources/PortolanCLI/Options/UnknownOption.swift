import ArgumentParser
import Foundation
import PortolanWeb

/// An unknown option on a command line, with a suggestion.
struct UnknownOption {
    /// The option as written, without a value.
    let name: String
    /// A similar option of the command, or `nil`.
    let near: String?

    /// The first unknown option of a rejected command line, or `nil` if another error is the reason.
    init?(in arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(root._dumpHelp().utf8)) else { return nil }
        var command = tool.command, isValue = false
        for argument in arguments {
            if argument == "--" { return nil }
            if isValue {
                isValue = false
                continue
            }
            if let next = command.subcommands?.first(where: { $0.commandName == argument }) {
                command = next
                continue
            }
            guard argument.hasPrefix("--") else { continue }
            let name = argument.prefix { $0 != "=" }.dropFirst(2)
            let options = command.arguments ?? []
            guard let known = options.first(where: { $0.longNames.contains(String(name)) }) else {
                self.name = "--\(name)"
                near = NearName.nearest(to: String(name), in: options.filter(\.shouldDisplay).flatMap(\.longNames)).map
                { "--\($0)" }
                return
            }
            isValue = known.kind == "option" && !argument.contains("=")
        }
        return nil
    }

    /// The required part of the parser's description of the program.
    private struct Tool: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String, name: String
        }

        let kind: String
        let names: [Name]?
        let shouldDisplay: Bool
        var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map(\.name) }
    }
}
