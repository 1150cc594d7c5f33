import ArgumentParser
import Portolan
import PortolanRaster

/// `portolan sprite`: packs a folder of icons into a sprite.
struct SpriteCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "sprite",
        abstract: "Packs a folder of SVG and PNG icons into a sprite for MapLibre styles.",
        usage: "portolan sprite <folder> -o <name> [<options>]",
        discussion: """
            Writes NAME.json, NAME.png, NAME@2x.json and NAME@2x.png; a style refers to them by "sprite": "NAME". The file NAME.svg \
            is the icon NAME, and SUBFOLDER/NAME.svg the icon SUBFOLDER/NAME. An image NAME@2x.png has two pixels per style \
            pixel. NAME.sdf.svg and NAME.sdf.png become distance fields, which styles can give any colour and a halo.

            Of SVG, shapes with plain colours are drawn. Gradients, text, images, masks and filters are not, with a warning.

            A style may also name the folder itself: "sprite": "icons" packs icons/ whenever the map is drawn or served.

            EXAMPLES
              Pack the icons of a folder:
                portolan sprite icons -o maki

              Icons in one colour that the style chooses:
                portolan sprite icons -o maki --sdf

            EXIT CODES
              0 written; 3 written, but icons were left out or drawn in part;
              65 no icons; 66 folder missing; 73 cannot write
            """)

    @Argument(help: "The folder of icons.", completion: .directory) var folder: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write the sprite to files with this name, without an extension.", valueName: "name"))
    var output: String?

    @Flag(help: "Make all icons distance fields.") var sdf = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Write sprites of these densities, 1 to 4.", valueName: "a,b"))
    var ratios = "1,2"

    @Flag(name: .shortAndLong, help: "Print errors only.") var quiet = false

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() async throws {
        guard let output, !output.isEmpty, output != "-" else {
            throw CommandFailure(.usage, "missing output name; add -o sprite (see portolan sprite --help)")
        }
        let numbers = ratios.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let densities = Set(numbers.compactMap(\.self)).sorted()
        guard !densities.isEmpty, densities.count == numbers.count, densities.allSatisfy((1...4).contains) else {
            throw CommandFailure(.usage, "--ratios \(ratios): expected different numbers from 1 to 4, as in 1,2")
        }
        var source = SpriteFolder(path: folder)
        source.isDistanceField = sdf
        let memory = try limits.memory()
        var charges: [MemoryCharge] = []
        var results: [(file: OutputFile, bytes: [UInt8])] = [], warnings: [String] = []
        do {
            for ratio in densities {
                let packed = try source.packed(ratio: ratio), name = output + (ratio > 1 ? "@\(ratio)x" : "")
                charges.append(try memory.charge(4 * packed.sheet.pixels.size.pixelCount))
                results.append((OutputFile(path: name + ".json"), packed.sheet.index))
                results.append((OutputFile(path: name + ".png"), try packed.sheet.png()))
                for warning in packed.warnings where !warnings.contains(warning) { warnings.append(warning) }
            }
        } catch let failure as SpriteFolder.Failure {
            throw Self.failure(failure)
        } catch let error as MemoryBudget.ExceededError {
            throw CommandFailure.tooLarge("the icons: \(error)")
        }
        for result in results { try result.file.check() }
        try OutputFile.write(results)
        if !quiet { for warning in warnings { StandardError.warn(warning) } }
        if !warnings.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    private static func failure(_ failure: SpriteFolder.Failure) -> CommandFailure {
        switch failure {
        case .unreadable: CommandFailure(.noInput, "\(failure)")
        case .empty, .refused, .tooMany, .tooLarge, .codec: CommandFailure(.badData, "\(failure)")
        }
    }
}
