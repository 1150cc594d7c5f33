import CHeapSettings
import Foundation

/// The whole program: serves the maps of the arguments and ends the process with its exit code.
package enum ServerProgram {
    /// Runs the command, or prints an error if the trait `Server` is disabled.
    package static func run() async {
        #if Server
        // Pictures have megabytes: memory that is returned to the system after each picture is cleared for the next, which takes a tenth
        // of the time.
        heap_keeps_large_blocks()
        await ServerCommand.main()
        #else
        let words = "portolan-server: error: this build has no server; build with --traits Server\n"
        FileHandle.standardError.write(Data(words.utf8))
        exit(69)
        #endif
    }
}
