import PortolanServer

@main enum Main {
    static func main() async { await ServerProgram.run() }
}
