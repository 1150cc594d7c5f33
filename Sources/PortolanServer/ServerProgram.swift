import CHeapSettings
import Foundation

/// The whole program: serves maps as the arguments of the process say, and ends it with the status that tells how that ended.
package enum ServerProgram {
    /// Runs the command; where the package was built without its trait `Server`, it says so.
    package static func run() async {
        #if Server
        // Pictures are megabytes: memory that goes back to the system after each of them is cleared for the next, which takes a tenth
        // of its time.
        heap_keeps_large_blocks()
        await ServerCommand.main()
        #else
        let words = "portolan-server: error: it was built without the trait 'Server'; build it with --traits Server\n"
        FileHandle.standardError.write(Data(words.utf8))
        exit(69)
        #endif
    }
}
