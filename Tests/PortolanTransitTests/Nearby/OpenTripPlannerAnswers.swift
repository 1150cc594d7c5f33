import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTesting

/// Answers of OpenTripPlanner, not recorded but written for these tests.
///
/// Those of version 1 follow its classes StopShort and IndexAPI (tag v1.5.0), those of version 2 its schema.graphqls (version
/// 2.9). Stops and times are invented.
enum OpenTripPlannerAnswers {
    /// The middle of Bogotá, as the old app had it for its tests.
    static let bogota = Coordinate(longitude: -74.081750, latitude: 4.609710)

    static let stops1 = #"""
        [{"id":"1:7521","code":"7521","name":"AV Jiménez","lat":4.6031,"lon":-74.0792,"url":null,"cluster":null,"dist":787},
        {"id":{"agencyId":"1","id":"88"},"name":"Calle 26","lat":4.6158,"lon":-74.0742,"dist":1074},
        {"id":"1:7","code":"7","name":"Plaza","lat":4.6099,"lon":-74.0818,"dist":22},
        {"id":"1:9","name":"No distance","lat":4.6100,"lon":-74.0830},
        {"id":"1:corner","name":"Corner","lat":4.63,"lon":-74.10,"dist":3000},
        {"name":"No identifier","lat":4.61,"lon":-74.08}, {"id":"1:x","lat":400,"lon":0}, 7]
        """#

    static let times1 = #"""
        [{"pattern":{"id":"1:9:0:01","desc":"9 to Plaza (1:7) from Norte (1:1)"},"times":[
        {"stopId":"1:7","stopIndex":3,"stopCount":9,"scheduledArrival":36600,"realtimeArrival":36660,"arrivalDelay":60,"realtime":true,"realtimeState":"UPDATED","serviceDay":1795392000,"tripId":"1:t2","headsign":"Plaza"},
        {"stopId":"1:7","scheduledArrival":36000,"realtimeArrival":36000,"realtime":false,"realtimeState":"SCHEDULED","serviceDay":1795392000,"tripId":"1:t1","headsign":"Plaza"}]},
        {"pattern":{"id":"1:N1:0:01","desc":"N1 to Sur"},"times":[
        {"stopId":"1:7","scheduledArrival":90000,"realtimeArrival":90000,"realtime":true,"realtimeState":"CANCELED","serviceDay":1795348800,"tripId":{"agencyId":"1","id":"t3"}}]}]
        """#

    static let routes1 = #"""
        [{"id":"1:9","shortName":"9","longName":"Norte - Plaza","mode":"TRAM","color":"E33699","agencyName":"A"},
        {"id":"1:99","shortName":null,"longName":"Another","mode":"BUS","color":null},
        {"id":"1:N1","shortName":"N1","longName":"Sur","mode":"BUS","color":"x"}]
        """#

    /// A server of version 1 with stops, times and routes.
    static func server1() -> StubTransport {
        StubTransport { request in
            let body =
                request.url.contains("/stoptimes") ? times1 : request.url.contains("/routes") ? routes1 : stops1
            return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
        }
    }

    static func stops2(_ stops: [(id: String, meters: Double)], next: String? = nil) -> String {
        let edges = stops.map {
            #"{"node":{"distance":\#($0.meters),"stop":{"gtfsId":"\#($0.id)","name":"Stop \#($0.id)","code":null,"lat":4.61,"lon":-74.08,"vehicleMode":"BUS","platformCode":"2"}}}"#
        }
        let cursor = next.map { "\"\($0)\"" } ?? "null"
        return #"{"data":{"stopsByRadius":{"pageInfo":{"hasNextPage":\#(next != nil),"endCursor":\#(cursor)},"edges":["#
            + edges.joined(separator: ",") + "]}}}"
    }

    static let times2 = #"""
        {"data":{"stop":{"stoptimesWithoutPatterns":[
        {"scheduledArrival":36600,"realtimeArrival":36540,"realtime":true,"realtimeState":"UPDATED","serviceDay":1795392000,"headsign":"Plaza","trip":{"gtfsId":"1:t2","route":{"shortName":"9","longName":"Norte - Plaza","mode":"TRAM","color":"E33699"}}},
        {"scheduledArrival":36000,"realtimeArrival":36000,"realtime":false,"realtimeState":"SCHEDULED","serviceDay":1795392000,"headsign":null,"trip":{"gtfsId":"1:t1","route":{"shortName":null,"longName":"Ferry","mode":"FERRY","color":null}}}]}}}
        """#

    /// A transport with one answer, whatever is asked.
    static func always(_ body: String, status: Int = 200) -> StubTransport {
        StubTransport { HTTPResponse(status: status, body: Array(body.utf8), url: $0.url) }
    }

    /// A fetcher that tries nothing again.
    static func fetcher(_ transport: any HTTPTransport) -> Fetcher { Fetcher(transport: transport, retries: .none) }
}
