import PortolanCLI

@main enum Main {
    static func main() async { await CommandProgram.run() }
}
