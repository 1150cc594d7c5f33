/// The exit codes that scripts may rely on; those from 64 on are the ones of `sysexits.h`.
package enum ExitStatus: Int32 {
    /// All was done.
    case drawn = 0
    /// A picture was drawn with something missing, or a service was examined that deviates from its standard.
    case incomplete = 3
    /// The command line, or a map document, says something that cannot be.
    case usage = 64
    /// The data of an input are bad.
    case badData = 65
    /// An input file does not exist.
    case noInput = 66
    /// A service cannot be used and nothing was drawn.
    case unavailable = 69
    /// The output cannot be made.
    case cannotCreate = 73
    /// The user interrupted.
    case interrupted = 130
}
