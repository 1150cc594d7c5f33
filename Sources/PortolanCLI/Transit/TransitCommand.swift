import ArgumentParser

/// `portolan transit`: timetables, stops, departures, journeys and live vehicles.
struct TransitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit",
        abstract: "Reads timetables (GTFS) and live vehicles: stops, departures, journeys, problems.",
        discussion: """
            A FEED is a GTFS timetable: a ZIP archive, a folder, or the URL of an archive.

            EXAMPLES
              The contents of a timetable, and its problems:
                portolan transit info kuopio.zip
                portolan transit validate kuopio.zip

              Stops near a coordinate, and departures:
                portolan transit stops kuopio.zip --near 27.6783,62.8925
                portolan transit departures kuopio.zip 207671 --at 2016-11-16T08:00

              A journey:
                portolan transit plan kuopio.zip 27.6783,62.8925 27.6409,62.8965 \\
                  --at 2016-11-16T08:00

              Live vehicles:
                portolan transit vehicles https://example.org/vehicle-positions.pb --follow

              A picture of lines and vehicles:
                portolan render -l transit:feed.zip \\
                  -l 'vehicles:https://example.org/vehicle-positions.pb' -o city.png

            EXIT CODES
              0   done
              3   incomplete, such as skipped rows of a feed
              64  usage: invalid command line
              65  invalid feed, or no journey found
              66  no such file or stop
              69  no response from the server, or an error
              130 interrupted
            """,
        subcommands: [
            TransitInfoCommand.self, TransitStopsCommand.self, TransitDeparturesCommand.self,
            TransitPlanCommand.self, TransitVehiclesCommand.self, TransitValidateCommand.self,
            TransitEngineCommand.self,
        ])
}
