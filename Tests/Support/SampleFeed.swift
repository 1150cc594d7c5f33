import Foundation

/// A small GTFS feed as text: line 9 of Helsinki on working days of 2026, twice in the morning.
package enum SampleFeed {
    /// The texts of its files, by name.
    package static let files: [String: String] = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nA,Lines of A,https://a.example,Europe/Helsinki\n",
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        week,1,1,1,1,1,0,0,20260101,20261231
        rest,0,0,0,0,0,1,1,20260101,20261231

        """,
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon
        s1,Töölö,60.1800,24.9200
        s2,Kamppi,60.1690,24.9310
        s3,Hakaniemi,60.1790,24.9500
        s4,Sörnäinen,60.1870,24.9600

        """,
        "routes.txt":
            "route_id,route_short_name,route_long_name,route_type,route_color\nr9,9,Töölö – Hakaniemi,0,00985F\n",
        "trips.txt":
            "route_id,service_id,trip_id,trip_headsign,direction_id\nr9,week,t1,Hakaniemi,0\nr9,week,t2,Hakaniemi,0\n",
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        t1,08:00:00,08:00:00,s1,1
        t1,08:10:00,08:11:00,s2,2
        t1,08:20:00,08:20:00,s3,3
        t2,09:00:00,09:00:00,s1,1
        t2,09:10:00,09:11:00,s2,2
        t2,09:20:00,09:20:00,s3,3

        """,
    ]

    /// Creates a folder with the feed.
    package static func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }
    }
}
