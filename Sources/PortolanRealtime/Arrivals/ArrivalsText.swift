public import Foundation
public import PortolanTransit
import PortolanWeb

extension ArrivalsBoard {
    private static let byteLimit = 1 << 20
    private static let arrivalLimit = 1000

    /// Reads arrivals from text: a line `stop|name|street|city`, then lines `HHMM|label|destination|line direction`.
    ///
    /// Hours after midnight may exceed 24. A time more than half a day in the past belongs to the next day.
    ///
    /// - Parameters:
    ///   - day: the day on which the text was created.
    ///   - zone: the time zone of the times.
    ///   - now: the time at which the text was created.
    /// - Throws: ``FeedError`` if the first line does not describe a stop. Other invalid lines are omitted.
    public init(
        text: [UInt8], source: String, day: ServiceDay, zone: TimeZone, now: Date
    ) throws(FeedError) {
        guard text.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "exceeds \(Self.byteLimit) bytes")
        }
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let head = lines.first?.split(separator: "|", omittingEmptySubsequences: false), head.count >= 2,
            !head[0].isEmpty
        else { throw FeedError(.malformed, source: source, "must begin with a stop") }
        self.init(stop: String(head[0]), name: String(head[1]))
        if head.count > 2 { street = String(head[2]) }
        if head.count > 3 { city = String(head[3]) }
        for line in lines.dropFirst().prefix(Self.arrivalLimit) {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count >= 3, fields[0].utf8.count == 4, let clock = ISOTime.clock(fields[0]) else { continue }
            var arrival = ArrivalsBoard.Arrival(stop: stop, label: String(fields[1]), destination: String(fields[2]))
            if fields.count > 3 {
                let route = fields[3].split(separator: " ")
                arrival.line = route.first.map(String.init)
                if route.count > 1, let direction = Int(route[1]), (1...2).contains(direction) {
                    arrival.direction = direction - 1
                }
            }
            arrival.planned = Self.moment(clock, day: day, zone: zone, now: now)
            arrivals.append(arrival)
        }
        // The sort is stable.
        arrivals = arrivals.enumerated()
            .sorted {
                ($0.element.planned ?? .distantFuture, $0.offset) < ($1.element.planned ?? .distantFuture, $1.offset)
            }
            .map(\.element)
    }

    /// Returns the date of a clock time that is nearest to now.
    private static func moment(_ clock: Int, day: ServiceDay, zone: TimeZone, now: Date) -> Date? {
        let moments = (-1...1).map { shift -> Date in
            let utc = Date(timeIntervalSince1970: Double((day.daysSince1970 + shift) * 86_400 + clock))
            return utc - Double(zone.secondsFromGMT(for: utc - Double(zone.secondsFromGMT(for: utc))))
        }
        return moments.min { abs($0.timeIntervalSince(now)) < abs($1.timeIntervalSince(now)) }
    }
}
