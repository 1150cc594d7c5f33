import ArgumentParser
import Foundation
import PortolanWeb

#if PROJ
import PortolanGeo
import PortolanPROJ
#endif

/// The `portolan` command.
struct PortolanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portolan",
        abstract: "Renders maps from OGC services, tiles and feature files.",
        discussion: """
            EXAMPLES
              Draw a route over a map service:
                portolan render -l 'wms:https://example.org/wms;layers=base' \\
                  -l route.geojson -o map.png

              List the layers of a service:
                portolan info https://example.org/wms

            MORE HELP
              portolan render --help       The options of a subcommand, with examples.
              portolan help layers         The kinds of layers.
              portolan help layers wms     The keys of one kind.
              portolan --version --verbose The traits and libraries of this build.
            """,
        version: BuildDescription.version,
        subcommands: [
            RenderCommand.self, AtlasCommand.self, PlanCommand.self, DocumentCommand.self, InfoCommand.self,
            DoctorCommand.self, IdentifyCommand.self,
            RouteCommand.self, RoutesCommand.self, TransitCommand.self, SeedCommand.self, TileCommand.self,
            ConvertCommand.self, MeasureCommand.self, SpriteCommand.self, ProfileCommand.self, FilmCommand.self,
        ])

    static func main() async {
        guard !BuildDescription.isWanted(by: CommandLine.arguments.dropFirst()) else {
            return print(BuildDescription.text(of: "portolan"))
        }
        do {
            if let help = try LayerHelp.text(for: CommandLine.arguments.dropFirst(), program: "portolan") {
                return print(help, terminator: "")
            }
        } catch {
            StandardError.write(error)
            Foundation.exit(error.status.rawValue)
        }
        Interruption.listen()
        RunSecrets.learn(ArgumentSecrets.found(in: CommandLine.arguments))
        var isQuiet = false
        do {
            let command = try parseAsRoot()
            isQuiet = Self.isQuiet(command)
            try OpenFiles.makeRoom()
            try await run(command)
        } catch let status as ExitCode {
            Foundation.exit(status.rawValue)
        } catch let failure as CommandFailure {
            if !isQuiet { StandardError.warnOfKept() }
            StandardError.write(failure)
            Foundation.exit(failure.status.rawValue)
        } catch {
            // Help and version are "errors" of success to the parser, and go to standard output.
            guard exitCode(for: error) != .success else {
                print(fullMessage(for: error))
                Foundation.exit(ExitStatus.drawn.rawValue)
            }
            var words = message(for: error)
            if let unknown = unknownSubcommand(in: CommandLine.arguments.dropFirst()) {
                words = unknown
            } else if let unknown = UnknownOption(in: CommandLine.arguments.dropFirst(), of: Self.self) {
                words = "unknown option '\(unknown.name)'" + (unknown.near.map { "; did you mean '\($0)'?" } ?? "")
            }
            StandardError.write(CommandFailure(.usage, words + "; " + advice))
            Foundation.exit(ExitStatus.usage.rawValue)
        }
    }

    private static func isQuiet(_ command: any ParsableCommand) -> Bool {
        (command as? any QuietableCommand)?.isQuiet ?? false
    }

    /// Runs a command within its limits.
    ///
    /// Commands without limits, as `help`, end by themselves.
    private static func run(_ command: sending any ParsableCommand) async throws {
        let time = try (command as? any LimitedCommand).flatMap { try RunDeadline.Time(of: $0) }
        try await RunDeadline.keeping(time, command)
    }

    /// The message about an unknown subcommand in a rejected command line, or `nil` if another error is the reason.
    private static func unknownSubcommand(in arguments: some Sequence<String>) -> String? {
        var command: any ParsableCommand.Type = Self.self
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = subcommands.first(where: { $0.configuration.commandName == argument }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                let near = NearName.nearest(to: argument, in: names)
                return "unknown subcommand '\(argument)'; "
                    + (near.map { "did you mean '\($0)'?" } ?? "available: \(names.joined(separator: ", "))")
            }
            command = next
        }
        return nil
    }

    /// The hint at the help of the subcommand, for invalid command lines.
    private static var advice: String {
        var command: any ParsableCommand.Type = Self.self, words = ["see portolan"]
        for argument in CommandLine.arguments.dropFirst() {
            let next = command.configuration.subcommands.first { $0.configuration.commandName == argument }
            guard let next else { continue }
            command = next
            words.append(argument)
        }
        return (words + ["--help"]).joined(separator: " ")
    }
}

/// A subcommand that `--quiet` keeps from printing warnings.
protocol QuietableCommand {
    /// Whether no warnings are printed.
    var isQuiet: Bool { get }
}

extension RenderCommand: QuietableCommand { var isQuiet: Bool { picture.quiet } }
extension AtlasCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension IdentifyCommand: QuietableCommand { var isQuiet: Bool { picture.quiet } }
extension FilmCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension RouteCommand: QuietableCommand { var isQuiet: Bool { picture.quiet } }
extension ConvertCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension DocumentCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension SeedCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension TileCommand: QuietableCommand { var isQuiet: Bool { quiet } }

/// The whole program: the command with the arguments of the process.
package enum CommandProgram {
    /// Runs the command of the arguments and ends the process with its exit code.
    package static func run() async {
        #if PROJ
        CRS.consult(PROJCatalog())
        #endif
        await PortolanCommand.main()
    }
}
