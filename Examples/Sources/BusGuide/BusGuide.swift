import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanBeacons
import PortolanTransit

/// Draws a page of a bus guide: the current stop by its code or beacon, and the suitable buses.
@main
struct BusGuideExample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BusGuide",
        abstract: "Draws a route of a bus guide, the stop at which one is, and which buses go to a destination.",
        discussion: """
            EXAMPLES
              BusGuide --demo
              BusGuide --demo --code 'qbus:stop:Q25?v=1'
              BusGuide --kml routes.kml --cooperatives cooperatives.json --beacons walk.log --to -78.4928,-0.1755
            """)

    @Flag(help: "An invented city, without the network.")
    var demo = false

    @Option(help: "A guide: a KML document of routes and stops.")
    var kml: String?

    @Option(help: "Its cooperatives, as JSON.")
    var cooperatives: String?

    @Option(help: "What the code at the stop says.")
    var code: String?

    @Option(help: "A log of the beacons that were heard.")
    var beacons: String?

    @Option(help: "Longitude and latitude of the destination, in degrees.")
    var to: String?

    @Option(name: [.short, .long], help: "The picture, a PNG file.")
    var output = "bus-guide.png"

    func run() async throws {
        let (map, screen) = try page()
        for suggestion in screen.suggestions { print(RideGuide.Words.english.text(suggestion)) }
        try await map.refresh().writePNG(to: output)
        print(URL(filePath: output).path)
    }

    /// Returns the page for the requested stop.
    func page() throws -> (map: MapFacade, screen: GuideScreen) {
        let folder = HelsinkiWalk.fixtures.appending(path: "guide")
        guard let kml = demo ? folder.appending(path: "routes.kml").path : kml else {
            throw ValidationError("give --kml, or --demo")
        }
        let guide = try PortolanTransit.BusGuide(
            kml: bytes(kml),
            cooperatives: try (demo ? folder.appending(path: "cooperatives.json").path : cooperatives).map(bytes))
        let numbers = (to ?? (demo ? "-78.4985,-0.2055" : "")).split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2 else { throw ValidationError("--to is longitude and latitude, as -78.49,-0.17") }
        let destination = Coordinate(longitude: numbers[0], latitude: numbers[1])
        let screen: GuideScreen?
        if let code {
            screen = try GuideScreen(guide: guide, code: StopCode(code), to: destination)
        } else if let log = beacons ?? (demo ? folder.appending(path: "walk.log").path : nil) {
            screen = try GuideScreen(guide: guide, log: BeaconLog(bytes: bytes(log), from: log), to: destination)
        } else {
            throw ValidationError("give --code or --beacons")
        }
        guard let screen else { throw ValidationError("no beacon of the guide was near") }
        // The fonts of the demonstration, so that the picture is the same on every machine.
        let map = try demo ? HelsinkiWalk.empty(width: 760, height: 860) : MapFacade(width: 760, height: 860)
        try screen.draw(on: map)
        return (map, screen)
    }

    private func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }
}
