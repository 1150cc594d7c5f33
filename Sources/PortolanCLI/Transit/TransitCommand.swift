import ArgumentParser

/// `portolan transit`: timetables, stops, departures, journeys and live vehicles.
struct TransitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit",
        abstract: "Reads timetables (GTFS) and live vehicles: stops, departures, journeys, problems.",
        discussion: """
            A FEED is a GTFS timetable: a ZIP archive, a folder, or the URL of an archive.

            EXAMPLES
              What a timetable has, and what is wrong with it:
                portolan transit info kuopio.zip
                portolan transit validate kuopio.zip

              The stops near a place, and what leaves there:
                portolan transit stops kuopio.zip --near 27.6783,62.8925
                portolan transit departures kuopio.zip 207671 --at 2016-11-16T08:00

              How to get there:
                portolan transit plan kuopio.zip 27.6783,62.8925 27.6409,62.8965 \\
                  --at 2016-11-16T08:00

              The vehicles of a city, as they move:
                portolan transit vehicles https://example.org/vehicle-positions.pb --follow

              A picture of lines and vehicles:
                portolan render -l transit:feed.zip \\
                  -l 'vehicles:https://example.org/vehicle-positions.pb' -o city.png

            EXIT CODES
              0   done
              3   done with something missing, such as rows of a feed
              64  usage: invalid command line
              65  the feed is none, or there is no way
              66  there is no such file or stop
              69  the server does not answer, or with an error
              130 interrupted
            """,
        subcommands: [
            TransitInfoCommand.self, TransitStopsCommand.self, TransitDeparturesCommand.self,
            TransitPlanCommand.self, TransitVehiclesCommand.self, TransitValidateCommand.self,
            TransitEngineCommand.self,
        ])
}
