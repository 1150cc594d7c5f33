import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanRouting

/// What answers of OpenTripPlanner have in common.
enum TransitAnswer {
    /// The most arrivals that are asked for.
    static let maximumArrivalCount = 100

    /// Whole seconds after 1970-01-01.
    static func seconds(_ time: Date) -> Int { Int(min(max(time.timeIntervalSince1970, 0), 1e11)) }

    /// A place on earth of a latitude and a longitude.
    static func place(_ latitude: PropertyValue?, _ longitude: PropertyValue?) -> Coordinate? {
        guard let latitude = latitude?.doubleValue, let longitude = longitude?.doubleValue else { return nil }
        let place = Coordinate(x: longitude, y: latitude)
        return place.isOnEarth ? place : nil
    }

    /// The time of a service day, in seconds after 1970-01-01, and seconds of it, which may pass its end.
    static func date(_ day: PropertyValue?, _ seconds: PropertyValue?) -> Date? {
        guard let day = day?.doubleValue, let seconds = seconds?.doubleValue, (0..<1e11).contains(day),
            (-1e6..<1e7).contains(seconds)
        else { return nil }
        return Date(timeIntervalSince1970: day + seconds)
    }

    /// Whether a trip or a stop of it is left out.
    static func isCanceled(_ state: PropertyValue?) -> Bool {
        ["CANCELED", "CANCELLED", "DELETED"].contains(state?.stringValue)
    }

    /// A colour of six hexadecimal digits.
    static func color(_ value: PropertyValue?) -> UInt32? {
        guard let text = value?.stringValue, text.utf8.count == 6, !text.hasPrefix("+") else { return nil }
        return UInt32(text, radix: 16)
    }

    /// A mode as OpenTripPlanner calls it.
    static func mode(_ value: PropertyValue?) -> TransitMode? {
        guard let name = value?.stringValue else { return nil }
        return switch name {
        case "TRAM": .tram
        case "SUBWAY": .subway
        case "RAIL": .rail
        case "BUS": .bus
        case "FERRY": .ferry
        case "CABLE_CAR": .cableTram
        case "GONDOLA": .aerialLift
        case "FUNICULAR": .funicular
        case "TROLLEYBUS": .trolleybus
        case "MONORAIL": .monorail
        case "COACH": .coach
        case "AIRPLANE": .air
        case "TAXI": .taxi
        default: .other
        }
    }
}

extension Double {
    /// A radius that can be looked in, around a place that is on earth.
    func checked(_ center: Coordinate) throws(StopFinderError) -> Double {
        guard center.isOnEarth, self >= 0, self <= 1e7 else { throw .invalidPlace }
        return self
    }
}
