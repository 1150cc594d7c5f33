import ArgumentParser
import Foundation

#if PROJ
import PortolanGeo
import PortolanPROJ
#endif

/// The `portolan` command.
struct PortolanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portolan",
        abstract: "Draws maps from OGC services, tiles and features into pictures.",
        discussion: """
            EXAMPLES
              Draw a route over a map service, as large as fits:
                portolan render -l 'wms:https://example.org/wms;layers=base' \\
                  -l route.geojson -o map.png

              See what a service offers:
                portolan info https://example.org/wms

              Every subcommand has examples: portolan render --help

              List the traits and libraries of this build: portolan --version --verbose
            """,
        version: BuildDescription.version,
        subcommands: [
            RenderCommand.self, PlanCommand.self, DocumentCommand.self, InfoCommand.self, DoctorCommand.self,
            IdentifyCommand.self,
            RouteCommand.self, RoutesCommand.self, TransitCommand.self, SeedCommand.self, ConvertCommand.self,
            MeasureCommand.self,
        ])

    static func main() async {
        guard !BuildDescription.isWanted(by: CommandLine.arguments.dropFirst()) else {
            return print(BuildDescription.text(of: "portolan"))
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
            if let unknown = UnknownOption(in: CommandLine.arguments.dropFirst(), of: Self.self) {
                words = "there is no option '\(unknown.name)'" + (unknown.near.map { "; did you mean '\($0)'?" } ?? "")
            }
            StandardError.write(CommandFailure(.usage, words + "; " + advice))
            Foundation.exit(ExitStatus.usage.rawValue)
        }
    }

    private static func isQuiet(_ command: any ParsableCommand) -> Bool {
        (command as? any QuietableCommand)?.isQuiet ?? false
    }

    /// Runs a command within its limits; what has none, as `help`, ends by itself.
    private static func run(_ command: sending any ParsableCommand) async throws {
        let time = try (command as? any LimitedCommand).flatMap { try RunDeadline.Time(of: $0) }
        try await RunDeadline.keeping(time, command)
    }

    /// Where to read on after a command line that the parser refuses.
    private static var advice: String {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        let name = CommandLine.arguments.dropFirst().first { names.contains($0) }
        return "see " + (["portolan", name, "--help"].compactMap { $0 }.joined(separator: " "))
    }
}

/// A subcommand that `--quiet` keeps from printing warnings.
protocol QuietableCommand {
    /// Whether no warnings are printed.
    var isQuiet: Bool { get }
}

extension RenderCommand: QuietableCommand { var isQuiet: Bool { picture.quiet } }
extension IdentifyCommand: QuietableCommand { var isQuiet: Bool { picture.quiet } }
extension RouteCommand: QuietableCommand { var isQuiet: Bool { picture.quiet } }
extension ConvertCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension DocumentCommand: QuietableCommand { var isQuiet: Bool { quiet } }
extension SeedCommand: QuietableCommand { var isQuiet: Bool { quiet } }

/// The whole program: runs the command with the arguments of the process.
package enum CommandProgram {
    /// Does what the arguments ask for, and ends the process with the status that tells what came of it.
    package static func run() async {
        #if PROJ
        CRS.consult(PROJCatalog())
        #endif
        await PortolanCommand.main()
    }
}
