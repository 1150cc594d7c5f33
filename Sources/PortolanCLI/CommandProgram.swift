/// The whole program: runs the command with the arguments of the process.
package enum CommandProgram {
    /// Does what the arguments ask for, and ends the process with the status that tells what came of it.
    package static func run() async { await PortolanCommand.main() }
}
