import ArgumentParser
import Foundation
import PortolanWeb

/// An option on a command line that the command does not have, and one that it may be meant for.
struct UnknownOption {
    /// The option as it was written, without a value.
    let name: String
    /// An option of the command whose name is like it, or `nil`.
    let near: String?

    /// The first unknown option of a command line that the parser refuses, or `nil` where that is not the reason.
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

    /// What the parser tells of the program, as far as it is needed.
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
