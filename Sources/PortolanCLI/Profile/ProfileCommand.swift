import ArgumentParser
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanPaint
import PortolanRaster
import PortolanText

/// `portolan profile`: the elevation profile of a route.
struct ProfileCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Draws the elevation profile of a route, or prints it as JSON.",
        usage: "portolan profile <file> [<options>] [-o <file>]",
        discussion: """
            Reads GPX, GeoJSON with a third coordinate, KML and the other formats. Named points within 250 m of the line are marked. \
            Points without an elevation make gaps. Without -o, prints the length, ascent and descent. With --elevation, lines without \
            elevations get those of a DEM: a GeoTIFF, or tiles in the notation of 'help layers hillshade'.

            EXAMPLES
              portolan profile hike.gpx
              portolan profile hike.gpx --slopes -o hike.png
              portolan profile hike.gpx --size 1200x240 -o hike.pdf
              portolan profile hike.gpx --smooth 50 --threshold 5 -o hike.json
              portolan profile drawn.geojson --elevation alps.tif -o drawn.png

            EXIT CODES
              0   done
              64  usage: invalid command line
              65  no line, no elevations, or invalid data
              66  no such file
              73  cannot write the output
            """)

    @Argument(help: ArgumentHelp("A file or URL with a route, or '-' for standard input.", valueName: "file"))
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write a .png, .jpg, .webp, .svg, .pdf or .json file.", valueName: "file"),
        completion: .file(extensions: ["png", "svg", "pdf", "json"]))
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the width and height in pixels (default: 900x220).", valueName: "WxH"))
    var size: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Multiply the pixels of --size, 0.1 to 16.", valueName: "r"))
    var pixelRatio = 1.0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Set the title (default: the route's name).", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp("Take elevations that are missing from this GeoTIFF or these tiles.", valueName: "dem"))
    var elevation: String?

    @Flag(help: "Take all elevations from --elevation.")
    var replaceElevations = false

    @Flag(help: "Colour the area by slope, measured over 100 m.")
    var slopes = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Smooth elevations over N metres; 0 does not.", valueName: "meters"))
    var smooth = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Count climbs from N metres on as ascent and descent.", valueName: "meters"))
    var threshold = ElevationProfile.standardThreshold

    @Option(help: ArgumentHelp("Colour it: light, dark or TEXT,PANEL as '#222,#f4ecd8'.", valueName: "theme"))
    var theme = "light"

    @OptionGroup(title: "Text") var text: TextOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        let out = OutputFile(path: output ?? "-"), isJSON = output != nil && out.pathExtension == "json"
        let format = output == nil || isJSON ? nil : try PictureFormat(of: out)
        let size = try imageSize()
        guard (0.1...16).contains(pixelRatio) else {
            throw CommandFailure(.usage, "--pixel-ratio \(pixelRatio): must be between 0.1 and 16")
        }
        for (option, value) in [("--smooth", smooth), ("--threshold", threshold)] where !(0...100_000).contains(value) {
            throw CommandFailure(.usage, "\(option) \(value): must be between 0 and 100000 metres")
        }
        guard let colors = Furniture.Theme(theme) else {
            throw CommandFailure(.usage, "--theme \(theme): must be light, dark or two colours such as '#222,#f4ecd8'")
        }
        try out.check()
        guard elevation != nil || !replaceElevations else {
            throw CommandFailure(.usage, "--replace-elevations needs --elevation")
        }
        var route = try await RouteInput.collection(of: file, network)
        if let elevation {
            route = try await GroundElevations.added(to: route, elevation, network, replaces: replaceElevations)
        }
        var panel: Furniture.ProfilePanel
        do throws(RouteLine.ProfileError) { panel = try Furniture.ProfilePanel(of: route) } catch {
            throw CommandFailure(error, of: file)
        }
        panel.profile = panel.profile.smoothed(over: smooth).counting(climbsFrom: threshold)
        let name = title ?? RouteLine(route)?.name
        panel.title = name
        if slopes { panel.slopes = .standard }
        let document = ProfileDocument(panel, name: name)
        if isJSON { return try out.write(try JSONText.bytes(document)) }
        guard let format else { return try out.write(Array(Self.text(document).utf8)) }
        let fonts = FontBook(fonts: try MapDocument.FontChoice.sources(text.font.map { MapDocument.FontChoice($0) }))
        let picture = ProfilePicture(panel, size: size, pixelRatio: pixelRatio, theme: colors, fonts: fonts)
        do { try out.write(try format.encode(picture)) } catch let error as TextError {
            throw CommandFailure(.badData, "\(error); install a font, or name one with --font")
        }
    }

    private func imageSize() throws(CommandFailure) -> ImageSize {
        var request = ViewRequest()
        let text = size ?? "900x220"
        try ViewRequest.asking { () throws(ViewRequestError) in try request.set(.size, to: text) }
        guard let size = request.size, Double(size.pixelCount) * pixelRatio * pixelRatio <= 1e8 else {
            throw CommandFailure(.usage, "--size \(text): more than 100 million pixels; make the picture smaller")
        }
        return size
    }

    private static func text(_ document: ProfileDocument) -> String {
        func whole(_ value: Double) -> String { String(Int(value.rounded())) }
        var lines = [document.name].compactMap(\.self)
        lines.append("length \((document.length / 100).rounded() / 10) km")
        lines.append("ascent \(whole(document.ascent)) m")
        lines.append("descent \(whole(document.descent)) m")
        lines.append("between \(whole(document.lowest)) m and \(whole(document.highest)) m")
        return lines.map { PlainText.oneLine($0) + "\n" }.joined()
    }
}

extension PictureFormat {
    /// Encodes a profile.
    fileprivate func encode(_ picture: ProfilePicture) throws -> [UInt8] {
        switch self {
        case .png: try PNGEncoder.encode(picture.image())
        case .png8: try PNGEncoder.encode(picture.image(), colors: .palette)
        case .jpeg(let quality): try JPEGEncoder.encode(picture.image(), quality: quality, background: .white)
        case .webp(let compression): try WebPEncoder.encode(picture.image(), compression: compression)
        case .svg: try picture.svg()
        case .pdf: try picture.pdf()
        }
    }
}
